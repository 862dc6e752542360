package extract

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// decoded is an original as UTF-8 with LF.
type decoded struct {
	text  string
	notes []string
}

// decode finds the encoding: a byte order mark, what a page declares, UTF-8,
// UTF-16 without a mark, then what the bytes look like. The first that holds
// wins; a declaration that the bytes contradict does not.
func decode(data []byte, page bool) (decoded, error) {
	if d, ok, err := decodeMarked(data); ok || err != nil {
		return d, err
	}
	if page {
		if text, ok := decodeDeclared(data); ok {
			return finish(text, nil)
		}
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return decodeUTF16(data)
	}
	if bytes.Contains(data, []byte("\x1b$B")) || bytes.Contains(data, []byte("\x1b$@")) {
		if text, bad := transcode(japanese.ISO2022JP, data); bad == 0 {
			return finish(text, []string{"The text was read as ISO-2022-JP because of its escape sequences."})
		}
	}
	multi, bad := utf8Counts(data)
	if bad == 0 {
		return finish(string(data), nil)
	}
	if multi >= 10*bad || multi > 0 && bad == cutRune(data) {
		return replaced(data, bad)
	}
	if g, ok := guess(data); ok {
		text, lost := transcode(g.enc, data)
		notes := []string{fmt.Sprintf("The text was read as %s, which was guessed from its bytes.", g.name)}
		if lost > 0 {
			notes = append(notes, fmt.Sprintf("%d invalid sequences were replaced.", lost))
		}
		return finish(text, notes)
	}
	if multi > bad {
		return replaced(data, bad)
	}
	return decoded{}, fmt.Errorf("the encoding cannot be told: save the document as UTF-8")
}

func replaced(data []byte, bad int) (decoded, error) {
	return finish(strings.ToValidUTF8(string(data), "\uFFFD"),
		[]string{fmt.Sprintf("%d bytes that are not valid UTF-8 were replaced.", bad)})
}

// decodeMarked reads what a byte order mark announces.
func decodeMarked(data []byte) (d decoded, ok bool, err error) {
	var enc encoding.Encoding
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
		if _, bad := utf8Counts(data); bad > 0 {
			d, err = replaced(data, bad)
			return d, true, err
		}
		d, err = finish(string(data), nil)
		return d, true, err
	case bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")) && len(data)%4 == 0:
		enc = utf32.UTF32(utf32.LittleEndian, utf32.ExpectBOM)
	case bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff")):
		enc = utf32.UTF32(utf32.BigEndian, utf32.ExpectBOM)
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		enc = unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		enc = unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM)
	default:
		return decoded{}, false, nil
	}
	text, bad := transcode(enc, data)
	var notes []string
	if bad > 0 {
		notes = []string{fmt.Sprintf("%d invalid sequences were replaced.", bad)}
	}
	d, err = finish(text, notes)
	return d, true, err
}

// cutRune is the number of bytes at the end that begin a sequence and lack its
// rest: the file was cut.
func cutRune(data []byte) int {
	for n := 1; n <= min(3, len(data)); n++ {
		if tail := data[len(data)-n:]; utf8.RuneStart(tail[0]) {
			if tail[0] >= utf8.RuneSelf && !utf8.FullRune(tail) {
				return n
			}
			break
		}
	}
	return 0
}

var declared = lazyregexp.New(`(?i)<meta[^>]{1,500}charset\s*=\s*["']?\s*([a-z0-9_:.-]+)|^\s*<\?xml[^>]{1,200}encoding\s*=\s*["']([a-z0-9_:.-]+)`)

// decodeDeclared reads a page as it says it is to be read, unless the bytes say
// otherwise: what is valid UTF-8 beyond ASCII is UTF-8.
func decodeDeclared(data []byte) (string, bool) {
	m := declared.FindSubmatch(data[:min(len(data), 4096)])
	if m == nil {
		return "", false
	}
	enc, name := charset.Lookup(string(m[1]) + string(m[2]))
	if multi, bad := utf8Counts(data); enc == nil || name == "utf-8" || multi > 0 && bad == 0 {
		return "", false
	}
	text, bad := transcode(enc, data)
	return text, bad == 0
}

// decodeUTF16 reads UTF-16 without a mark. In the right byte order the spaces
// and line ends of a text, of whatever script, are spaces and line ends; in the
// other they are U+2000 and U+0A00.
func decodeUTF16(data []byte) (decoded, error) {
	if len(data)%2 != 0 {
		return decoded{}, ErrBinary
	}
	head := data[:min(len(data), 1<<16)]
	order, here, there := unicode.LittleEndian, plainUnits(head, 1), plainUnits(head, 0)
	if there.ascii > here.ascii {
		order, here = unicode.BigEndian, there
	}
	if here.white == 0 && here.ascii*2 < here.n || here.plain*10 < here.n*9 {
		return decoded{}, ErrBinary
	}
	text, bad := transcode(unicode.UTF16(order, unicode.IgnoreBOM), data)
	if bad > 0 {
		return decoded{}, ErrBinary
	}
	return finish(text, []string{"The text was read as UTF-16, which was guessed from its bytes."})
}

type unitCounts struct{ n, ascii, white, plain int }

// plainUnits counts UTF-16 units with the high byte first or second: those of
// ASCII, white space among them, and those of scripts in use.
func plainUnits(b []byte, high int) (c unitCounts) {
	for i := 0; i+1 < len(b); i += 2 {
		r := rune(b[i+high])<<8 | rune(b[i+1-high])
		c.n++
		switch {
		case r == ' ' || r == '\n' || r == '\r' || r == '\t':
			c.white++
			c.ascii++
			c.plain++
		case r > ' ' && r < 0x7f:
			c.ascii++
			c.plain++
		case r >= 0xa0 && r < 0x700, r >= 0xe00 && r < 0xe80, r >= 0x2010 && r < 0x2070, r >= 0x20a0 && r < 0x20c0,
			r >= 0x3000 && r < 0x3100, r >= 0x4e00 && r < 0xa000, r >= 0xac00 && r < 0xd7b0, r >= 0xd800 && r < 0xe000, r >= 0xff00 && r < 0xfff0:
			c.plain++
		}
	}
	return c
}

// transcode gives the text and the number of sequences that had no meaning.
func transcode(enc encoding.Encoding, data []byte) (string, int) {
	out, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return "", len(data)
	}
	return string(out), bytes.Count(out, []byte("\uFFFD"))
}

// utf8Counts counts sequences of several bytes and bytes that belong to none.
func utf8Counts(data []byte) (multi, bad int) {
	for len(data) > 0 {
		if data[0] < utf8.RuneSelf {
			data = data[1:]
			continue
		}
		r, n := utf8.DecodeRune(data)
		if r == utf8.RuneError && n == 1 {
			bad++
		} else {
			multi++
		}
		data = data[n:]
	}
	return multi, bad
}

// finish makes line ends LF and refuses what is no text: a NUL anywhere, or one
// control character in a hundred.
func finish(text string, notes []string) (decoded, error) {
	text = lineFeeds(text)
	controls := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == 0:
			return decoded{}, ErrBinary
		case c >= 0x20 && c != 0x7f, c == '\n', c == '\t', c == '\f', c == '\v':
		default:
			controls++
		}
	}
	if controls*100 > len(text) {
		return decoded{}, ErrBinary
	}
	return decoded{text: text, notes: notes}, nil
}

// lineFeeds makes every line end LF, the only one that canonical text has.
func lineFeeds(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
