package reference

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// codeText is the form of codes that documents have: letters, and a number of two
// figures and more behind a hyphen ("RF-204", "HS-CAL-220/4"), not "UTF-8" or "B-1".
const codeText = `[A-Z]{2,6}[0-9]{0,2}(?:-[A-Z0-9]{1,8}){0,3}-[0-9]{2,6}(?:[./-][0-9]{1,6}){0,3}`

var codeForm = lazyregexp.New(`^` + codeText)

// codeNouns are the words for documents that stand before codes of nothing else, in
// small letters too.
var codeNouns = set("policy procedure manual handbook agreement contract guideline decision instruction directive regulation")

// code takes the code that begins at i, and gives where it ends; 0 if there is none.
// Behind a word for a document it names one; alone it may as well be an order or a
// part.
func (f *finder) code(span document.Span, i int) int {
	t := f.text
	if i < f.taken || i > span.From && (isWordByte(t[i-1]) || t[i-1] == '-' || t[i-1] == '/') {
		return 0
	}
	if t[i] > 'Z' || t[i] < 'A' || strings.IndexByte(t[i:min(span.To, i+10)], '-') < 0 {
		return 0
	}
	m := codeForm.FindString(t[i:min(span.To, i+maxNumber)])
	end := i + len(m)
	if m == "" || !endsNumber(t[end:span.To]) {
		return 0
	}
	r := document.Reference{Kind: document.ToDocument, Span: document.Span{From: i, To: end}, Document: Name(m), Tentative: true}
	if gap := i - 1; gap > span.From && (t[gap] == ' ' || t[gap] == '\n') {
		if word, from := wordBefore(t, gap, max(span.From, f.taken)); codeNouns[strings.ToLower(word)] || documentNouns[strings.ToLower(word)] && word[0] <= 'Z' {
			r.Span.From, r.Tentative = from, false
		}
	}
	if f.placeFollows(span, end) {
		return end // and takes the code with it
	}
	f.refer(r)
	return end
}

var beforePlace = lazyregexp.New(`^,?\s(?:§|[A-Za-z]{3,12}\.?\s[0-9A-Z])`)

// placeFollows is whether a word for a place and its number stand after end, which name
// a place of what stands before them.
func (f *finder) placeFollows(span document.Span, end int) bool {
	m := beforePlace.FindString(f.text[end:min(span.To, end+maxNumber)])
	if m == "" {
		return false
	}
	at := end + len(m) - 1
	if strings.HasSuffix(m, "§") {
		return true
	}
	_, w, ok := f.placeWordBefore(span, at)
	if !ok {
		return false
	}
	_, size, ok := w.number(f.text[at:min(span.To, at+maxNumber)])
	if ok { // and not "RF-204, section 9 of PR-310"
		_, _, other := f.documentAfter(span, at+size)
		ok = !other
	}
	return ok
}

func isWordByte(c byte) bool {
	return isLetterByte(c) || c >= '0' && c <= '9' || c == '_'
}

// titleNouns end the titles of a company's documents. They are few, since each word of a
// text is compared with them.
var titleNouns = []string{"policy", "procedure", "plan", "manual", "handbook", "agreement", "guideline", "guidelines", "guide", "standard", "charter", "checklist", "FAQ"}

// title takes what may be the title of another document: at least two words that end
// with a word for one at end.
func (f *finder) title(span document.Span, end int) {
	if end < span.To && isWordByte(f.text[end]) {
		return
	}
	start, _ := f.nameBefore(span, end)
	if strings.IndexByte(f.text[start:end], ' ') < 0 {
		return
	}
	f.found.References = append(f.found.References, document.Reference{Kind: document.ToDocument, Span: document.Span{From: start, To: end},
		Section: f.section, Document: Name(f.text[start:end]), Tentative: true})
}
