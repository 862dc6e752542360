package outlook

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// wide is text as Unicode properties hold it.
func wide(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// props is a stream of properties of fixed size: id, type and value in turn.
func props(header int, values ...uint64) []byte {
	b := make([]byte, header)
	for i := 0; i+2 < len(values); i += 3 {
		b = binary.LittleEndian.AppendUint16(b, uint16(values[i+1]))
		b = binary.LittleEndian.AppendUint16(b, uint16(values[i]))
		b = binary.LittleEndian.AppendUint32(b, 6)
		b = binary.LittleEndian.AppendUint64(b, values[i+2])
	}
	return b
}

const propsName = "__properties_version1.0"

// message is one with everything that is read.
func message() map[string][]byte {
	sent := time.Date(2026, 3, 5, 9, 12, 0, 0, time.UTC)
	recipient := func(n, kind int, name, mail string) map[string][]byte {
		dir := fmt.Sprintf("__recip_version1.0_#%08X/", n)
		return map[string][]byte{dir + propsName: props(8, recipientTypeID, 3, uint64(kind)), dir + "__substg1.0_3001001F": wide(name), dir + "__substg1.0_39FE001F": wide(mail)}
	}
	m := map[string][]byte{
		propsName:              props(32, sentID, 0x40, uint64(sent.Unix()+11644473600)*1e7, internetCodePageID, 3, 1251),
		"__substg1.0_0037001F": wide("Kündigung"),
		"__substg1.0_0042001F": wide("Jürgen Köhler"),
		"__substg1.0_0065001F": wide("/o=Example/cn=jk"),
		"__substg1.0_5D01001F": wide("jk@example.com"),
		"__substg1.0_1000001F": wide(strings.Repeat("The term ends in May. ", 300)), // a stream of many sectors
		"__substg1.0_10130102": []byte("<p>\xca\xee\xed\xe5\xf6"),
	}
	for _, r := range []map[string][]byte{recipient(0, 1, "Ann", "ann@example.com"), recipient(1, 2, "ben@example.com", "ben@example.com"), recipient(2, 1, "Cleo", "/o=Example/cn=cleo"), recipient(3, 3, "Dan", "")} {
		for k, v := range r {
			m[k] = v
		}
	}
	const one, two = "__attach_version1.0_#00000000/", "__attach_version1.0_#00000001/"
	m[one+propsName] = props(8, attachFlagsID, 3, 4)
	m[one+"__substg1.0_3707001F"], m[one+"__substg1.0_3704001F"] = wide("Größe und Logo.png"), wide("GROESS~1.PNG")
	m[one+"__substg1.0_370E001F"], m[one+"__substg1.0_37010102"] = wide("image/PNG"), []byte("png")
	const inner = two + "__substg1.0_3701000D/"
	m[two+propsName] = props(8)
	m[inner+propsName] = props(24)
	m[inner+"__substg1.0_0037001F"], m[inner+"__substg1.0_1000001F"] = wide("Old"), wide("Old text")
	return m
}

func TestRead(t *testing.T) {
	got, err := Read(testkit.Compound(message()))
	want := &Message{Subject: "Kündigung", From: "Jürgen Köhler <jk@example.com>", To: "Ann <ann@example.com>, Cleo", Cc: "ben@example.com",
		Sent: time.Date(2026, 3, 5, 9, 12, 0, 0, time.UTC), Text: strings.Repeat("The term ends in May. ", 300), HTML: []byte("<p>\xca\xee\xed\xe5\xf6"), CodePage: "windows-1251",
		Attachments: []Attachment{{Name: "Größe und Logo.png", Kind: "image/png", Shown: true, Data: []byte("png")}},
		Messages:    []*Message{{Subject: "Old", Text: "Old text", HTML: []byte{}}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
	}
}

// TestCodePages: strings that are not Unicode are in the message's code page.
func TestCodePages(t *testing.T) {
	for _, tt := range []struct {
		codePage uint64
		in, want string
	}{
		{1252, "K\xfcndigung", "Kündigung"}, {1251, "\xc4\xee\xe3\xee\xe2\xee\xf0", "Договор"}, {932, "\x8c_\x96\xf1", "契約"}, {936, "\xba\xcf\xcd\xac", "合同"},
		{65001, "Kündigung", "Kündigung"}, {0, "K\xfcndigung", "K\xfcndigung"}, {99999, "x", "x"},
	} {
		m, err := Read(testkit.Compound(map[string][]byte{propsName: props(32, codePageID, 3, tt.codePage), "__substg1.0_0037001E": []byte(tt.in + "\x00")}))
		if err != nil || m.Subject != tt.want {
			t.Errorf("%d: %q, %v, want %q", tt.codePage, m.Subject, err, tt.want)
		}
	}
}

// TestInflateRTF: the examples of [MS-OXRTFCP], section 4, and what is none.
func TestInflateRTF(t *testing.T) {
	if len(dictionary) != 207 {
		t.Errorf("the dictionary has %d bytes, [MS-OXRTFCP] 2.1.2.1 says 207", len(dictionary))
	}
	for _, tt := range []struct{ what, in, want string }{
		{"references to the dictionary", "\x2d\x00\x00\x00\x2b\x00\x00\x00\x4c\x5a\x46\x75\xf1\xc5\xc7\xa7\x03\x00\x0a\x00\x72\x63\x70\x67\x31\x32\x35\x42\x32\x0a\xf3\x20\x68\x65\x6c\x09\x00\x20\x62\x77\x05\xb0\x6c\x64\x7d\x0a\x80\x0f\xa0",
			"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"},
		{"a reference to what it writes", "\x1a\x00\x00\x00\x1c\x00\x00\x00\x4c\x5a\x46\x75\xe2\xd4\x4b\x51\x41\x00\x04\x20\x57\x58\x59\x5a\x0d\x6e\x7d\x01\x0e\xb0", "{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"},
		{"not compressed", "\x0e\x00\x00\x00\x05\x00\x00\x00MELA\x00\x00\x00\x00{\\rtfmore", "{\\rtf"},
		{"another kind", "\x0e\x00\x00\x00\x05\x00\x00\x00ABCD\x00\x00\x00\x00{\\rtf", ""},
		{"too short", "\x0e\x00", ""},
		{"cut in a reference", "\x1a\x00\x00\x00\x1c\x00\x00\x00LZFu\x00\x00\x00\x00\x02a\x0d", "a"},
	} {
		if got := string(inflateRTF([]byte(tt.in))); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.what, got, tt.want)
		}
	}
}

