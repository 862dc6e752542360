package pdf

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

// table reads the words within a grid as a table; nil if it is none.
func (g grid) table(words []word, number int) *table {
	// A table may have no line at its sides.
	xs := places(append(g.vertical, box{left: g.left}, box{left: g.right}), func(b box) float64 { return b.left })
	ys := places(append(g.horizontal, box{top: g.top}, box{top: g.bottom}), func(b box) float64 { return b.top })
	if len(xs) < 3 || len(ys) < 2 || len(xs)*len(ys) > maxLines*maxLines/4 {
		return nil
	}
	nx, ny := len(xs)-1, len(ys)-1
	inside := make([][]word, nx*ny)
	for _, w := range words {
		at := slot(ys, w.middle())*nx + slot(xs, w.center())
		inside[at] = append(inside[at], w)
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
			for _, r := range rowsOf(held) {
				t.drawn = append(t.drawn, r.segments...)
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
	first := 1
	if nx == 2 { // names and values: the first row is like others
		first = 0
	}
	t.headed(first)
	t.header = max(t.header, t.spanned())
	return t
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
