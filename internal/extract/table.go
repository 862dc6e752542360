package extract

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/grid"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// findTable looks for a table of pipes in a paragraph: a row, then a delimiter
// row with as many cells, then rows to the end of the paragraph. What precedes
// the header is given back as a paragraph of its own.
func findTable(text string, p document.Span) (before document.Span, table Block, ok bool) {
	s := p.Of(text)
	if !strings.Contains(s, "|") || !strings.Contains(s, "-") || !strings.Contains(s, "\n") {
		return before, table, false
	}
	prev := document.Span{From: -1}
	for at := p.From; at < p.To; {
		end := lineEnd(text, at, p.To)
		line := document.Span{From: at, To: end}
		if prev.From >= 0 {
			if n := grid.Delimiter(line.Of(text)); n > 0 && n == len(grid.Cells(prev.Of(text))) {
				before, _ = trimLines(text, p.From, prev.From)
				rows := lineSpans(text, min(end+1, p.To), p.To)
				table = Block{Kind: Table, Span: document.Span{From: prev.From, To: p.To}, Rows: rows}
				if strings.Trim(prev.Of(text), "| \t") != "" || len(rows) == 0 {
					table.Header = []document.Span{prev}
				}
				return before, table, true
			}
		}
		prev, at = line, end+1
	}
	return before, table, false
}

// captionLike is a paragraph that names a table: "Table 3: Limits in MB".
var captionLike = lazyregexp.New(`^[*_]{0,3}(?i:table|tab\.|tabelle|tableau|tabla|tabella|tabell|表)\s*(?:[A-Z]?[0-9]+(?:[.-][0-9]+)*|[IVXLC]+)?[*_]{0,3}\s*(?:[:.–—-]|[*_]{1,3}|\s\p{Lu}|$)`)

const maxCaption = 400

// captions gives each table the paragraph before it that names it, else the one
// after it, unless that one stands before a table itself.
func (m *markdown) captions() {
	caption := func(i int) string {
		if i < 0 || i >= len(m.blocks) || m.blocks[i].Kind != Paragraph || m.blocks[i].Span.Len() > maxCaption {
			return ""
		}
		s := m.blocks[i].Span.Of(m.text)
		if strings.Contains(s, "\n\n") || !captionLike.MatchString(s) {
			return ""
		}
		return newInline(m.refs).plain(strings.ReplaceAll(s, "\n", " "))
	}
	isTable := func(i int) bool { return i < len(m.blocks) && m.blocks[i].Kind == Table }
	for i := range m.blocks {
		if m.blocks[i].Kind != Table {
			continue
		}
		if c := caption(i - 1); c != "" {
			m.blocks[i].Caption = c
		} else if !isTable(i + 2) {
			m.blocks[i].Caption = caption(i + 1)
		}
	}
}
