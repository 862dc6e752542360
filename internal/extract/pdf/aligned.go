package pdf

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// leader is the row of dots of a table of contents.
var leader = regexp.MustCompile(`(?:\.\s?){4,}|…{2,}`)

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

// columnsOf are the columns that the narrow segments stand in. What reaches over
// several of them spans them, unless most rows do so.
func columnsOf(rows []row) []box {
	var all []segment
	for _, r := range rows {
		if len(r.segments) > 1 {
			all = append(all, r.segments...)
		}
	}
	slices.SortStableFunc(all, func(a, b segment) int { return cmp.Compare(a.width(), b.width()) })
	var cols []box
	bridges := map[int]int{} // by the number of columns to the left
	for _, s := range all {
		var over []int
		for i, c := range cols {
			if c.across(s.box) > 0 {
				over = append(over, i)
			}
		}
		switch len(over) {
		case 0:
			cols = append(cols, s.box)
			slices.SortFunc(cols, func(a, b box) int { return cmp.Compare(a.left, b.left) })
		case 1:
			cols[over[0]] = cols[over[0]].union(s.box)
		}
	}
	for _, s := range all {
		for i := 1; i < len(cols); i++ {
			if s.left < cols[i-1].right-1 && s.right > cols[i].left+1 {
				bridges[i]++
			}
		}
	}
	out := cols[:0:0]
	for i, c := range cols {
		if i > 0 && i+1 < len(cols) && len(rows) > 3 && onlyAbove(rows, c) {
			continue // the name of several columns, between them
		}
		if i > 0 && 3*bridges[i] > len(rows) {
			out[len(out)-1] = out[len(out)-1].union(c)
			continue
		}
		out = append(out, c)
	}
	return out
}

// onlyAbove is whether a column has nothing below its first two rows.
func onlyAbove(rows []row, c box) bool {
	for _, r := range rows[2:] {
		for _, s := range r.segments {
			if s.across(c) > 0 {
				return false
			}
		}
	}
	return true
}

// cellsOf puts the segments of a row into columns; one that reaches over several
// is divided where its words leave room, and spans them otherwise.
func cellsOf(r row, cols []box) []cell {
	type piece struct {
		from, to int
		words    []word
	}
	var pieces []piece
	for _, s := range r.segments {
		from := 0
		for i := range s.words {
			if i+1 < len(s.words) && columnOf(s.words[i], cols) == columnOf(s.words[i+1], cols) {
				continue
			}
			if i+1 < len(s.words) && !roomBetween(s.words[i], s.words[i+1], cols) {
				continue
			}
			part := bounds(s.words[from:i+1], func(w word) box { return w.box })
			pieces = append(pieces, piece{first(part, cols), last(part, cols), s.words[from : i+1]})
			from = i + 1
		}
	}
	var out []cell
	at := 0
	for _, p := range pieces {
		if n := len(out); n > 0 && p.from < at { // two in one column
			before := out[n-1]
			joined := cellOf(before.at, max(before.cols, p.to+1-before.at), 1, p.words)
			joined.lines = []string{before.String() + " " + joined.String()}
			joined.bold = joined.bold && before.bold
			out[n-1] = joined
			at = joined.at + joined.cols
			continue
		}
		for ; at < p.from; at++ {
			out = append(out, cell{at: at, cols: 1, rows: 1})
		}
		out = append(out, cellOf(p.from, p.to+1-p.from, 1, p.words))
		at = p.to + 1
	}
	for ; at < len(cols); at++ {
		out = append(out, cell{at: at, cols: 1, rows: 1})
	}
	return out
}

// columnOf is the column nearest to the middle of a word.
func columnOf(w word, cols []box) int {
	best, least := 0, 1e9
	for i, c := range cols {
		if d := max(c.left-w.center(), w.center()-c.right, 0); d < least {
			best, least = i, d
		}
	}
	return best
}

func roomBetween(a, b word, cols []box) bool {
	return b.left-a.right >= 0.5*max(a.size, b.size) || b.left >= cols[columnOf(b, cols)].left-1 && a.right <= cols[columnOf(a, cols)].right+1
}

func first(b box, cols []box) int {
	for i, c := range cols {
		if c.across(b) > 0.5 {
			return i
		}
	}
	return columnOf(word{box: b}, cols)
}