// TestDamaged: what is no message, or cut, is refused or read as far as it goes.
func TestDamaged(t *testing.T) {
	whole := testkit.Compound(message())
	for what, data := range map[string][]byte{"nothing": nil, "a header alone": whole[:512], "another compound file": testkit.Compound(map[string][]byte{"WordDocument": []byte("x")}), "text": []byte("text")} {
		if _, err := Read(data); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for n := range len(whole) / 100 {
		_, _ = Read(whole[:100*n])
	}
}

// TestHostile: chains and trees that run in circles or share what they hold end soon,
// and take no more memory than a multiple of the file.
func TestHostile(t *testing.T) {
	const attachment = "__attach_version1.0_#%08X/__substg1.0_37010102"
	streams := map[string][]byte{propsName: props(32)}
	for i := range 300 {
		streams[fmt.Sprintf(attachment, i)] = []byte("x")
	}
	streams[fmt.Sprintf(attachment, 0)] = make([]byte, 1<<20)
	shared := testkit.Compound(streams)
	name, first := wide("__substg1.0_37010102"), -1
	for at := range len(shared) - entrySize {
		switch {
		case !bytes.HasPrefix(shared[at:], name):
		case first < 0:
			first = at
		default:
			copy(shared[at+116:at+entrySize], shared[first+116:first+entrySize]) // where it begins, and its size
		}
	}
	m, err := Read(shared)
	size := 0
	for _, a := range m.Attachments {
		size += len(a.Data)
	}
	if err != nil || len(m.Attachments) != 300 || size < 1<<20 || size > 2*len(shared)+1<<20 {
		t.Errorf("%d attachments of %d bytes, %v", len(m.Attachments), size, err)
	}
	deep := ""
	for range 300 {
		deep += "__attach_version1.0_#00000000/__substg1.0_3701000D/"
	}
	m, err = Read(testkit.Compound(map[string][]byte{propsName: props(32), deep + propsName: props(24)}))
	if err != nil || len(m.Messages) != 0 {
		t.Errorf("%v", err)
	}
	circle := bytes.Clone(shared)
	for i := len(circle) - 512; i < len(circle); i += 4 { // the last sector of the FAT
		binary.LittleEndian.PutUint32(circle[i:], 1)
	}
	_, _ = Read(circle)
}

func FuzzRead(f *testing.F) {
	f.Add(testkit.Compound(message()))
	f.Add(testkit.Compound(map[string][]byte{propsName: props(32), "__substg1.0_10090102": []byte("\x1a\x00\x00\x00\x1c\x00\x00\x00LZFu\x00\x00\x00\x00\x02a\x0d")}))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read(data)
		if err != nil {
			return
		}
		size := len(m.Text)/3 + len(m.HTML)
		for _, a := range m.Attachments {
			size += len(a.Data)
		}
		if size > 2*len(data)+1<<20 {
			t.Fatalf("%d bytes give %d", len(data), size)
		}
	})
}
