package evaluate

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// letters is a text reduced to what quotes are compared by: letters, marks and
// digits in lower case, and '.' and ',' between digits ("1,496.5"). Markup,
// link targets, tags, other signs and white space are gone.
type letters struct {
	text string
	// starts holds the byte offsets in text at which a word began, and its end.
	starts []int
}

var (
	// link matches [text](target "title"), and an image of that form.
	link = regexp.MustCompile(`!?\[([^\[\]]*)\]\([^()\s]*(?:\s+"[^"]*")?\)`)
	tag  = regexp.MustCompile(`</?[A-Za-z][^<>]*>`)
)

// plain undoes entities, links and tags. Most texts have none; the expressions
// are slow.
func plain(s string) string {
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	if strings.Contains(s, "](") {
		s = link.ReplaceAllString(s, "$1")
	}
	if strings.IndexByte(s, '<') >= 0 {
		s = tag.ReplaceAllString(s, " ")
	}
	return s
}

// compact reduces a text to its letters.
func compact(s string) letters {
	s = plain(s)
	var b strings.Builder
	b.Grow(len(s))
	var l letters
	word, digit := false, false
	for i, r := range s {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			// A script without spaces is compared character by character.
			if !word || unspaced(r) {
				l.starts = append(l.starts, b.Len())
			}
			b.WriteRune(unicode.ToLower(r))
			word, digit = true, unicode.IsDigit(r)
			continue
		case r == '\u00AD', r == '\u200B', r == '\uFEFF': // soft hyphen, zero width
			continue
		case digit && (r == '.' || r == ','):
			if next, _ := utf8.DecodeRuneInString(s[i+1:]); unicode.IsDigit(next) {
				b.WriteRune(r)
				continue
			}
		}
		word, digit = false, false
	}
	l.text = b.String()
	l.starts = append(l.starts, len(l.text))
	return l
}

// unspaced reports whether r is of a script that puts no space between words.
func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