func last(b box, cols []box) int {
	for i := len(cols) - 1; i >= 0; i-- {
		if cols[i].across(b) > 0.5 {
			return i
		}
	}
	return columnOf(word{box: b}, cols)
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

// drawnBelow are the numbers of rows that stand above each line that is drawn
// through most of a table, between its rows.
func drawnBelow(rows []row, in box, rules []box) []int {
	var out []int
	for n := 1; n < len(rows); n++ {
		if slices.ContainsFunc(rules, func(l box) bool {
			return l.height() == 0 && l.top > rows[n-1].middle() && l.top < rows[n].middle() && l.across(in) > 0.6*in.width()
		}) {
			out = append(out, n)
		}
	}
	return out
}

// wrapped joins the lines of rows whose cells have several: those between two drawn
// lines, where each row has its own; otherwise those that leave the first column
// empty, or that go on with a small letter.
func wrapped(run []row, lines [][]cell, drawn []int) ([][]cell, []int) {
	byRule := len(drawn) >= 3 && 2*len(drawn) >= len(lines)/2 && hasGroups(lines, drawn)
	if byRule {
		lines = spanLabels(lines, drawn)
	}
	var out [][]cell
	var heads []int
	for i, l := range lines {
		if l == nil { // a label that other rows took
			continue
		}
		ruled := slices.Contains(drawn, i)
		if ruled && i > 0 {
			heads = append(heads, len(out))
		}
		if n := len(out); n > 0 && !ruled && (byRule && 2*numbersIn(l) < filledIn(l) || goesOn(run[i-1], run[i], lines[i-1], l)) {
			if joined, ok := joinCells(out[n-1], l); ok {
				out[n-1] = joined
				continue
			}
		}
		out = append(out, l)
	}
	return out, heads
}

// spanLabels lets a label that stands between the lines of its rows, in a group of
// rows between two drawn lines, span them.
func spanLabels(lines [][]cell, drawn []int) [][]cell {
	out := slices.Clone(lines)
	ends := append(slices.Clone(drawn), len(lines))
	from := 0
	for _, to := range ends {
		var full []int
		for i := from; i < to; i++ {
			if numbersIn(lines[i]) >= 2 {
				full = append(full, i)
			}
		}
		if len(full) >= 2 {
			for i := from; i < to; i++ {
				if l := lines[i]; len(full) < to-from && filledIn(l) == 1 && len(l[0].lines) > 0 {
					first := slices.Clone(out[full[0]])
					if len(first[0].lines) == 0 {
						first[0].lines, first[0].rows = l[0].lines, len(full)
						out[full[0]], out[i] = first, nil
					}
					for _, k := range full[1:] {
						if len(out[k][0].lines) == 0 {
							out[k] = out[k][1:]
						}
					}
				}
			}
		}
		from = to
	}
	return out
}

func filledIn(l []cell) int {
	n := 0
	for _, c := range l {
		if len(c.lines) > 0 {
			n++
		}
	}
	return n
}

func numbersIn(l []cell) int {
	n := 0
	for _, c := range l {
		if numeric(c.String()) {
			n++
		}
	}
	return n
}

// hasGroups is whether drawn lines divide all rows, rather than the head and the
// sums from the rest.
func hasGroups(lines [][]cell, drawn []int) bool {
	widest, last := 0, 0
	for _, n := range append(slices.Clone(drawn), len(lines)) {
		widest, last = max(widest, n-last), n
	}
	return widest <= 6
}

func goesOn(above, r row, before, l []cell) bool {
	if r.top-above.bottom > 0.55*r.size {
		return false
	}
	filled, numbers := 0, 0
	for _, c := range l {
		s := c.String()
		if s == "" {
			continue
		}
		filled++
		if numeric(s) || c.cols > 1 {
			numbers++
		}
	}
	beforeFilled := 0
	for _, c := range before {
		if len(c.lines) > 0 {
			beforeFilled++
		}
	}
	start := label(l)
	switch {
	case numbers > 0 && start == "":
		return false
	case start == "":
		return filled < beforeFilled || filled == 1
	case beforeFilled == 1 && label(before) != "" && lower(start): // the label's first line
		return true
	}
	return filled == 1 && lower(start)
}

// label is what stands in the first column.
func label(l []cell) string {
	if len(l) == 0 || l[0].at > 0 {
		return ""
	}
	return l[0].String()
}

func lower(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 'a' && r <= 'z' || r == '(' }) == 0
}

// joinCells puts the lines of a row behind those of the row above, if their cells
// stand in the same columns.
func joinCells(a, b []cell) ([]cell, bool) {
	out := slices.Clone(a)
	for _, c := range b {
		if len(c.lines) == 0 {
			continue
		}
		i := slices.IndexFunc(out, func(o cell) bool { return o.at <= c.at && o.at+o.cols >= c.at+c.cols })
		if i < 0 {
			return a, false
		}
		out[i].lines = append(slices.Clone(out[i].lines), c.lines...)
		out[i].bold = out[i].bold && c.bold || len(a[i].lines) == 0 && c.bold
	}
	return out, true
}

