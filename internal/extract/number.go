package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// The shapes of visible numbering. What a number means is left to outline; here
// it is only told from the words that follow it.
const (
	dotted = `\d{1,4}(?:\.\d{1,4})+` // 7.2, 1.4.2.1
	paren  = `\((?:[A-Za-z]{1,2}|[ivxlc]{1,6}|[IVXLC]{1,6}|\d{1,3})\)`
	word   = `(?:Appendix|Annex|Schedule|Exhibit|Section|Sec\.|Article|Art\.|Chapter|Part|Clause|Rule|Attachment|` +
		`APPENDIX|ANNEX|SCHEDULE|EXHIBIT|SECTION|ARTICLE|CHAPTER|PART|CLAUSE|RULE|ATTACHMENT|` +
		`Anhang|Anlage|Abschnitt|Artikel|Kapitel|Annexe|Chapitre|Anexo|Artículo|Capítulo)`
	label = `(?:\d{1,4}(?:[.–-]\d{1,4})*[a-z]?|[IVXLC]{1,7}|[A-Z])`
)

var (
	numWord  = lazyregexp.New(`^(` + word + `\s+` + label + `)\b`)
	numSign  = lazyregexp.New(`^(§§?\s?\d{1,5}(?:\.\d{1,4})*[a-z]?)`)
	numHan   = lazyregexp.New(`^(第[0-9０-９一二三四五六七八九十百]{1,6}[章節节條条款编編部])`)
	numDots  = lazyregexp.New(`^((?:[A-Z]\.)?` + dotted + `(?:` + paren + `)*|[A-Z]\.\d{1,4}(?:\.\d{1,4})*)`)
	numPlain = lazyregexp.New(`^(\d{1,3})[.)](?:\s|$)|^(\d{1,2})\s|^(\d{1,3})\s*[:–—-]\s`)
	numAlpha = lazyregexp.New(`^([A-Z]|[IVXLC]{1,7})\.\s`)
	numParen = lazyregexp.New(`^(` + paren + `(?:\s?` + paren + `){0,3})(?:\s|$)`)
	numOpen  = lazyregexp.New(`^([a-z])\)\s`)
)

// splitNumber splits the visible number off a heading: "7.2. Term" gives "7.2"
// and "Term", "Appendix C: Rates" gives "Appendix C" and "Rates". A heading that
// is nothing but its number keeps it as its text.
func splitNumber(heading string) (number, text string) {
	n, rest := leadingNumber(heading)
	if n == "" {
		return "", heading
	}
	rest = strings.TrimLeft(rest, " \t.:-–—|")
	if rest == "" {
		return n, heading
	}
	return n, rest
}

func leadingNumber(s string) (number, rest string) {
	if m := numWord.FindString(s); m != "" && separated(s[len(m):]) {
		return m, s[len(m):]
	}
	for _, re := range []*lazyregexp.Regexp{numSign, numHan} {
		if m := re.FindString(s); m != "" {
			return m, s[len(m):]
		}
	}
	if m := numDots.FindString(s); m != "" && ends(s[len(m):]) {
		return m, s[len(m):]
	}
	if m := numPlain.FindStringSubmatch(s); m != nil {
		n := m[1] + m[2] + m[3]
		// A bare number may count something ("3 months"): a title begins large.
		if m[2] == "" || begins(s[len(n):], false) {
			return n, strings.TrimLeft(s[len(n):], ".)")
		}
		return "", s
	}
	if m := numAlpha.FindStringSubmatch(s); m != nil {
		return m[1], s[len(m[1]):]
	}
	if m := numParen.FindStringSubmatch(s); m != nil {
		return m[1], s[len(m[1]):]
	}
	if m := numOpen.FindStringSubmatch(s); m != nil {
		return m[1] + ")", s[len(m[1])+1:]
	}
	return "", s
}

// ends is whether a number may end before rest: "7.2 ", "7.2.", "7.2:" but not
// "7.2x" or "7.2/3".
func ends(rest string) bool {
	rest = strings.TrimPrefix(rest, ".")
	return rest == "" || strings.ContainsRune(" \t:)–—|*_", firstRune(rest))
}

// separated is whether a word with its label ("Section 4") ends before rest: a
// mark follows, or words that begin a title and do not go on with a sentence
// ("Section 4 of the act").
func separated(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	return rest == "" || strings.ContainsRune(".:–—-|(*_", firstRune(rest)) || begins(rest, false)
}

// begins is whether rest, after spaces, begins like a title: with a letter that
// is not small, a figure, a quote or a bracket.
func begins(rest string, small bool) bool {
	r := firstRune(strings.TrimLeft(rest, " \t*_`"))
	return r != utf8.RuneError && (small || !unicode.IsLower(r)) && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(`"'“„«‘([$`, r))
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

var unitAfter = lazyregexp.New(`^\s+(?:[KMGT]i?B|[kMG]?Hz|[kMG]W|EUR|USD|GBP|NOK|CAD|CHF|°C|K|V|A|W)\b`)

// clauseNumber is the number that a paragraph begins with, "" if none. It asks
// for more than a heading does: a paragraph may begin with a quantity.
func clauseNumber(paragraph string) string {
	s := strings.TrimLeft(paragraph, " \t*_")
	if len(s) > 80 {
		s = s[:80]
	}
	var n string
	switch {
	case numSign.MatchString(s):
		return numSign.FindString(s)
	case numHan.MatchString(s):
		return numHan.FindString(s)
	case numParen.MatchString(closeMarks(s)):
		return numParen.FindStringSubmatch(closeMarks(s))[1]
	case numDots.MatchString(s):
		n = numDots.FindString(s)
	case numWord.MatchString(s):
		n = numWord.FindString(s)
		if rest := s[len(n):]; rest == "" || strings.ContainsRune(".:–—*_", firstRune(rest)) {
			return n
		}
		return ""
	default:
		return ""
	}
	rest := s[len(n):]
	if !ends(rest) || unitAfter.MatchString(rest) || !begins(strings.TrimLeft(rest, ".:)–—|"), false) && strings.Trim(rest, " \t*_.") != "" {
		return ""
	}
	return n
}

// closeMarks takes the emphasis off a number that stands in it: "**(b)** x".
func closeMarks(s string) string {
	i := strings.IndexByte(s, ')')
	if i < 0 || i+1 >= len(s) || s[i+1] != '*' && s[i+1] != '_' {
		return s
	}
	return s[:i+1] + " " + strings.TrimLeft(s[i+1:], "*_ ")
}
