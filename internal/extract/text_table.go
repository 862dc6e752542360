package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
)

// tableAt adds the table that a group begins with, if its columns are clear, and
// gives the number of lines it takes. Text has no mark for a table: three lines
// at least must agree.
func (p *plainText) tableAt(g []document.Span) int {
	if len(g) < 3 {
		return 0
	}
	for _, split := range []func([]document.Span) int{p.pipeRows, p.tabRows, p.alignedRows} {
		if n := split(g); n >= 3 {
			p.addTable(g[:n])
			return n
		}
	}
	return 0
}

func (p *plainText) addTable(g []document.Span) {
	b := Block{Kind: Table, Span: document.Span{From: g[0].From, To: g[len(g)-1].To}}
	var rows []document.Span
	ruled := -1 // rows before the first ruler
	for _, l := range g {
		if rowRuler(l.Of(p.text)) {
			if len(rows) > 0 && ruled < 0 {
				ruled = len(rows)
			}
			continue
		}
		rows = append(rows, l)
	}
	header := 0
	switch {
	case ruled > 0 && ruled <= 3 && ruled < len(rows):
		header = ruled
	case ruled < 0 && p.namesColumns(rows):
		header = 1
	}
	b.Header, b.Rows = rows[:header:header], rows[header:]
	if len(rows) == 0 {
		return
	}
	if last := len(p.blocks) - 1; last >= 0 && p.blocks[last].Kind == Paragraph && p.blocks[last].Span.Len() <= maxCaption {
		if s := p.blocks[last].Span.Of(p.text); captionLike.MatchString(s) {
			b.Caption = strings.Join(strings.Fields(s), " ")
		}
	}
	p.blocks = append(p.blocks, b)
}

// namesColumns is whether the first row has words only and most others figures.
func (p *plainText) namesColumns(rows []document.Span) bool {
	figures := func(s string) bool { return strings.IndexFunc(s, unicode.IsDigit) >= 0 }
	if len(rows) < 2 || figures(rows[0].Of(p.text)) {
		return false
	}
	n := 0
	for _, r := range rows[1:] {
		if figures(r.Of(p.text)) {
			n++
		}
	}
	return n*2 > len(rows)-1
}

// rowRuler is a line between rows: +----+----+, -----  -----, |---|---|.
func rowRuler(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) >= 3 && strings.Trim(s, "-=+|: ") == "" && strings.ContainsAny(s, "-=")
}

// pipeRows counts lines of cells between pipes, all with as many.
func (p *plainText) pipeRows(g []document.Span) int {
	count := 0
	for i, l := range g {
		s := l.Of(p.text)
		if rowRuler(s) {
			continue
		}
		n := strings.Count(s, "|")
		if n == 0 || count > 0 && n != count {
			return i
		}
		count = n
	}
	if count == 0 {
		return 0
	}
	return len(g)
}

// tabRows counts lines of cells between tabs, all with as many.
func (p *plainText) tabRows(g []document.Span) int {
	count := 0
	for i, l := range g {
		n := strings.Count(strings.Trim(l.Of(p.text), "\t "), "\t")
		if n == 0 || count > 0 && n != count {
			return i
		}
		count = n
	}
	return len(g)
}

// maxAligned bounds the lines and columns that are compared for gutters.
const maxAligned = 400

// alignedRows is whether the whole group has columns set off by spaces: a gutter
// of two columns at least that no line crosses, with text on both sides of it in
// four lines of five.
func (p *plainText) alignedRows(g []document.Span) int {
	var open [maxAligned]bool // columns that are blank in every line
	for i := range open {
		open[i] = true
	}
	for _, l := range g[:min(len(g), maxAligned)] {
		s := l.Of(p.text)
		if strings.Contains(s, "\t") || !strings.Contains(strings.TrimSpace(s), "  ") && !rowRuler(s) {
			return 0
		}
		col := 0
		for _, r := range s {
			if col == maxAligned {
				break
			}
			if r != ' ' {
				open[col] = false
			}
			col++
		}
	}
	for from := 1; from+2 < maxAligned; from++ {
		if !open[from] || open[from-1] {
			continue
		}
		to := from
		for to < maxAligned && open[to] {
			to++
		}
		if to-from >= 2 && to < maxAligned && p.bothSides(g, from, to) {
			return len(g)
		}
		from = to
	}
	return 0
}

func (p *plainText) bothSides(g []document.Span, from, to int) bool {
	n := 0
	lines := g[:min(len(g), maxAligned)]
	for _, l := range lines {
		s := l.Of(p.text)
		if utf8.RuneCountInString(s) > to && !blank(firstRunes(s, from)) {
			n++
		}
	}
	return n*5 >= len(lines)*4
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