var (
	before = regexp.MustCompile(`^[$€£¥(]+$`)
	after  = regexp.MustCompile(`^[%)*]+$`)
)

// withoutSigns joins columns that hold nothing but the sign of a currency or of a
// percentage to the numbers that they belong to.
func withoutSigns(rows [][]cell, lefts []float64) ([][]cell, []float64) {
	only := func(at int, sign *regexp.Regexp) bool {
		any := false
		for _, r := range rows {
			for _, c := range r {
				if c.at != at || c.cols > 1 || len(c.lines) == 0 {
					continue
				}
				if any = true; !sign.MatchString(c.String()) {
					return false
				}
			}
		}
		return any
	}
	for at := len(lefts) - 1; at > 0; at-- {
		switch {
		case at+1 < len(lefts) && only(at, before):
			rows, lefts = mergeColumns(rows, at), slices.Delete(slices.Clone(lefts), at+1, at+2)
		case only(at, after):
			rows, lefts = mergeColumns(rows, at-1), slices.Delete(slices.Clone(lefts), at, at+1)
		}
	}
	return rows, lefts
}

// mergeColumns joins a column and the next.
func mergeColumns(rows [][]cell, at int) [][]cell {
	out := make([][]cell, 0, len(rows))
	for _, r := range rows {
		var cells []cell
		for _, c := range r {
			switch n := len(cells); {
			case c.at <= at && c.at+c.cols > at+1: // spans both
				c.cols--
				cells = append(cells, c)
			case c.at == at+1 && n > 0:
				cells[n-1].lines = joinLine(cells[n-1].lines, c.lines)
				cells[n-1].cols = max(cells[n-1].cols, at+c.cols-cells[n-1].at)
			case c.at > at:
				c.at--
				cells = append(cells, c)
			default:
				cells = append(cells, c)
			}
		}
		out = append(out, cells)
	}
	return out
}

func joinLine(a, b []string) []string {
	if s := strings.Join(append(slices.Clone(a), b...), ""); s != "" {
		return []string{s}
	}
	return nil
}

// spanHeader lets a cell of an upper row of the header span the columns that it
// stands in the middle of, if only they have names below it.
func (t *table) spanHeader() {
	if t.header < 2 {
		return
	}
	for i, r := range t.rows[:t.header-1] {
		below := t.rows[i+1]
		empty := func(at int) bool {
			return slices.ContainsFunc(r, func(c cell) bool { return c.at == at && len(c.lines) == 0 }) &&
				slices.ContainsFunc(below, func(c cell) bool { return c.at == at && len(c.lines) > 0 })
		}
		for k := range r {
			c := &r[k]
			if c.at == 0 || len(c.lines) == 0 {
				continue
			}
			from, to, best := c.at, c.at+c.cols, 1e9
			for a := c.at; a > 0 && (a == c.at || empty(a)); a-- {
				for b := c.at + c.cols; b <= len(t.lefts) && (b == c.at+c.cols || empty(b-1)); b++ {
					if d := math.Abs(t.middleOf(below, a, b) - c.box.center()); d < best-1 {
						from, to, best = a, b, d
					}
				}
			}
			c.at, c.cols = from, to-from
		}
		t.rows[i] = slices.DeleteFunc(r, func(c cell) bool {
			return len(c.lines) == 0 && slices.ContainsFunc(r, func(o cell) bool { return len(o.lines) > 0 && o.at <= c.at && o.at+o.cols > c.at })
		})
	}
}

// middleOf is the middle of what stands in some columns of a row.
func (t *table) middleOf(r []cell, from, to int) float64 {
	var b box
	for _, c := range r {
		if c.at >= from && c.at < to && len(c.lines) > 0 {
			b = b.union(c.box)
		}
	}
	return b.center()
}

// mergeHeader makes one row of the lines of a header none of which spans columns:
// they are lines of one cell. Where some do, they are levels.
func (t *table) mergeHeader() {
	for i := 1; i < t.header; {
		if slices.ContainsFunc(t.rows[i-1], func(c cell) bool { return c.cols > 1 && len(c.lines) > 0 }) {
			i++
			continue
		}
		joined, ok := joinCells(t.rows[i-1], t.rows[i])
		if !ok {
			i++
			continue
		}
		t.rows[i-1] = joined
		t.rows = slices.Delete(t.rows, i, i+1)
		t.header--
	}
}
