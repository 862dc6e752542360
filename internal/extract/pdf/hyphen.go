package pdf

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// speller knows the words that a document writes within its lines, and joins those
// that a line's end divides.
type speller map[string]bool

func newSpeller(rows [][]row) speller {
	s := speller{}
	for _, page := range rows {
		for _, r := range page {
			for i, seg := range r.segments {
				for j, w := range seg.words {
					if i == len(r.segments)-1 && j == len(seg.words)-1 && w.soft {
						continue
					}
					s[plain(w.text)] = true
				}
			}
		}
	}
	return s
}

// plain is a word without the punctuation around it, in small letters.
func plain(w string) string {
	return strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
}

// join puts a line behind what is written so far.
func (s speller) join(so []byte, line string) []byte {
	if len(so) == 0 || line == "" {
		return append(so, line...)
	}
	head, ok := bytes.CutSuffix(so, []byte("-"))
	before, _ := utf8.DecodeLastRune(head)
	next, _ := utf8.DecodeRuneInString(line)
	if !ok && unspaced(lastOf(so)) && unspaced(next) {
		return append(so, line...)
	}
	if !ok || !unicode.IsLetter(before) && !unicode.IsDigit(before) || !unicode.IsLetter(next) && !unicode.IsDigit(next) {
		return append(append(so, ' '), line...)
	}
	left := string(head[bytes.LastIndexByte(head, ' ')+1:])
	right, _, _ := strings.Cut(line, " ")
	if s.hyphenated(left, right) {
		return append(so, line...)
	}
	return append(head, line...)
}

// unspaced is whether a character is of a script that sets no spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) ||
		r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFF65 // punctuation of theirs
}

// divisible is whether a part is one of a word: letters, small ones behind the first.
func divisible(part string) bool {
	part = strings.TrimLeftFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, r := range part {
		if !unicode.IsLetter(r) && r != '-' && r != '’' || i > 0 && unicode.IsUpper(r) {
			return false
		}
	}
	return true
}

func lastOf(b []byte) rune {
	r, _ := utf8.DecodeLastRune(b)
	return r
}

// hyphenated is whether the hyphen between two parts of a word belongs to it: the
// document writes it elsewhere, or what follows is a name or a number, or what is
// before it is no word.
func (s speller) hyphenated(left, right string) bool {
	first, _ := utf8.DecodeRuneInString(right)
	l, r := plain(left), plain(right)
	switch {
	case s[l+r]:
		return false
	case s[l+"-"+r], !unicode.IsLower(first), strings.Contains(left, "-") && s[r], !divisible(left):
		return true
	}
	return false
}
