// Package outline makes the sections of a document from its headings.
package outline

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
)

// Build gives the sections of text in its order. The first is the document
// itself, called title, level 0, and spans all of text; the others are the
// headings among blocks, and code that opens one. A heading lies in the nearest heading before it that is
// shallower, or that is as deep and whose number its own continues ("7" holds
// "7.2" although both are written "##").
//
// Section.Level is as written, except that a section nested by its number is one
// below the section that holds it; so levels always grow downwards. Sections
// that follow each other leave no gap: together the bodies cover text. Time is
// linear in the text.
func Build(title, text string, blocks []extract.Block) []document.Section {
	sections := []document.Section{{
		Parent:  -1,
		Heading: title,
		Span:    document.Span{From: 0, To: len(text)},
		Body:    document.Span{From: 0, To: len(text)},
	}}
	stack := []open{{}}
	for _, b := range blocks {
		if !b.Opens() {
			continue
		}
		h := open{section: len(sections), level: max(b.Level, 1), number: parseNumber(b.Number)}
		for len(stack) > 1 && !stack[len(stack)-1].holds(h) {
			sections[stack[len(stack)-1].section].Span.To = b.Span.From
			stack = stack[:len(stack)-1]
		}
		last := &sections[len(sections)-1]
		last.Body.To = b.Span.From
		parent := stack[len(stack)-1].section
		path := sections[parent].Path
		sections = append(sections, document.Section{
			Parent:  parent,
			Level:   max(h.level, sections[parent].Level+1),
			Heading: b.Text,
			Number:  b.Number,
			Path:    append(path[:len(path):len(path)], display(b)),
			Span:    document.Span{From: b.Span.From, To: len(text)},
			Body:    document.Span{From: b.Span.From, To: len(text)},
		})
		stack = append(stack, h)
	}
	describe(sections, text, blocks)
	return sections
}

// open is a section whose end is not known yet.
type open struct {
	section int
	level   int // as written
	number  number
}

// holds reports whether heading h, which follows, lies in o.
func (o open) holds(h open) bool {
	return o.level < h.level || o.level == h.level && o.number.holds(h.number)
}

// display is a heading as a reader sees it: "7.2 Notice".
func display(b extract.Block) string {
	return strings.TrimSpace(b.Number + " " + b.Text)
}
