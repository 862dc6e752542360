package extract

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// outlookMessage is a message of text properties by id, and of others by their name.
func outlookMessage(texts map[string]string, others map[string][]byte) []byte {
	streams := map[string][]byte{"__properties_version1.0": make([]byte, 32)}
	for id, s := range texts {
		var b []byte
		for _, u := range utf16.Encode([]rune(s)) {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
		streams["__substg1.0_"+id+"001F"] = b
	}
	for name, b := range others {
		streams[name] = b
	}
	return testkit.Compound(streams)
}

// TestOutlook gives the text that a message as Outlook saves it becomes.
func TestOutlook(t *testing.T) {
	rtf := `{\rtf1\ansi The term ends {\b in May}.\par}`
	stored := append([]byte("\x00\x00\x00\x00\xff\x00\x00\x00MELA\x00\x00\x00\x00"), rtf...)
	for _, tt := range []struct {
		what, want string
		texts      map[string]string
		others     map[string][]byte
	}{
		{"a text", "# Notice\n\nFrom: Ann <ann@example.com>\n\nThe term ends.\n", map[string]string{"0037": "Notice", "0042": "Ann", "5D01": "ann@example.com", "1000": "The term ends.\r\n"}, nil},
		{"an answer", "# Notice\n\nYes.\n\n## Quoted history\n\n-----Original Message-----\nFrom: Ann\nDoes it end?\n", map[string]string{"0037": "Notice", "1000": "Yes.\r\n\r\n-----Original Message-----\r\nFrom: Ann\r\nDoes it end?\r\n"}, nil},
		{"a page alone", "# Notice\n\n| Plan | Price |\n| --- | --- |\n| Team | 10 € |\n", map[string]string{"0037": "Notice"},
			map[string][]byte{"__substg1.0_10130102": []byte("<meta charset=windows-1252><table><tr><th>Plan<th>Price<tr><td>Team<td>10 \x80</table>")}},
		{"compressed text alone", "# Notice\n\nThe term ends in May.\n", map[string]string{"0037": "Notice"}, map[string][]byte{"__substg1.0_10090102": stored}},
		{"an attachment", "# Notice\n\nAttachments: fees.md\n\nSee below.\n", map[string]string{"0037": "Notice", "1000": "See below."},
			map[string][]byte{"__attach_version1.0_#00000000/__substg1.0_3704001E": []byte("fees.md"), "__attach_version1.0_#00000000/__substg1.0_37010102": []byte("x")}},
		{"a message within", "# Notice\n\nSee below.\n\n## Old\n\nOld text.\n", map[string]string{"0037": "Notice", "1000": "See below."},
			map[string][]byte{"__attach_version1.0_#00000000/__substg1.0_3701000D/__properties_version1.0": make([]byte, 24),
				"__attach_version1.0_#00000000/__substg1.0_3701000D/__substg1.0_0037001E": []byte("Old"), "__attach_version1.0_#00000000/__substg1.0_3701000D/__substg1.0_1000001E": []byte("Old text.")}},
	} {
		t.Run(tt.what, func(t *testing.T) {
			x, err := Extract("a.msg", outlookMessage(tt.texts, tt.others))
			if err != nil || x.Text != tt.want || x.Title != "Notice" || x.Format != formatMail {
				t.Errorf("got\n%s%v\nwant\n%s", x.Text, err, tt.want)
			}
			checkBlocks(t, x)
		})
	}
}

// TestOutlookAttachments: they are found as those of other mails are.
func TestOutlookAttachments(t *testing.T) {
	const one, two = "__attach_version1.0_#00000000/", "__attach_version1.0_#00000001/"
	got := Attachments("a.msg", outlookMessage(map[string]string{"0037": "Notice"}, map[string][]byte{
		one + "__substg1.0_3707001E": []byte(`..\fees.md`), one + "__substg1.0_37010102": []byte("5 EUR"),
		two + "__substg1.0_370E001E": []byte("message/rfc822"), two + "__substg1.0_37010102": []byte("From: a"),
	}))
	if len(got) != 2 || got[0].Path != "fees.md" || string(got[0].Data) != "5 EUR" || got[0].Carrier.Title != "Notice" || got[1].Path != "attachment.eml" {
		t.Errorf("%+v", got)
	}
	if got := Attachments("a.msg", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")); got != nil {
		t.Errorf("%+v", got)
	}
}

// A message that cannot be read says what to do.
func TestOutlookDamaged(t *testing.T) {
	whole := outlookMessage(map[string]string{"0037": "Notice"}, nil)
	if _, err := Extract("a.msg", whole[:600]); err == nil || !strings.Contains(err.Error(), "save it again") {
		t.Error(err)
	}
	// Its text is longer than what is there of it.
	whole = outlookMessage(map[string]string{"0037": "Notice", "1000": strings.Repeat("The term ends in May. ", 400)}, nil)
	var name []byte
	for _, r := range "__substg1.0_1000001F" {
		name = append(name, byte(r), 0)
	}
	entry := whole[bytes.Index(whole, name):]
	for more, doubts := range map[uint32]int{0: 0, 2000: 1, 1 << 30: 1} {
		size := binary.LittleEndian.Uint32(entry[120:])
		binary.LittleEndian.PutUint32(entry[120:], size+more)
		x, err := Extract("a.msg", whole)
		if err != nil || len(x.Doubts) != doubts || !strings.HasPrefix(x.Text, "# Notice\n") {
			t.Errorf("with %d bytes more: %q, %v", more, x.Doubts, err)
		}
		binary.LittleEndian.PutUint32(entry[120:], size)
	}
}
