package pdf

import (
	"math"
	"slices"
)

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
