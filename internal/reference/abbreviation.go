package reference

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
)

// abbreviations takes those of a heading.
func (f *finder) abbreviations(span document.Span) {
	for i := span.From; i < span.To; i++ {
		if f.text[i] == '(' {
			f.abbreviation(span, i)
		}
	}
}

// abbreviation takes "Minimum Equipment List (MEL)" and "MEL (Minimum Equipment
// List)" at the bracket at i, by the rule of Schwartz and Hearst, "A Simple Algorithm
// for Identifying Abbreviation Definitions in Biomedical Text" (2003).
func (f *finder) abbreviation(span document.Span, i int) {
	t := f.text
	n := strings.IndexAny(t[i+1:min(span.To, i+1+2*maxTerm)], "()\n|")
	if n < 2 || t[i+1+n] != ')' || i < span.From+2 || t[i-1] != ' ' {
		return
	}
	inner := document.Span{From: i + 1, To: i + 1 + n}
	if isShortForm(strings.Trim(inner.Of(t), "*_\"“”")) {
		from := f.longFormStart(span, i, len(inner.Of(t)))
		before := document.Span{From: from, To: i - 1}
		if at, ok := longForm(strings.Trim(inner.Of(t), "*_\"“”"), before.Of(t)); ok {
			f.define(document.OfAbbreviation, inner, document.Span{From: before.From + at, To: before.To})
		}
		return
	}
	short := lastWord(t[max(span.From, i-1-maxTerm) : i-1])
	if k := strings.LastIndexAny(short, "\n("); k >= 0 {
		short = short[k+1:]
	}
	if !isShortForm(short) {
		return
	}
	if at, ok := longForm(short, inner.Of(t)); ok && at == 0 {
		f.define(document.OfAbbreviation, document.Span{From: i - 1 - len(short), To: i - 1}, inner)
	}
}

// isShortForm is whether a word may stand for several: two to ten characters of which
// the first is a letter or digit and two at least are capitals. The rule asks for one
// letter; with two capitals "(see b)" and "(mm)" are none.
func isShortForm(s string) bool {
	capitals := 0
	for i, r := range s {
		switch {
		case unicode.IsUpper(r):
			capitals++
		case unicode.IsLetter(r) || unicode.IsDigit(r):
		case i == 0 || !strings.ContainsRune("&-./", r):
			return false
		}
	}
	return capitals >= 2 && len(s) <= 10
}

// longFormStart is where the words begin among which the long form of a short one of n
// characters may be, before the bracket at i: the least of n+5 and 2n of them, in the
// sentence.
func (f *finder) longFormStart(span document.Span, i, n int) int {
	least := f.sentenceStart(span, i)
	at := i - 1
	for words := min(n+5, 2*n); words > 0 && at > least; words-- {
		for at > least && f.text[at-1] == ' ' {
			at--
		}
		for at > least && f.text[at-1] != ' ' && f.text[at-1] != '\n' {
			at--
		}
		if at > least && f.text[at-1] == '\n' && words > 1 {
			at--
		}
	}
	return max(at, least)
}

// longForm finds where the words begin at the end of text that short stands for. Words
// whose first letters spell it are; the rule alone would take "of General Counsel" for
// OGC, since it takes the shortest.
func longForm(short, text string) (from int, ok bool) {
	if from, ok := initials(strings.TrimSuffix(short, "s"), text); ok {
		return from, true
	}
	return shortestForm(short, text)
}

// initials finds the last words of text whose first letters are those of short, but for
// words such as "of".
func initials(short, text string) (from int, ok bool) {
	end := len(text)
	for s := short; s != ""; {
		c, size := utf8.DecodeLastRuneInString(s)
		word, at := wordBefore(text, end, 0)
		r, _ := utf8.DecodeRuneInString(word)
		switch {
		case word == "", strings.Contains(word, "-"):
			return 0, false
		case joiningWords[word] && s != short:
		case unicode.ToLower(r) != unicode.ToLower(c) || word == short:
			return 0, false
		default:
			s, from = s[:len(s)-size], at
		}
		end = at
		for end > 0 && (text[end-1] == ' ' || text[end-1] == '\n') {
			end--
		}
	}
	return from, utf8.RuneCountInString(short) > 1
}

// shortestForm finds the shortest end of text that holds the letters and digits of short
// in their order, the first of them at the beginning of a word, and gives where it begins.
// What is no longer than the short form, or holds it, is none.
func shortestForm(short, text string) (from int, ok bool) {
	s, l := []rune(short), []rune(text)
	at := len(l) - 1
	for k := len(s) - 1; k >= 0; k-- {
		c := unicode.ToLower(s[k])
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			continue
		}
		for at >= 0 && (unicode.ToLower(l[at]) != c || k == 0 && at > 0 && (unicode.IsLetter(l[at-1]) || unicode.IsDigit(l[at-1]))) {
			at--
		}
		if at < 0 {
			return 0, false
		}
		at--
	}
	start := at + 1
	for start > 0 && (l[start-1] == '-' || unicode.IsLetter(l[start-1])) { // within a word with hyphens
		start--
	}
	form := string(l[start:])
	if len(l)-start <= len(s) || strings.ContainsAny(form, "[]{}<>|=") || strings.Contains(form, "://") || !strings.ContainsFunc(form, unicode.IsSpace) && !strings.Contains(form, "-") {
		return 0, false
	}
	for _, w := range strings.FieldsFunc(form, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if w == short {
			return 0, false
		}
	}
	return len(string(l[:start])), true
}
