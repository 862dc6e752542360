package pdf

import (
	"cmp"
	"math"
	"slices"
)

const (
	// touch is how far the ends of drawn lines may be apart and still meet, in points.
	touch = 2.5
	// maxLines bounds the lines of one grid in each direction.
	maxLines = 400
)

// grid is a set of drawn lines that meet.
type grid struct {
	box
	horizontal, vertical []box
}

// grids are the sets of lines that meet, each of which may be a table.
func grids(rules []box) []grid {
	if len(rules) > 4*maxLines {
		return nil // a drawing
	}
	parent := make([]int, len(rules))
	for i := range parent {
		parent[i] = i
	}
	var root func(int) int
	root = func(i int) int {
		if parent[i] != i {
			parent[i] = root(parent[i])
		}
		return parent[i]
	}
	for i, a := range rules {
		for j := range i {
			if a.across(rules[j]) >= -touch && a.along(rules[j]) >= -touch {
				parent[root(i)] = root(j)
			}
		}
	}
	byRoot := map[int]*grid{}
	var order []int
	for i, r := range rules {
		k := root(i)
		g := byRoot[k]
		if g == nil {
			g = &grid{}
			byRoot[k], order = g, append(order, k)
		}
		if len(g.horizontal)+len(g.vertical) == 0 {
			g.box = r
		} else {
			g.box = box{min(g.left, r.left), min(g.top, r.top), max(g.right, r.right), max(g.bottom, r.bottom)}
		}
		if r.height() < r.width() {
			g.horizontal = append(g.horizontal, r)
		} else {
			g.vertical = append(g.vertical, r)
		}
	}
	var out []grid
	for _, k := range order {
		if g := byRoot[k]; len(g.horizontal) >= 2 && len(g.vertical) >= 2 {
			out = append(out, *g)
		}
	}
	return out
}

// joinRules makes one line of those that lie on one line and meet: programs draw the
// lines of a table cell by cell.
func joinRules(rules []box) []box {
	var flat, upright []box
	for _, r := range rules {
		if r.height() == 0 {
			flat = append(flat, r)
		} else {
			upright = append(upright, r)
		}
	}
	slices.SortFunc(flat, func(a, b box) int {
		return cmp.Or(cmp.Compare(math.Round(a.top), math.Round(b.top)), cmp.Compare(a.left, b.left))
	})
	slices.SortFunc(upright, func(a, b box) int {
		return cmp.Or(cmp.Compare(math.Round(a.left), math.Round(b.left)), cmp.Compare(a.top, b.top))
	})
	var out []box
	for _, r := range flat {
		if n := len(out) - 1; n >= 0 && math.Round(out[n].top) == math.Round(r.top) && r.left <= out[n].right+touch {
			out[n].right = max(out[n].right, r.right)
			continue
		}
		out = append(out, r)
	}
	first := len(out)
	for _, r := range upright {
		if n := len(out) - 1; n >= first && math.Round(out[n].left) == math.Round(r.left) && r.top <= out[n].bottom+touch {
			out[n].bottom = max(out[n].bottom, r.bottom)
			continue
		}
		out = append(out, r)
	}
	return out
}

// places are the distinct places of lines, sorted.
func places(lines []box, of func(box) float64) []float64 {
	var all []float64
	for _, l := range lines {
		all = append(all, of(l))
	}
	slices.Sort(all)
	var out []float64
	for _, v := range all {
		if len(out) == 0 || v > out[len(out)-1]+touch {
			out = append(out, v)
		}
	}
	return out
}

// table reads the words within a grid as a table; nil if it is none.
func (g grid) table(words []word, number int) *table {
	xs := places(g.vertical, func(b box) float64 { return b.left })
	ys := places(g.horizontal, func(b box) float64 { return b.top })
	if len(xs) < 3 || len(ys) < 2 || len(xs)*len(ys) > maxLines*maxLines/4 {
		return nil
	}
	nx, ny := len(xs)-1, len(ys)-1
	inside := make([][]word, nx*ny)
	for _, w := range words {
		if x, y := slot(xs, w.center()), slot(ys, w.middle()); x >= 0 && y >= 0 {
			inside[y*nx+x] = append(inside[y*nx+x], w)
		}
	}
	right := func(x, y int) bool { // a line stands right of the cell
		return crosses(g.vertical, func(l box) bool {
			return near(l.left, xs[x+1]) && l.top <= (ys[y]+ys[y+1])/2 && l.bottom >= (ys[y]+ys[y+1])/2
		})
	}
	below := func(x, y int) bool {
		return crosses(g.horizontal, func(l box) bool {
			return near(l.top, ys[y+1]) && l.left <= (xs[x]+xs[x+1])/2 && l.right >= (xs[x]+xs[x+1])/2
		})
	}
	t := &table{box: g.box, page: number, lefts: xs[:nx]}
	taken := make([]bool, nx*ny)
	filled := 0
	for y := range ny {
		var cells []cell
		for x := range nx {
			if taken[y*nx+x] {
				continue
			}
			cols, deep := 1, 1
			for x+cols < nx && !right(x+cols-1, y) && !taken[y*nx+x+cols] {
				cols++
			}
			for y+deep < ny && open(x, cols, y+deep-1, below) {
				deep++
			}
			var held []word
			for j := y; j < y+deep; j++ {
				for i := x; i < x+cols; i++ {
					taken[j*nx+i] = true
					held = append(held, inside[j*nx+i]...)
				}
			}
			if len(held) > 0 {
				filled++
			}
			if frames(held) {
				return nil
			}
			cells = append(cells, cellOf(x, cols, deep, held))
		}
		t.rows = append(t.rows, cells)
	}
	t.withoutEmptyRows()
	t.splitRows()
	if filled < 3 || len(t.rows) < 2 {
		return nil
	}
	t.headed(1)
	t.header = max(t.header, t.spanned())
	return t
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

// open is whether no line stands below any of the cells of a row from x on.
func open(x, cols, y int, below func(x, y int) bool) bool {
	for i := x; i < x+cols; i++ {
		if below(i, y) {
			return false
		}
	}
	return true
}

func crosses(lines []box, is func(box) bool) bool { return slices.ContainsFunc(lines, is) }

func near(a, b float64) bool { return a-b < touch && b-a < touch }

// slot is between which two places v lies, -1 if outside of all.
func slot(places []float64, v float64) int {
	i, found := slices.BinarySearch(places, v)
	if found {
		i++
	}
	if i == 0 || i == len(places) {
		return -1
	}
	return i - 1
}

// ruled takes the tables that are drawn with lines out of the words of a page.
func ruled(p *page) []*table {
	var out []*table
	for _, g := range grids(p.rules) {
		var in, rest []word
		for _, w := range p.words {
			if g.holds(w.box) {
				in = append(in, w)
			} else {
				rest = append(rest, w)
			}
		}
		if t := g.table(in, p.number); t != nil {
			out = append(out, t)
			p.words = rest
		}
	}
	return out
}
