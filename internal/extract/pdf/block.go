package pdf

import "slices"

// kind is what a block is read as.
type kind int

const (
	text kind = iota
	item
	heading
	code
	note
	tabled
)

// block is what a reader sees as one: a paragraph, an item, a heading, a table.
type block struct {
	kind   kind
	box    box
	page   int
	lines  []row
	table  *table
	mark   string // of an item or note
	level  int    // of a heading, from 1
	size   float64
	bold   bool
	starts bool    // it is the first of a column
	edge   float64 // the right end of its column
	said   string  // its lines joined
}

// blocksOf reads a region line by line.
func (l layout) blocksOf(region []segment, p *page) []block {
	rows := joinRows(region, p.number)
	edges := bounds(rows, func(r row) box { return r.box })
	pitch := pitches(rows)
	var out []block
	for i := 0; i < len(rows); {
		r := rows[i]
		if t := r.segments[0].table; t != nil {
			out = append(out, block{kind: tabled, box: t.box, page: p.number, table: t})
			i++
			continue
		}
		if (len(r.segments) > 1 || headsTable(rows, i)) && !l.isCode(r) {
			if t, to := aligned(rows, i, p.rules, p.number); t != nil {
				out = append(out, block{kind: tabled, box: t.box, page: p.number, table: t})
				i = to
				continue
			}
		}
		to := i + 1
		for to < len(rows) && rows[to].segments[0].table == nil && l.sameBlock(rows[i:to], rows[to], edges, pitch[tenth(rows[to].size)]) &&
			(len(rows[to].segments) == 1 && !headsTable(rows, to) || l.isCode(rows[to]) || !startsTable(rows, to, p)) {
			to++
		}
		out = append(out, l.block(rows[i:to], edges, p.number))
		i = to
	}
	return out
}

// headsTable is whether a row has the name of several columns, none of which is the
// first, and stands close above them.
func headsTable(rows []row, i int) bool {
	if i+2 >= len(rows) || len(rows[i].segments) != 1 || len(rows[i+1].segments) < 2 || rows[i+1].top-rows[i].bottom > 1.3*rows[i].size {
		return false
	}
	left := rows[i+1].left
	for _, r := range rows[i+1 : min(i+4, len(rows))] {
		left = min(left, r.left)
	}
	return rows[i].left > left+4*rows[i].size
}

func startsTable(rows []row, at int, p *page) bool {
	t, _ := aligned(rows, at, p.rules, p.number)
	return t != nil
}

// joinRows makes rows of the segments of a region, which are in the order of their
// base lines.
func joinRows(region []segment, number int) []row {
	var out []row
	for _, s := range region {
		n := len(out) - 1
		if n >= 0 && s.table == nil && out[n].segments[0].table == nil && s.base-out[n].base <= max(0.8, 0.25*min(s.size, out[n].size)) {
			out[n].segments = append(out[n].segments, s)
			out[n].box = out[n].union(s.box)
			continue
		}
		out = append(out, row{box: s.box, base: s.base, size: s.size, page: number, segments: []segment{s}})
	}
	for i := range out {
		slices.SortStableFunc(out[i].segments, func(a, b segment) int {
			if a.left < b.left {
				return -1
			}
			return 1
		})
	}
	return out
}

func (r row) first() word { return r.segments[0].words[0] }

func (r row) all(is func(word) bool) bool {
	for _, s := range r.segments {
		if slices.ContainsFunc(s.words, func(w word) bool { return !w.raised && !is(w) }) {
			return false
		}
	}
	return true
}

func (r row) bold() bool { return r.all(func(w word) bool { return w.font.bold }) }

func (r row) fixed() bool { return r.all(func(w word) bool { return w.font.fixed }) }

func (l layout) block(rows []row, edges box, number int) block {
	b := block{page: number, lines: slices.Clip(rows), box: bounds(rows, func(r row) box { return r.box })}
	b.bold, b.size = true, rows[0].size
	for _, r := range rows {
		b.bold = b.bold && r.bold()
		b.size = max(b.size, r.size)
	}
	b.edge = edges.right
	switch m := itemStart.FindStringSubmatch(rows[0].String()); {
	case !slices.ContainsFunc(rows, func(r row) bool { return !l.isCode(r) }):
		b.kind = code
	case m != nil:
		b.kind, b.mark = item, m[1]
	}
	return b
}

// isCode is whether a row is set in letters of one width where most text is not. Its
// columns are those of a program or a terminal.
func (l layout) isCode(r row) bool {
	return !l.allFixed && r.size <= 1.1*l.size && r.fixed()
}
