// Package reference finds where a document's text leads elsewhere: clauses, sections,
// appendices and tables that it names, other documents, links and footnotes; what can be
// led to and is no section; and what its terms and abbreviations mean. Where a reference
// leads is looked up when it is asked for (see Resolve).
//
// What is found is told by its form alone: a word for a place before a number, a code
// such as RF-204, a title that ends in a word for a document. A form that is usual
// for other things too is Tentative: it counts only if something has that name.
package reference

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
)

// Version is part of a revision's pipeline: a change of what Find or Names give for
// some document must change it.
const Version = "2"

// Find gives what stands in a document, path being where it is in its source. Time is
// linear in the text. It may be called concurrently.
func Find(path string, x extract.Extracted, sections []document.Section) document.Findings {
	f := &finder{path: path, text: x.Text, sections: sections, targets: linkTargets(x)}
	for _, b := range x.Blocks {
		f.enter(b)
		switch {
		case b.Kind == extract.Code:
		case b.Kind == extract.Heading:
			f.abbreviations(b.Span)
		default:
			f.labels(b)
			f.scan(b)
			f.glossaryEntries(b)
		}
	}
	f.pageLinks(x.Links)
	f.anchored(x)
	f.order()
	return f.found
}

// What looks back or ahead in a text is bounded, so that a line of megabytes takes no more
// time for each of its bytes than another.
const (
	maxCode    = 4 << 10 // of code within a line
	maxMeaning = 2 << 10
	maxMarks   = 300 // of what stands before the first word of a line
)

// finder walks over the blocks of a text.
type finder struct {
	path     string
	text     string
	sections []document.Section
	targets  map[string]string // of links that are defined apart

	section  int    // of the block that is read
	glossary bool   // it says what terms mean
	clause   string // the number that items in brackets are below
	marks    []mark // the open ones of them
	taken    int    // up to where the text of the block belongs to a reference

	found document.Findings
}

// enter goes on to the section that a block stands in.
func (f *finder) enter(b extract.Block) {
	f.taken = b.Span.From
	at := f.section
	for at+1 < len(f.sections) && f.sections[at+1].Body.From <= b.Span.From {
		at++
	}
	if at == f.section && f.marks != nil {
		return
	}
	f.section = at
	f.glossary = isGlossary(f.sections[at].Path)
	f.clause, f.marks = f.numberAbove(), []mark{}
}

// numberAbove is the number of the section, or else of the nearest that holds it.
func (f *finder) numberAbove() string {
	for at := f.section; at >= 0; at = f.sections[at].Parent {
		if n := f.sections[at].Number; n != "" {
			return bareNumber(n)
		}
	}
	return ""
}

func (f *finder) refer(r document.Reference) {
	r.Section = f.section
	f.found.References = append(f.found.References, r)
	f.taken = max(f.taken, r.Span.To)
}

// order sorts what the passes over a block found, and drops a title or code that
// stands within another reference, and what stands in the words of a link.
func (f *finder) order() {
	byPlace := func(a, b document.Span) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) }
	isLink := func(r document.Reference) int {
		if r.Kind == document.ToLink {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(f.found.References, func(a, b document.Reference) int {
		return cmp.Or(byPlace(a.Span, b.Span), cmp.Compare(isLink(a), isLink(b)))
	})
	end, linked := 0, 0
	f.found.References = slices.DeleteFunc(f.found.References, func(r document.Reference) bool {
		within := r.Kind == document.ToDocument && r.Span.From < end || r.Kind != document.ToLink && r.Span.From < linked
		if end = max(end, r.Span.To); r.Kind == document.ToLink {
			linked = max(linked, r.Span.To)
		}
		return within
	})
	slices.SortStableFunc(f.found.Labels, func(a, b document.Label) int { return byPlace(a.Span, b.Span) })
	slices.SortStableFunc(f.found.Definitions, func(a, b document.Definition) int { return byPlace(a.Span, b.Span) })
	f.cutMeanings()
}

// cutMeanings ends a meaning where the next term of the same paragraph begins.
func (f *finder) cutMeanings() {
	for i := range f.found.Definitions {
		d := &f.found.Definitions[i]
		for _, next := range f.found.Definitions[i+1:] {
			if next.Span.From >= d.Meaning.To {
				break
			}
			if next.Kind == document.OfTerm && next.Span.From > d.Meaning.From && next.Meaning.From > next.Span.From {
				meaning := strings.TrimRight(f.text[d.Meaning.From:next.Span.From], " \n*_\"“„«‘'")
				d.Meaning.To = d.Meaning.From + len(strings.TrimSuffix(meaning, " The"))
				d.Span.To = d.Meaning.To
				break
			}
		}
	}
}

// scan looks at every character that something may begin with, in one pass, since most
// of a text is nothing.
func (f *finder) scan(b extract.Block) {
	t, span := f.text, b.Span
	for i := span.From; i < span.To; {
		next := i + 1
		switch c := t[i]; {
		case c >= 'a' && c <= 'z':
		case c == ' ' || c == '\n':
			if next < span.To {
				f.word(b, next)
			}
		case c >= '0' && c <= '9':
			next = max(next, f.place(span, i))
		case c >= 'A' && c <= 'Z':
			if next < span.To && t[next] >= 'a' && t[next] <= 'z' {
				break // a word, no letter that numbers
			}
			next = max(next, f.place(span, i), f.code(span, i))
		case c == '`':
			next = afterCode(t[:span.To], i)
		case c == '[':
			next = max(next, f.bracket(span, i))
		case c == '(':
			f.abbreviation(span, i)
			f.inParentheses(span, i)
		case c == 0xC2 && strings.HasPrefix(t[i:span.To], "§"):
			next = max(next, f.paragraphSign(span, i))
		}
		i = next
	}
}

// word looks at the word that begins at i: a verb between a term and its meaning, or the
// end of a document's title.
func (f *finder) word(b extract.Block, i int) {
	t := f.text[:b.Span.To]
	switch t[i] {
	case 'm', 'd', 'r', 'b', 's':
		f.verb(b, i)
	}
	switch t[i] | 0x20 {
	case 'p', 'm', 'h', 'a', 'g', 's', 'c', 'f':
		for _, noun := range titleNouns {
			if t[i+1:] != "" && t[i+1] == noun[1] && (t[i] == noun[0] || t[i] == noun[0]&^0x20) && strings.HasPrefix(t[i+1:], noun[1:]) {
				f.title(b.Span, i+len(noun))
			}
		}
	}
}

// afterCode is where the code ends that backquotes at i begin; after them if it does
// not end soon.
func afterCode(t string, i int) int {
	t = t[:min(len(t), i+maxCode)]
	n := i
	for n < len(t) && t[n] == '`' {
		n++
	}
	ticks := t[i:n]
	for at := n; ; {
		k := strings.Index(t[at:], ticks)
		if k < 0 {
			return n
		}
		at += k + len(ticks)
		if at == len(t) || t[at] != '`' {
			return at
		}
		for at < len(t) && t[at] == '`' {
			at++
		}
	}
}
