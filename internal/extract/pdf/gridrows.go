package pdf

import (
	"slices"
)

// splitRows divides the rows in which a line is drawn around several: most of their
// cells have a number on each of the same lines.
func (t *table) splitRows() {
	var out [][]cell
	for _, r := range t.rows {
		n, numbers := 0, 0
		for _, c := range r {
			if k := len(c.lines); k > 1 && !slices.ContainsFunc(c.lines, func(s string) bool { return !numeric(s) }) {
				if numbers++; n == 0 || n == k {
					n = k
				} else {
					n = -1
				}
			}
		}
		fits := numbers >= 2 && n > 1 && !slices.ContainsFunc(r, func(c cell) bool {
			return c.cols > 1 || c.rows > 1 || len(c.lines) != n && len(c.lines) > 1
		})
		if !fits {
			out = append(out, r)
			continue
		}
		for i := range n {
			var cells []cell
			for _, c := range r {
				switch {
				case len(c.lines) == n:
					c.lines = c.lines[i : i+1]
				case i == 0:
					c.rows = n
				default:
					continue
				}
				cells = append(cells, c)
			}
			out = append(out, cells)
		}
	}
	t.rows = out
}

// withoutEmptyRows takes out the rows in which nothing begins; what spans them
// spans fewer.
func (t *table) withoutEmptyRows() {
	for i := len(t.rows) - 1; i >= 0; i-- {
		if slices.ContainsFunc(t.rows[i], func(c cell) bool { return len(c.lines) > 0 || c.rows > 1 }) {
			continue
		}
		t.rows = slices.Delete(t.rows, i, i+1)
		for j := range i {
			for k := range t.rows[j] {
				if t.rows[j][k].rows > i-j {
					t.rows[j][k].rows--
				}
			}
		}
	}
}

// frames is whether a cell holds what is laid out in columns itself: then the lines
// are the frame of a form.
func frames(words []word) bool {
	n := 0
	for _, r := range rowsOf(words) {
		if len(r.segments) > 1 {
			n++
		}
	}
	return n >= 3
}

// spanned is the depth of a header of several levels: where the first row has
// cells that span columns, the cells beside them reach down as far as the header.
func (t *table) spanned() int {
	wide, deep := false, 1
	for _, c := range t.rows[0] {
		wide = wide || c.cols > 1 && c.cols < t.columns() && len(c.lines) > 0
		deep = max(deep, c.rows)
	}
	if !wide || t.header == 0 {
		return 0
	}
	return min(max(deep, 2), len(t.rows)-1)
}
