package claims

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// identifier is a name that people copy rather than say: INV-4471, v2.3.1, an address.
type identifier struct {
	folded   string
	from, to int
}

var identifierShape = lazyregexp.New(`(?:https?://|www\.)[^\s<>"')\]]+|[\pL\pN._%+-]+@[\pL\pN-]+(?:\.[\pL\pN-]+)+|[\pL\pN]+(?:[-./_#:][\pL\pN]+)*`)

// readIdentifiers takes what holds digits and letters, or several points between digits.
func (r *reading) readIdentifiers() {
	for _, m := range identifierShape.FindAllStringIndex(r.text, -1) {
		raw := strings.TrimRight(r.text[m[0]:m[1]], ".,;:")
		if !isIdentifier(raw) {
			continue
		}
		taken := false
		for i, w := range r.words {
			if w.from < m[0]+len(raw) && w.to > m[0] {
				taken = taken || r.covered[i]
			}
		}
		if taken {
			continue
		}
		for i, w := range r.words {
			if w.from >= m[0] && w.to <= m[0]+len(raw) {
				r.covered[i] = true
			}
		}
		r.facts.identifiers = append(r.facts.identifiers, identifier{strings.ToLower(raw), m[0], m[0] + len(raw)})
	}
}

func isIdentifier(raw string) bool {
	if strings.Contains(raw, "://") || strings.HasPrefix(raw, "www.") || strings.Contains(raw, "@") {
		return true
	}
	digit := strings.ContainsFunc(raw, unicode.IsDigit)
	letter := strings.ContainsFunc(raw, unicode.IsLetter)
	if digit && !letter {
		return strings.Count(raw, ".") >= 2 && len(raw) > 4 // 2.3.1
	}
	if !digit {
		return strings.ContainsAny(raw, "_#") && len(raw) > 2
	}
	segments := strings.FieldsFunc(raw, func(r rune) bool { return strings.ContainsRune("-./_#:", r) })
	for _, s := range segments {
		d, l := strings.ContainsFunc(s, unicode.IsDigit), strings.ContainsFunc(s, unicode.IsLetter)
		switch {
		case d && l: // "v2", "B2B"; "5km", "30th", "1990s" are numbers
			if s[0] < '0' || s[0] > '9' {
				return true
			}
			if _, rest, ok := figures(s); !ok || len(rest) > 2 && units[strings.ToLower(rest)] == "" && scales[strings.ToLower(rest)] == 0 {
				return true
			}
		case l && s == strings.ToUpper(s):
			return true
		}
	}
	return len(segments) > 3
}

func identifierFaults(r reading, cited []*source) []Fault {
	var missing []string
	for _, id := range r.facts.identifiers {
		found := false
		for _, s := range cited {
			found = found || s.holds(id.folded)
		}
		if !found {
			missing = append(missing, r.text[id.from:id.to])
		}
	}
	return notThere(Identifier, "identifier", missing)
}

// holds reports whether a passage holds a text, case aside, between the edges of words.
func (s *source) holds(folded string) bool {
	for from := 0; ; {
		at := strings.Index(s.lower[from:], folded)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(s.lower[:at])
		after, _ := utf8.DecodeRuneInString(s.lower[at+len(folded):])
		if !isAlphanumeric(before) && !isAlphanumeric(after) {
			return true
		}
		from = at + len(folded)
	}
}

func isAlphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func startsUpper(raw string) bool {
	r, _ := utf8.DecodeRuneInString(raw)
	return unicode.IsUpper(r)
}

// nameFaults lists the claim's names, words with a capital that do not begin a sentence, that
// stand in none of the cited passages. In a text that gives most words a capital, as German
// gives its nouns, a capital says nothing.
func nameFaults(r reading, cited []*source) []Fault {
	upper, all := 0, 0
	for i, w := range r.words {
		if i > 0 && strings.ContainsFunc(w.raw, unicode.IsLetter) {
			all++
			if startsUpper(w.raw) {
				upper++
			}
		}
	}
	if !r.english && 4*upper > all {
		return nil
	}
	var missing []string
	for i, w := range r.words {
		if r.covered[i] || !r.isName(i) {
			continue
		}
		found := false
		for _, s := range cited {
			found = found || s.folded[w.folded] || s.terms[w.term] || s.initials(w.raw)
		}
		if !found {
			missing = append(missing, w.raw)
		}
	}
	return notThere(Name, "name", missing)
}

// isName reports whether a word is a name by its capital. One that begins the sentence is
// where another name follows it, or a verb and the word has no ending of a common noun.
func (r *reading) isName(i int) bool {
	w := r.words[i]
	if !startsUpper(w.raw) || analyze.IsFunctionWord(w.folded) || utf8.RuneCountInString(w.raw) < 2 {
		return false
	}
	if i > 0 && !endsSentence(r.gap(i)) {
		return !analyze.IsGeneralWord(w.folded) && !operators[w.folded] && ordinals[w.folded] == 0 && small[w.folded] == 0
	}
	if analyze.IsGeneralWord(w.folded) || operators[w.folded] || i+1 >= len(r.words) {
		return false
	}
	next := r.words[i+1]
	if strings.TrimSpace(r.gap(i+1)) != "" {
		return false
	}
	if startsUpper(next.raw) && !analyze.IsFunctionWord(next.folded) {
		return true
	}
	return verbs[next.folded] && !commonNoun.MatchString(w.folded)
}

func endsSentence(gap string) bool { return strings.ContainsAny(gap, ".!?:\n•") }

var verbs = words("is was has had became wrote won died founded invented played directed lives")

var commonNoun = lazyregexp.New(`(?:ment|tion|sion|ing|ness|ity|ance|ence|age|al|ship|ism|s|y|ed|ly|th|ure|er|or)$`)

// initials reports whether an abbreviation is the first letters of words that follow one
// another in the passage.
func (s *source) initials(raw string) bool {
	if len(raw) < 3 || len(raw) > 8 || raw != strings.ToUpper(raw) || strings.ContainsFunc(raw, func(r rune) bool { return r > 0x7f }) {
		return false
	}
	return strings.Contains(s.firsts, strings.ToLower(raw))
}
