package wordpiece

import "unicode/utf8"

// words walks over the words of a text: steps 1 to 4 of the package comment.
type words struct {
	t    *tables
	text string
	pos  int
	// The present word: its source, its characters after normalisation and as
	// many of their bytes as maxWord characters can have. A word is [UNK] beyond
	// that, so no more of it need be kept.
	from, to int
	chars    int
	size     int // of the word, in buf
	buf      [(maxWord + 4) * utf8.UTFMax]byte
}

func (w *words) init(t *tables, text string) {
	w.t, w.text = t, text
}

// word is the present word after normalisation.
func (w *words) word() []byte { return w.buf[:w.size] }

// next finds the next word; false when there is none.
func (w *words) next() bool {
	word, chars := w.buf[:0], 0
	i, to := w.pos, 0
	text := w.text
scan:
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			switch a := ascii[c]; a {
			case asciiDrop:
			case asciiSpace:
				if chars > 0 {
					break scan
				}
			case asciiIsolate:
				if chars == 0 {
					w.from, to = i, i+1
					word, chars = append(word, c), 1
					i++
				}
				break scan
			default:
				if chars == 0 {
					w.from = i
				}
				if chars < maxWord {
					word = append(word, a)
				}
				chars++
				to = i + 1
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		a := w.t.action(r)
		switch a & actionMask {
		case drop:
		case space:
			if chars > 0 {
				break scan
			}
		case isolate:
			if chars == 0 {
				w.from, to = i, i+size
				word, chars = w.t.normal(word, a, r)
				i += size
			}
			break scan
		default:
			if chars == 0 {
				w.from = i
			}
			if chars < maxWord {
				var n int
				word, n = w.t.normal(word, a, r)
				chars += n
			} else {
				chars++
			}
			to = i + size
		}
		i += size
	}
	w.pos, w.to, w.size, w.chars = i, to, len(word), chars
	return chars > 0
}

type span struct{ from, to int }

// align appends, for each byte of the present word, the span of the character of
// the text that it comes from.
func (w *words) align(spans []span) []span {
	var buf [4 * utf8.UTFMax]byte
	for i := w.from; i < w.to; {
		r, size := utf8.DecodeRuneInString(w.text[i:w.to])
		n := 1
		if r >= utf8.RuneSelf {
			a := w.t.action(r)
			n = 0
			if k := a & actionMask; k == letter || k == isolate {
				b, _ := w.t.normal(buf[:0], a, r)
				n = len(b)
			}
		} else if ascii[r] == asciiDrop {
			n = 0
		}
		for ; n > 0; n-- {
			spans = append(spans, span{i, i + size})
		}
		i += size
	}
	return spans
}

// What to do with an ASCII character; any other value is the character to put
// in its place.
const (
	asciiDrop    = 0
	asciiSpace   = ' '
	asciiIsolate = '!'
)

var ascii = func() (t [utf8.RuneSelf]byte) {
	for c := range t {
		b := byte(c)
		switch {
		case b == '\t' || b == '\n' || b == '\r' || b == ' ':
			t[c] = asciiSpace
		case b < ' ' || b == 0x7f:
			t[c] = asciiDrop
		case b >= 'A' && b <= 'Z':
			t[c] = b - 'A' + 'a'
		case b >= 'a' && b <= 'z' || b >= '0' && b <= '9':
			t[c] = b
		default: // all other printable ASCII counts as punctuation
			t[c] = asciiIsolate
		}
	}
	return t
}()
