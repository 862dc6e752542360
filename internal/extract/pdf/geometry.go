package pdf

import "math"

// box is a rectangle on a page in points of 1/72 inch, from the upper left corner
// of the page as a reader holds it.
type box struct{ left, top, right, bottom float64 }

func (b box) width() float64  { return b.right - b.left }
func (b box) height() float64 { return b.bottom - b.top }
func (b box) middle() float64 { return (b.top + b.bottom) / 2 }
func (b box) center() float64 { return (b.left + b.right) / 2 }

func (b box) empty() bool { return b.right <= b.left && b.bottom <= b.top }

func (b box) union(o box) box {
	if b.empty() {
		return o
	}
	return box{min(b.left, o.left), min(b.top, o.top), max(b.right, o.right), max(b.bottom, o.bottom)}
}

// near is whether a box is of numbers that a page can have.
func (b box) near() bool {
	const far = 20_000 // a page is at most 14,400 wide (ISO 32000-1, annex C)
	return b.left > -far && b.top > -far && b.right < far && b.bottom < far
}

// holds is whether the middle of o lies in b.
func (b box) holds(o box) bool {
	return o.center() >= b.left && o.center() <= b.right && o.middle() >= b.top && o.middle() <= b.bottom
}

// across is how much of the horizontal extent two boxes share, in points; negative is
// the distance between them.
func (b box) across(o box) float64 { return min(b.right, o.right) - max(b.left, o.left) }

// along is across for the vertical extent.
func (b box) along(o box) float64 { return min(b.bottom, o.bottom) - max(b.top, o.top) }

// bounds is the box around what each gives.
func bounds[T any](of []T, each func(T) box) box {
	var b box
	for _, o := range of {
		b = b.union(each(o))
	}
	return b
}

// matrix is an affine map as PDF has it (ISO 32000-1, 8.3.3).
type matrix struct{ a, b, c, d, e, f float64 }

// then is the map that does m first.
func (m matrix) then(n matrix) matrix {
	return matrix{
		m.a*n.a + m.b*n.c, m.a*n.b + m.b*n.d,
		m.c*n.a + m.d*n.c, m.c*n.b + m.d*n.d,
		m.e*n.a + m.f*n.c + n.e, m.e*n.b + m.f*n.d + n.f,
	}
}

func (m matrix) point(x, y float64) (float64, float64) {
	return m.a*x + m.c*y + m.e, m.b*x + m.d*y + m.f
}

// box is the box around a box that was mapped.
func (m matrix) box(b box) box {
	x0, y0 := m.point(b.left, b.top)
	x1, y1 := m.point(b.right, b.bottom)
	x2, y2 := m.point(b.left, b.bottom)
	x3, y3 := m.point(b.right, b.top)
	return box{min(x0, x1, x2, x3), min(y0, y1, y2, y3), max(x0, x1, x2, x3), max(y0, y1, y2, y3)}
}

// upright maps the coordinates of a page, whose axis points up, to boxes of this
// package, when its text is turned by quarter turns against the clock.
func upright(page box, turns int) (matrix, box) {
	var m matrix
	switch turns & 3 {
	case 0:
		m = matrix{1, 0, 0, -1, -page.left, page.bottom}
	case 1: // text runs upwards
		m = matrix{0, 1, 1, 0, -page.top, -page.left}
	case 2:
		m = matrix{-1, 0, 0, 1, page.right, -page.top}
	default:
		m = matrix{0, -1, -1, 0, page.bottom, page.right}
	}
	return m, m.box(page)
}

// quarter is an angle in radians as the nearest number of quarter turns.
func quarter(angle float64) int {
	return int(math.Round(angle/(math.Pi/2))) & 3
}
