package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// window bounds how far around a full stop one looks.
const window = 40

// ends reports whether a sentence ends with the stops in [stop, after).
func (s *splitter) ends(stop, after int) bool {
	text := s.text
	first, size := utf8.DecodeRuneInString(text[stop:])
	if stops(first) {
		return true
	}
	if after < len(text) {
		r, _ := utf8.DecodeRuneInString(text[after:])
		// "end.Next" is a name or a number; only a script without spaces may
		// follow directly.
		if !unicode.IsSpace(r) && !spaceless(r) {
			return false
		}
	}
	next := firstWord(text[after:])
	if next == "" {
		return true
	}
	r, _ := utf8.DecodeRuneInString(next)
	lower := unicode.IsLower(r)
	run := strings.TrimRightFunc(text[stop:after], closes)
	switch {
	case first == '…' || strings.HasPrefix(run, ".."):
		return !lower
	case first == '!' || first == '?':
		// "Why?" he asked.
		return !lower || after == stop+len(run)
	}
	word := lastWord(text[s.from:stop])
	if word == "" {
		return true
	}
	if numeral(word) {
		// "1." at the head of a line is a number, not a sentence; "3. Oktober"
		// a date.
		if strings.TrimSpace(text[s.from:stop]) == word || len(word) <= 2 && months[strings.TrimSuffix(next, ".")] {
			return false
		}
		return !lower
	}
	closed := after > stop+size // a quote or bracket after the stop
	if a, ok := abbreviation(word); ok && !closed {
		switch a {
		case beforeName:
			return false
		case beforeNumber:
			return !numberLike(next)
		default:
			return starters[next]
		}
	}
	if lower {
		// Careless text begins sentences with small letters; a short word
		// before the stop is more likely an abbreviation that is not listed.
		return !closed && len(word) >= 4 && strings.ContainsAny(word, "aeiouyAEIOUY")
	}
	return true
}

// spaceless reports whether r is of a script that puts no space between
// sentences.
func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// lastWord is the word that text ends with, with the full stops within it
// ("e.g"), at most window bytes.
func lastWord(text string) string {
	from := len(text)
	for from > 0 && len(text)-from < window {
		r, n := utf8.DecodeLastRuneInString(text[:from])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '.' {
			break
		}
		from -= n
	}
	return strings.TrimLeft(text[from:], ".")
}

// firstWord is the first word of text after white space and opening marks; a
// sign that begins it is the word. "" at the end of a paragraph.
func firstWord(text string) string {
	i, lines := 0, 0
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == '\n' {
			lines++
		}
		if lines > 1 || !unicode.IsSpace(r) && !opens(r) || i > window {
			break
		}
		i += n
	}
	if lines > 1 || i >= len(text) {
		return ""
	}
	to := i
	for to < len(text) && to-i < window {
		r, n := utf8.DecodeRuneInString(text[to:])
		if to > i && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			break
		}
		to += n
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
	}
	return text[i:to]
}

// numeral reports whether word is a number: "12", "3.1".
func numeral(word string) bool {
	return strings.Trim(word, "0123456789.") == ""
}

// numberLike reports whether what follows "No." is its number: digits, a Roman
// numeral or a single letter.
func numberLike(word string) bool {
	if word[0] >= '0' && word[0] <= '9' || utf8.RuneCountInString(word) == 1 {
		return true
	}
	return strings.Trim(word, "IVXLCivxlc") == ""
}

// abbreviation says what kind of abbreviation word (without its last stop) is.
func abbreviation(word string) (abbreviationKind, bool) {
	if k, ok := abbreviations[word]; ok {
		return k, true
	}
	if k, ok := abbreviations[strings.ToLower(word)]; ok {
		return k, true
	}
	if utf8.RuneCountInString(word) == 1 {
		r, _ := utf8.DecodeRuneInString(word)
		return beforeStarter, unicode.IsLetter(r) // an initial: "J. Smith"
	}
	// Letters with stops between them: "U.S", "a.m", "z.B".
	for part := range strings.SplitSeq(word, ".") {
		if utf8.RuneCountInString(part) != 1 {
			return 0, false
		}
	}
	return beforeStarter, strings.Contains(word, ".")
}
