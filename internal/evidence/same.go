package evidence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
)

// Location is another place in which a passage's text stands.
type Location struct {
	Document document.ID
	Title    string
	Heading  []string
	Span     document.Span // in that document's canonical text
	Page     int           // that it begins on, from 1; 0 where there are no pages
	Revision string
	// Of is the span of the passage that it is the text of, in this document.
	Of document.Span
}

// Stated is a text among candidates, with every place in which they have it.
type Stated struct {
	retrieve.Candidate
	Also []Location
}

// Distinct gives each text of candidates once, where it ranks best, and the other places in
// which it stands. Places are only those of candidates, so of what the asker may read and
// is in force.
func Distinct(ranked []retrieve.Candidate) []Stated {
	var out []Stated
	by := map[string]int{}
	for _, c := range ranked {
		key := meaning(c)
		if at, ok := by[key]; ok {
			out[at].Also = also(out[at].Also, out[at].Candidate, c)
			continue
		}
		by[key] = len(out)
		out = append(out, Stated{Candidate: c})
	}
	return out
}

// also adds the place of a copy of c to a list.
func also(list []Location, c, copy retrieve.Candidate) []Location {
	if slices.ContainsFunc(list, func(l Location) bool { return l.Document == copy.Document && l.Span == copy.Span }) {
		return list
	}
	return append(slices.Clone(list), Location{Document: copy.Document, Title: copy.Title, Heading: copy.Heading, Span: copy.Span,
		Page: copy.Pages.At(copy.Span.From), Revision: copy.Revision, Of: c.Span})
}

// meaning is the same for passages that say the same, whatever document they stand in: a
// row under other column names, or a sentence under another heading, says something else.
// Texts may differ in how they are written: case, white space, marks of emphasis, of list
// items and of quotations, and the forms of dashes, quotation marks and ligatures, as
// where one document is kept as Word, PDF and Markdown. Texts that differ in a word, a
// number or a comma are two, however long and like they are: a negation is one word, and no
// measure of likeness tells which word matters. Of 86 pairs of passages of a public handbook's
// dated pages that share four fifths of their triples of words and are not the same, 35
// differ in a number or a word.
func meaning(c retrieve.Candidate) string {
	_, above, _ := strings.Cut(c.Context, "\n")
	heading := ""
	if n := len(c.Heading); n > 0 {
		heading = c.Heading[n-1]
	}
	return plain(heading) + "\n" + plain(above) + "\n" + plain(c.Text)
}

// written are characters that are written in more ways than one, in the one that counts.
var written = strings.NewReplacer("\u2018", "'", "\u2019", "'", "\u201a", "'", "\u201c", `"`, "\u201d", `"`, "\u201e", `"`, "\u00ab", `"`, "\u00bb", `"`,
	"\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2014", "-", "\u2015", "-", "\u2212", "-", "\u2026", "...",
	"\u00ad", "", "\u200b", "", "\u2060", "", "\ufeff", "", "\ufb00", "ff", "\ufb01", "fi", "\ufb02", "fl", "\ufb03", "ffi", "\ufb04", "ffl",
	`\*`, "*", `\_`, "_", `\[`, "[", `\]`, "]", `\(`, "(", `\)`, ")", `\#`, "#", `\+`, "+", `\-`, "-", `\.`, ".", `\!`, "!",
	"**", "", "__", "", "`", "")

// plain is a text without what depends on how it is written.
func plain(text string) string {
	var b strings.Builder
	for line := range strings.Lines(written.Replace(strings.ToLower(text))) {
		for _, word := range strings.Fields(unlisted(strings.TrimSpace(line))) {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(unmarked(word))
		}
	}
	return b.String()
}

// unlisted takes the marks of a list item or a quotation away that a line begins with. A
// number is none: it may be cited.
func unlisted(line string) string {
	mark, rest, ok := strings.Cut(line, " ")
	for ok && marks[mark] && !startsWithDigit(rest) { // "- 5 °C" is below zero, "> 5" is more
		line = strings.TrimLeft(rest, " ")
		mark, rest, ok = strings.Cut(line, " ")
	}
	return line
}

var marks = map[string]bool{"*": true, "-": true, "+": true, ">": true, "•": true, "◦": true, "▪": true, "·": true}

func startsWithDigit(s string) bool {
	s = strings.TrimLeft(s, " ")
	return s != "" && unicode.IsDigit([]rune(s[:min(len(s), 4)])[0])
}

// unmarked takes the marks of emphasis away that enclose a word or begin or end it; those
// beside a digit stay, where they are factors and footnotes.
func unmarked(word string) string {
	for _, mark := range []string{"*", "_"} {
		if rest, ok := strings.CutPrefix(word, mark); ok && rest != "" && !startsWithDigit(rest) {
			word = rest
		}
		if rest, ok := strings.CutSuffix(word, mark); ok && rest != "" && !unicode.IsDigit(rune(rest[len(rest)-1])) {
			word = rest
		}
	}
	return word
}
