package pdf

import (
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// leader is the row of dots of a table of contents.
var leader = lazyregexp.New(`\s*(?:(?:\.\s?){4,}|…{2,})\s*`)

// aligned finds a table that begins with a row and has no lines around its cells:
// what stands in columns. It gives the row after the table.
func aligned(rows []row, from int, rules []box, number int) (*table, int) {
	to := runEnd(rows, from)
	if to-from < 2 {
		return nil, from
	}
	run := rows[from:to]
	cols := columnsOf(run)
	if len(cols) < 2 {
		return nil, from
	}
	t := &table{box: bounds(run, func(r row) box { return r.box }), page: number}
	for _, c := range cols {
		t.lefts = append(t.lefts, c.left)
	}
	lines := make([][]cell, 0, len(run))
	for _, r := range run {
		lines = append(lines, cellsOf(r, cols))
	}
	if !tabular(lines, len(cols)) {
		return nil, from
	}
	drawn := drawnBelow(run, t.box, rules)
	t.rows, drawn = wrapped(run, lines, drawn)
	t.rows, t.lefts = withoutSigns(t.rows, t.lefts)
	head := 0
	if len(drawn) > 0 {
		head = drawn[0]
	}
	t.headed(head)
	t.spanHeader()
	t.mergeHeader()
	return t, to
}

// tabular is whether lines of cells are a table and not text that happens to have
// gaps: enough rows, short cells, no row of dots.
func tabular(lines [][]cell, cols int) bool {
	full, numbers, filled, length, dots := 0, 0, 0, 0, 0
	for _, l := range lines {
		n := 0
		for _, c := range l {
			s := c.String()
			if s == "" {
				continue
			}
			n++
			if leader.MatchString(s) {
				dots++
			}
			if c.at > 0 {
				filled++
				length += utf8.RuneCountInString(s)
				if numeric(s) {
					numbers++
				}
			}
		}
		if n > 1 {
			full++
		}
	}
	switch {
	case filled == 0 || 3*dots > len(lines) || 2*full < len(lines):
		return false
	case 2*numbers >= filled:
		return full >= 2
	case cols == 2:
		return full >= 3 && length <= 45*filled
	}
	return full >= 2 && length <= 45*filled && (full >= 3 || cols >= 3)
}

// maxRun bounds the rows of a table on one page.
const maxRun = 300

// runEnd is the end of the rows that may be of one table with the first.
func runEnd(rows []row, from int) int {
	to, single := from+1, 0
	for i := from + 1; i < min(len(rows), from+maxRun); i++ {
		r := rows[i]
		if r.segments[0].table != nil || r.top-rows[i-1].bottom > 2.2*max(r.size, rows[i-1].size) {
			break
		}
		if len(r.segments) > 1 {
			to, single = i+1, 0
			continue
		}
		if titleAmong(rows, i) {
			break
		}
		if single++; single > 3 || utf8.RuneCountInString(r.String()) > 80 {
			break
		}
	}
	// The last cell may go on below the last row that has several.
	for to < len(rows) && len(rows[to].segments) == 1 && rows[to].segments[0].table == nil && within1(rows[to], rows[to-1]) {
		to++
	}
	return to
}

// titleAmong is whether a row is the title of what follows: larger than the row
// above, or bold behind a gap.
func titleAmong(rows []row, i int) bool {
	r, above := rows[i], rows[i-1]
	if r.size > 1.08*above.size {
		return true
	}
	return r.bold() && !above.bold() && i >= 2 && r.base-above.base > 1.4*(above.base-rows[i-2].base)
}

// within1 is whether a row goes on with one cell, but the first, of the row above.
func within1(r, above row) bool {
	if r.top-above.bottom > 0.4*r.size || len(above.segments) < 2 {
		return false
	}
	for _, s := range above.segments[1:] {
		if d := s.left - r.left; d > -2 && d < 2 && r.right <= s.right+4*r.size {
			return true
		}
	}
	return false
}
