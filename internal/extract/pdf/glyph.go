package pdf

import (
	"math"
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// glyph is a character with its box, as the file has it.
type glyph struct {
	index  int
	text   string
	box    box // top is the lower edge: the axis of a file points up
	turn   int // quarter turns against the clock
	soft   bool
	size   float64
	matrix matrix
	object uint32
}

// swaps is whether two letters are those of one Arabic ligature, which come in the
// order of the page and in one box.
func (g glyph) swaps(before glyph) bool {
	return g.box == before.box && direction(g.text) == bidi.R && direction(before.text) == bidi.R
}

// splitRuns divides the characters, which come in the order of the file, where a
// space stands, or where the next one stands elsewhere than it should.
func splitRuns(glyphs []glyph) [][]glyph {
	var out [][]glyph
	from := 0
	cut := func(to int) {
		if to > from {
			out = append(out, glyphs[from:to])
		}
		from = to
	}
	for i, g := range glyphs {
		switch {
		case strings.TrimSpace(g.text) == "":
			cut(i)
			from = i + 1
		case i > from && (!follows(glyphs[i-1], g) || steps(glyphs[i-1], g)):
			cut(i)
		}
	}
	cut(len(glyphs))
	return out
}

// steps is whether a character is set smaller and higher than the one before it, as an
// exponent or the mark of a note is, or is the first behind such a one. Some
// digits of one size are smaller or higher than others.
func steps(before, g glyph) bool {
	a, b := before.scaled(), g.scaled()
	lower := func(x, y glyph) bool { // in a file, the lower edge is the smaller number
		return y.box.top-x.box.top > 0.2*x.box.height() && y.box.bottom-x.box.bottom > -0.1*x.box.height()
	}
	return g.turn == 0 && (b < 0.85*a && lower(before, g) || a < 0.85*b && lower(g, before))
}

// scaled is the size of the font on the page.
func (g glyph) scaled() float64 { return g.size * math.Hypot(g.matrix.c, g.matrix.d) }

// follows is whether b stands beside a on one line, whichever way it runs.
func follows(a, b glyph) bool {
	if a.turn != b.turn {
		return false
	}
	ab, bb := a.box, b.box
	if a.turn&1 == 1 { // lines stand upright
		ab, bb = box{ab.top, ab.left, ab.bottom, ab.right}, box{bb.top, bb.left, bb.bottom, bb.right}
	}
	// Marks and quotes may not overlap with letters: half a letter is near enough. The
	// box of a dot says nothing of the size of letters.
	size := max(a.scaled(), b.scaled(), ab.height(), bb.height(), 1)
	return ab.along(bb) > -0.5*size && ab.across(bb) > -0.5*size
}

// wordOf makes a word of characters; to maps the coordinates of the file to the page's.
func wordOf(run []glyph, styles map[uint32]style, to matrix) word {
	first := run[0]
	w := word{soft: run[len(run)-1].soft, size: first.size, style: styles[first.object]}
	var b strings.Builder
	for _, g := range run {
		b.WriteString(g.text)
		w.box = w.union(g.box)
	}
	w.text = b.String()
	own := first.matrix
	if first.object == 0 { // PDFium added it
		own, w.size = matrix{a: 1, d: 1, e: w.left, f: w.top}, w.height()
	}
	w.place(own, to)
	return w
}
