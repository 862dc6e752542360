package reference

import (
	"strings"
	"unicode"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// owner says whose place a reference names, and where it begins and ends with the
// words that say so.
type owner struct {
	document string // "" is the document that is read
	within   string // the outer place, with " / " after it
	from, to int
}

// whose looks at what stands before and after a place at [from, to): "RF-204
// section 2", "section 4 of the Refund Policy", "paragraph 3 of Schedule A".
func (f *finder) whose(span document.Span, word string, from, to int) owner {
	o := owner{from: from, to: to}
	if name, end, ok := f.documentAfter(span, to); ok {
		o.document, o.to = name, end
		return o
	}
	if place, end, ok := f.placeAfter(span, to); ok {
		o.within, o.to = place+" / ", end
		if name, end, ok := f.documentAfter(span, end); ok {
			o.document, o.to = name, end
		}
		return o
	}
	if name, start, ok := f.documentBefore(span, from); ok {
		o.document, o.from = name, start
		return o
	}
	o.document, o.within = f.outerBefore(from, word)
	return o
}

// outerPlaces hold places of other words: "Part 2, Clause 12", "Schedule A, paragraph 3".
var (
	outerPlaces = set("part chapter appendix annex schedule exhibit attachment article")
	innerPlaces = set("clause section paragraph article rule")
)

// outerBefore is the place right before one, where that holds it, and whose that is.
func (f *finder) outerBefore(from int, word string) (name, within string) {
	if len(f.found.References) == 0 {
		return "", ""
	}
	last := f.found.References[len(f.found.References)-1]
	outer, _, _ := strings.Cut(strings.TrimPrefix(last.Place[strings.LastIndexByte(last.Place, '/')+1:], " "), " ")
	if last.Kind != document.ToPlace || last.Span.To > from || outer == word || !outerPlaces[outer] || !innerPlaces[word] {
		return "", ""
	}
	if gap := f.text[last.Span.To:from]; gap != ", " && gap != " / " && gap != " " && gap != ",\n" {
		return "", ""
	}
	return last.Document, last.Place + " / "
}

var (
	ofWord = lazyregexp.New(`^\s+(?:of|in|to|under|from)\s+`)
	the    = lazyregexp.New(`^(?:the|our|its|their|your|my)\s+`)
	// The law is often named by its letters alone: "Article 6 GDPR", "§ 12 BGB".
	letters = lazyregexp.New(`^\s+([A-ZÄÖÜ][A-Za-z]?[A-ZÄÖÜ]{1,6})\b`)
)

// longestName bounds the words of a document's name, and their bytes.
const (
	longestName      = 7
	longestNameBytes = 90
)

// documentAfter is the name of a document that follows a place.
func (f *finder) documentAfter(span document.Span, at int) (name string, end int, ok bool) {
	t := f.text[:min(span.To, at+2*longestNameBytes)]
	if m := letters.FindStringSubmatch(t[at:]); m != nil {
		return Name(m[1]), at + len(m[0]), true
	}
	of := ofWord.FindString(t[at:])
	if of == "" {
		return "", 0, false
	}
	at += len(of)
	definite := the.FindString(t[at:])
	at += len(definite)
	if strings.HasPrefix(t[at:], "[") { // the words of a link
		if end := closing(t, at); end > 0 {
			return Name(t[at+1 : end]), end + 1, true
		}
	}
	if m := codeForm.FindString(t[at:]); m != "" && endsNumber(t[at+len(m):]) {
		return Name(m), at + len(m), true
	}
	end, noun, capital := nameAfter(t, at)
	if noun || capital && strings.TrimSpace(of) == "of" {
		return Name(t[at:end]), end, true
	}
	return "", 0, false
}

// nameAfter reads the words of a name from at on: as far as a word for a document, in
// small letters too, or as far as they are capital.
func nameAfter(t string, at int) (end int, noun, capital bool) {
	last, lastCapital := at, at // where the last word, and the last capital one, ends
	for small := 0; small <= 4; {
		word, _, to := wordAt(t, last)
		lower := strings.ToLower(word)
		upper := unicode.IsUpper(firstRune(word)) || noun && unicode.IsDigit(firstRune(word))
		if word == "" || last == at && placeWords[lower].name != "" {
			break
		}
		switch {
		case documentNouns[lower] && (upper || !capital):
			noun, lastCapital = true, to
		case upper:
			capital, lastCapital = true, to
		case capital && joiningWords[lower]:
		case noun || capital || stopWords[lower]:
			return lastCapital, noun, capital
		default:
			small++
		}
		last = to
	}
	return lastCapital, noun, capital
}

// placeAfter is the place that holds the one before it.
func (f *finder) placeAfter(span document.Span, at int) (place string, end int, ok bool) {
	of := ofWord.FindString(f.text[at:span.To])
	if of == "" {
		return "", 0, false
	}
	at += len(of)
	word, _, to := wordAt(f.text[:span.To], at)
	w, known := placeWords[strings.ToLower(word)]
	if !known || to >= span.To || f.text[to] != ' ' {
		return "", 0, false
	}
	number, size, ok := w.number(f.text[to+1 : min(span.To, to+1+maxNumber)])
	if !ok {
		return "", 0, false
	}
	return w.name + " " + number, to + 1 + size, true
}

// documentBefore is the name of a document that stands before a place.
func (f *finder) documentBefore(span document.Span, from int) (name string, start int, ok bool) {
	t := f.text
	end := from
	for end > span.From && (t[end-1] == ' ' || t[end-1] == '\n') {
		end--
	}
	comma := end > span.From && t[end-1] == ','
	if comma {
		end--
	}
	if end == from || end <= f.taken {
		return "", 0, false
	}
	at := end
	for at > span.From && at > end-maxNumber && (isLetterByte(t[at-1]) || t[at-1] >= '0' && t[at-1] <= '9' || strings.IndexByte("-/.", t[at-1]) >= 0) {
		at--
	}
	if codeForm.FindString(t[at:end]) == t[at:end] && at < end && at >= f.taken {
		return Name(t[at:end]), at, true
	}
	if !comma && isLaw(t[at:end]) {
		return Name(t[at:end]), at, true
	}
	start, capital := f.nameBefore(span, end)
	if start == end || comma && !capital {
		return "", 0, false
	}
	return Name(t[start:end]), start, true
}

// isLaw is whether a word is the letters of a law or rule book before its section: "18
// USC § 1905", "GDPR Article 6".
func isLaw(s string) bool {
	return len(s) >= 2 && len(s) <= 6 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && !stopWords[strings.ToLower(s)]
}

// nameBefore is where the name of a document that ends at end begins, end if no word
// for a document stands there: "the data retention |policy", "the Refund |Policy". A
// name of capital words does not go on into small ones.
func (f *finder) nameBefore(span document.Span, end int) (start int, capital bool) {
	word, at := wordBefore(f.text, end, max(span.From, f.taken))
	if !documentNouns[strings.ToLower(word)] {
		return end, false
	}
	start = at
	capital = unicode.IsUpper(firstRune(word))
	for n := 1; n < longestName; n++ {
		gap := at
		if gap == 0 || f.text[gap-1] != ' ' {
			break
		}
		word, next := wordBefore(f.text, gap-1, max(span.From, f.taken))
		lower := strings.ToLower(word)
		if word == "" || stopWords[lower] && !(capital && joiningWords[lower]) {
			break
		}
		upper := unicode.IsUpper(firstRune(word))
		if capital && !upper && !joiningWords[lower] || !capital && n > 4 {
			break
		}
		at = next
		if !capital || upper {
			start = at
		}
	}
	return start, capital
}
