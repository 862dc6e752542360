package extract

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

var (
	bulletItem  = lazyregexp.New(`^\s*([-*+•·‣–—])\s+\S`)
	orderedItem = lazyregexp.New(`^\s*(\d{1,3}[.)]|[a-z][.)]|\((?:\d{1,3}|[a-z]{1,2}|[ivxlc]{1,6})\))\s+\S`)
)

// markerKind tells markers apart that do not belong to one list: "-", "1.", "a)".
func markerKind(line string) string {
	if textRuler(line) {
		return ""
	}
	if m := bulletItem.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	if m := orderedItem.FindStringSubmatch(line); m != nil {
		switch c := strings.Trim(m[1], "().")[0]; {
		case c >= '0' && c <= '9':
			return "1" + m[1][len(m[1])-1:]
		}
		return "a" + m[1][len(m[1])-1:]
	}
	return ""
}

func (p *plainText) isItem(l document.Span) bool { return markerKind(l.Of(p.text)) != "" }

// listStarts is whether a list begins at the first line, within a paragraph: a
// bullet, or a first number with a second.
func (p *plainText) listStarts(g []document.Span) bool {
	line := g[0].Of(p.text)
	if textRuler(line) {
		return false
	}
	if bulletItem.MatchString(line) {
		return true
	}
	m := orderedItem.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	switch strings.Trim(m[1], "().") {
	case "1", "a", "i":
	default:
		return false
	}
	for _, l := range g[1:] {
		if markerKind(l.Of(p.text)) == markerKind(line) {
			return true
		}
	}
	return false
}

// listItems are the items of a group that begins with a marker. An item begins
// at a marker of the first one's kind that stands no further in; every other
// line belongs to the item before it. One numbered item alone is a paragraph
// with a number.
func (p *plainText) listItems(g []document.Span) []document.Span {
	first := g[0].Of(p.text)
	kind := markerKind(first)
	if kind == "" {
		return nil
	}
	margin := leading(first)
	var items []document.Span
	for _, l := range g {
		s := l.Of(p.text)
		if leading(s) <= margin && markerKind(s) == kind {
			items = append(items, l)
			continue
		}
		items[len(items)-1].To = l.To
	}
	if len(items) == 1 && orderedItem.MatchString(first) {
		return nil
	}
	return items
}

func leading(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }
