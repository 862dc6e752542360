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
		if enc, name, certain := charset.DetermineEncoding(data[:min(len(data), 4096)], ""); certain && name != "utf-8" {
			if text, bad := transcode(enc, data); bad == 0 {
				return finish(text, nil)
			}
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
	if multi >= 10*bad || (multi > 0 && bad == 1 && !utf8.FullRune(data[len(data)-min(len(data), 3):])) {
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

// decodeUTF16 reads UTF-16 without a mark. Every text of some length has
// characters below U+0100 (spaces, line feeds, digits), whose high byte is zero
// and stands on one side only.
func decodeUTF16(data []byte) (decoded, error) {
	var zeros [2]int
	head := data[:min(len(data), 1<<16)]
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	order := unicode.LittleEndian
	few, many := zeros[0], zeros[1]
	if zeros[0] > zeros[1] {
		order, few, many = unicode.BigEndian, many, few
	}
	if len(data)%2 != 0 || few*20 > many || many*100 < len(head) {
		return decoded{}, ErrBinary
	}
	text, bad := transcode(unicode.UTF16(order, unicode.IgnoreBOM), data)
	if bad > 0 {
		return decoded{}, ErrBinary
	}
	return finish(text, []string{"The text was read as UTF-16, which was guessed from its bytes."})
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
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
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
