package wordpiece

import "unicode/utf8"

// words walks over the words of a text: steps 1 to 4 of the package comment.
type words struct {
	v    *Vocabulary
	text string
	pos  int
	// The present word: its source, its characters after normalisation and as
	// many of their bytes as the longest word that is not [UNK] can have.
	from, to int
	chars    int
	size     int    // of the word, in short, or in long where there is one
	long     []byte // for a vocabulary that allows longer words
	short    [(maxChars + mostChars) * utf8.UTFMax]byte
}

// mostChars is the most characters that one becomes.
const mostChars = 4

func (w *words) init(v *Vocabulary, text string) {
	w.v, w.text = v, text
	if v.maxChars > maxChars {
		// By the length of the text: the limit comes from a file.
		w.long = make([]byte, (min(v.maxChars, mostChars*len(text))+mostChars)*utf8.UTFMax)
	}
}

// word is the present word after normalisation.
func (w *words) word() []byte {
	if w.long != nil {
		return w.long[:w.size]
	}
	return w.short[:w.size]
}

// next finds the next word; false when there is none. What does not fit the buffer
// is counted only: the word has too many characters by then.
func (w *words) next() bool {
	buf := w.short[:]
	if w.long != nil {
		buf = w.long
	}
	size, chars := 0, 0
	i, to := w.pos, 0
	text, v := w.text, w.v
scan:
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			switch a := v.ascii[c]; a {
			case asciiDrop:
			case asciiSpace:
				if chars > 0 {
					break scan
				}
			case asciiIsolate:
				if chars == 0 {
					w.from, to = i, i+1
					buf[0] = c
					size, chars = 1, 1
					i++
				}
				break scan
			default:
				if chars == 0 {
					w.from = i
				}
				if size < len(buf) {
					buf[size] = a
					size++
				}
				chars++
				to = i + 1
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		a := v.action(r)
		switch a & actionMask {
		case drop:
		case space:
			if chars > 0 {
				break scan
			}
		case isolate:
			if chars == 0 {
				w.from, to = i, i+n
				if a == isolate {
					size, chars = copy(buf, text[i:i+n]), 1
				} else {
					var word []byte
					word, chars = v.normal(buf[:0], a, r)
					size = len(word)
				}
				i += n
			}
			break scan
		default:
			if chars == 0 {
				w.from = i
			}
			if a == letter && r < hangulBase && size+utf8.UTFMax <= len(buf) {
				size += copy(buf[size:], text[i:i+n])
				chars++
			} else if size+mostChars*utf8.UTFMax <= len(buf) {
				word, k := v.normal(buf[:size], a, r)
				size = len(word)
				chars += k
			} else {
				chars++
			}
			to = i + n
		}
		i += n
	}
	w.pos, w.to, w.size, w.chars = i, to, size, chars
	return chars > 0
}

type span struct{ from, to int }

// align appends, for each byte of the present word, the span of the character of
// the text that it comes from.
func (w *words) align(spans []span) []span {
	var buf [mostChars * utf8.UTFMax]byte
	for i := w.from; i < w.to; {
		r, size := utf8.DecodeRuneInString(w.text[i:w.to])
		n := 1
		if r >= utf8.RuneSelf {
			a := w.v.action(r)
			n = 0
			if k := a & actionMask; k == letter || k == isolate {
				b, _ := w.v.normal(buf[:0], a, r)
				n = len(b)
			}
		} else if w.v.ascii[r] == asciiDrop {
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
	asciiDrop = utf8.RuneSelf + iota
	asciiSpace
	asciiIsolate
)

// asciiKind is what an ASCII character is whatever the settings: white space, a
// word of its own, or neither.
func asciiKind(b byte) byte {
	switch {
	case b >= '\t' && b <= '\r' || b == ' ':
		return asciiSpace
	case b < ' ' || b == 0x7f || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9':
		return b
	}
	return asciiIsolate // all other printable ASCII counts as punctuation
}

// asciiTable has an action for each character of ASCII.
func asciiTable(s Settings) (t [utf8.RuneSelf]byte) {
	for c := range t {
		b := byte(c)
		t[c] = asciiKind(b)
		switch {
		case s.Clean && (b < ' ' && b != '\t' && b != '\n' && b != '\r' || b == 0x7f):
			t[c] = asciiDrop
		case s.Lowercase && b >= 'A' && b <= 'Z':
			t[c] = b - 'A' + 'a'
		}
	}
	return t
}
