package query

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/store"
)

// Quote is a part of a question that stands in quotation marks.
type Quote struct {
	Text   string
	Phrase store.Phrase
}

// Bounds of the work that one question can ask for. Of a longer quote its first words are
// looked for.
const (
	maxQuotes      = 5
	maxQuotedWords = 64
)

// quotes are the quoted parts of a question that have two words or more: one alone has no
// order, and is among the terms of the question as it is.
func quotes(question string, languages []analyze.Language) []Quote {
	var out []Quote
	for _, text := range quoted(question) {
		phrase := analyze.ForPhrase(text, languages...)
		if len(phrase) < 2 || len(out) == maxQuotes || slices.ContainsFunc(out, func(q Quote) bool { return q.Text == text }) {
			continue
		}
		out = append(out, Quote{text, phrase[:min(len(phrase), maxQuotedWords)]})
	}
	return out
}

// closing are the marks that end a quote, by the one that begins it: “English”, „deutsch“,
// »deutsch«, «français», ”svenska”, 「日本語」, and their single forms.
var closing = map[rune]string{
	'"': `"`, '“': "”", '„': "“”", '”': "”", '«': "»", '»': "«»", '＂': "＂",
	'\'': "'", '‘': "’", '‚': "‘’", '‹': "›", '›': "‹›",
	'「': "」", '『': "』",
}

// quoted are the texts in quotation marks, in their order. A mark that no other closes, one
// behind a letter or digit (it's, 19") that would begin a quote and one before a letter that
// would end it are signs like others. What stands in marks within a quote is part of that.
func quoted(text string) []string {
	var out []string
	var before rune
	open := map[rune]bool{} // marks that nothing closes from here on
	for i := 0; i < len(text); {
		mark, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if ends := closing[mark]; ends != "" && !open[mark] && !joined(before) {
			n, end := closed(text[i:], ends)
			if end > 0 {
				out = append(out, text[i:i+n])
				i += end
			}
			open[mark] = end == 0
		}
		before = mark
	}
	return out
}

// closed finds the first mark of some that ends a quote: how long the quote is, and where
// what follows the mark begins; 0 where there is none.
func closed(text, ends string) (n, end int) {
	for i, r := range text {
		for _, mark := range ends {
			if r != mark {
				continue
			}
			after := i + utf8.RuneLen(r)
			if next, _ := utf8.DecodeRuneInString(text[after:]); !joined(next) {
				return i, after
			}
		}
	}
	return 0, 0
}

// joined is whether a mark beside r is within a word, or belongs to it: not beside letters
// of scripts that put no space around quotation marks.
func joined(r rune) bool {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
