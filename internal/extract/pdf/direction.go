package pdf

import (
	"slices"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// fromRight is whether most words are written from right to left.
func fromRight(words []word) bool {
	right, left := 0, 0
	for _, w := range words {
		switch direction(w.text) {
		case bidi.R:
			right++
		case bidi.L:
			left++
		}
	}
	return right > left
}

// inReadingOrder turns words from left to right into the order of a line that is
// mostly written from right to left. Words written from left to right keep
// theirs among themselves.
func inReadingOrder(words []word) []word {
	if !fromRight(words) {
		return words
	}
	out := slices.Clone(words)
	slices.Reverse(out)
	for i := 0; i < len(out); {
		j := i
		for j < len(out) && direction(out[j].text) == bidi.L {
			j++
		}
		slices.Reverse(out[i:j])
		i = max(j, i+1)
	}
	return out
}

// direction is that of the first letter.
func direction(s string) bidi.Class {
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		if p, _ := bidi.LookupRune(r); p.Class() == bidi.R || p.Class() == bidi.AL {
			return bidi.R
		}
		return bidi.L
	}
	return bidi.ON
}
