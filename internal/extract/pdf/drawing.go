package pdf

// drawing is what of a page's graphics says something about its text.
type drawing struct {
	rules  []box // horizontal and vertical lines, as boxes without width
	fills  []box // areas of another colour than white, and images
	images int
}

const (
	maxObjects  = 50_000 // of a page: a map may have millions
	maxSegments = 20_000 // of a page's paths
	maxPath     = 500    // segments of a path that may be a grid: a longer one is a picture
	maxForms    = 4      // forms within forms
	thin        = 3.0    // points: what is thicker is an area
)

// Types of page objects, fill modes and segments (public/fpdf_edit.h).
const (
	objectPath    = 2
	objectImage   = 3
	objectShading = 4
	objectForm    = 5
	fillNone      = 0
	segmentLine   = 0
	segmentMove   = 2
)

type drawer struct {
	session
	drawing
	objects, segments int
}

// readDrawing reads the objects of a page; to maps its coordinates to boxes.
func (s session) readDrawing(page uint64, to matrix) drawing {
	d := &drawer{session: s}
	for i := range s.count("FPDFPage_CountObjects", page) {
		if d.objects >= maxObjects {
			break
		}
		d.object(s.call("FPDFPage_GetObject", page, uint64(i)), to, 0)
	}
	d.rules = joinRules(d.rules)
	return d.drawing
}

func (d *drawer) object(o uint64, to matrix, depth int) {
	d.objects++
	switch d.call("FPDFPageObj_GetType", o) {
	case objectPath:
		d.path(o, to)
	case objectImage, objectShading:
		d.images++
		if b, ok := d.bounds(o, to); ok {
			d.fills = append(d.fills, b)
		}
	case objectForm:
		own, ok := d.matrix(o)
		if !ok || depth == maxForms {
			return
		}
		for i := range d.count("FPDFFormObj_CountObjects", o) {
			if d.objects >= maxObjects {
				break
			}
			d.object(d.call("FPDFFormObj_GetObject", o, uint64(i)), own.then(to), depth+1)
		}
	}
}

func (d *drawer) matrix(o uint64) (matrix, bool) {
	if !d.is("FPDFPageObj_GetMatrix", o, d.at(0)) {
		return matrix{}, false
	}
	f := d.floats(6)
	return matrix{f[0], f[1], f[2], f[3], f[4], f[5]}, true
}

func (d *drawer) bounds(o uint64, to matrix) (box, bool) {
	if !d.is("FPDFPageObj_GetBounds", o, d.at(0), d.at(4), d.at(8), d.at(12)) {
		return box{}, false
	}
	f := d.floats(4) // left, bottom, right, top
	return to.box(box{f[0], f[1], f[2], f[3]}), true
}

// isWhite is whether an object is filled with what cannot be told from white paper.
func (s session) isWhite(o uint64) bool {
	if !s.is("FPDFPageObj_GetFillColor", o, s.at(0), s.at(4), s.at(8), s.at(12)) {
		return false
	}
	b := s.read(s.scratch, 12) // red, green, blue
	return b[0] >= 250 && b[4] >= 250 && b[8] >= 250
}

// path notes the straight lines of a path, and the area that one fills.
func (d *drawer) path(o uint64, to matrix) {
	outer, ok := d.bounds(o, to)
	if !ok {
		return
	}
	if !d.is("FPDFPath_GetDrawMode", o, d.at(0), d.at(4)) {
		return
	}
	mode := d.read(d.scratch, 8)
	filled, stroked := mode[0] != fillNone, mode[4] != 0
	if !filled && !stroked {
		return
	}
	white := filled && d.isWhite(o)
	if outer.width() <= thin || outer.height() <= thin {
		if !white || stroked {
			d.rule(outer)
		}
		return
	}
	if filled && !white {
		d.fills = append(d.fills, outer)
	}
	if white && !stroked {
		return
	}
	for _, figure := range d.figures(o, to) {
		if !stroked { // thin bars in one path, as some programs draw a grid
			d.rule(bounds(figure, func(b box) box { return b }))
			continue
		}
		for _, edge := range figure {
			d.rule(edge)
		}
	}
}

// figures are the edges of each figure of a path of straight lines; none of a
// path that is curved or long.
func (d *drawer) figures(o uint64, to matrix) [][]box {
	count := d.count("FPDFPath_CountSegments", o)
	if count > maxPath || d.segments+count > maxSegments {
		return nil
	}
	d.segments += count
	m, ok := d.matrix(o)
	if !ok {
		return nil
	}
	own := m.then(to)
	var out [][]box
	var startX, startY, x, y float64
	edge := func(toX, toY float64) {
		last := len(out) - 1
		out[last] = append(out[last], box{min(x, toX), min(y, toY), max(x, toX), max(y, toY)})
		x, y = toX, toY
	}
	for i := range count {
		segment := d.call("FPDFPath_GetPathSegment", o, uint64(i))
		kind := d.call("FPDFPathSegment_GetType", segment)
		if segment == 0 || !d.is("FPDFPathSegment_GetPoint", segment, d.at(0), d.at(4)) {
			return nil
		}
		f := d.floats(2)
		px, py := own.point(f[0], f[1])
		switch {
		case kind == segmentMove:
			out = append(out, nil)
			startX, startY, x, y = px, py, px, py
		case kind == segmentLine && len(out) > 0:
			edge(px, py)
		default:
			return nil
		}
		if len(out) > 0 && d.is("FPDFPathSegment_GetClose", segment) {
			edge(startX, startY)
		}
	}
	return out
}

func (d *drawer) rule(b box) {
	switch {
	case !b.near():
	case b.height() <= thin && b.width() > 2*thin:
		y := b.middle()
		d.rules = append(d.rules, box{b.left, y, b.right, y})
	case b.width() <= thin && b.height() > 2*thin:
		x := b.center()
		d.rules = append(d.rules, box{x, b.top, x, b.bottom})
	}
}
