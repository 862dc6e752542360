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
		case i > from && (!follows(glyphs[i-1], g) || steps(glyphs[from:i], g)):
			cut(i)
		}
	}
	cut(len(glyphs))
	return out
}

// steps is whether a digit stands higher than the run before it, as an exponent or
// the mark of a note does, or a run of such digits ends.
func steps(run []glyph, g glyph) bool {
	if g.turn != 0 || g.box.height() <= 0 {
		return false
	}
	base, tall := math.Inf(1), 0.0
	raised := true // the run is digits that stand above g
	for _, r := range run {
		digit := isDigit(r.text)
		raised = raised && digit && r.box.top > g.box.top+0.25*g.box.height() && r.box.height() < 0.85*g.box.height()
		if digit || r.text != "" && strings.ContainsAny(r.text, "abcdefhiklmnorstuvwxzABCDEFGHIKLMNOPRSTUVWXYZ)]") {
			base, tall = min(base, r.box.top), max(tall, r.box.height())
		}
	}
	if !isDigit(g.text) || tall == 0 {
		return raised && !strings.ContainsAny(g.text, "gjpqyQ,;.'’”-") && tall > 0
	}
	// In the coordinates of the file the lower edge is the smaller number.
	return raised || g.box.top-base > 0.25*tall && g.box.height() < 0.9*tall
}

// follows is whether b stands beside a on one line, whichever way it runs.
func follows(a, b glyph) bool {
	if a.turn != b.turn {
		return false
	}
	ab, bb := a.box, b.box
	if a.turn&1 == 1 { // lines stand upright
		ab, bb = box{ab.top, ab.left, ab.bottom, ab.right}, box{bb.top, bb.left, bb.bottom, bb.right}
	}
	size := max(ab.height(), bb.height(), ab.width(), bb.width(), 1)
	// Marks and quotes may not overlap with letters: half a letter is near enough.
	return ab.along(bb) > -0.5*size && ab.across(bb) > -0.7*size
}

func isDigit(s string) bool { return len(s) == 1 && s[0] >= '0' && s[0] <= '9' }

// wordOf makes a word of characters, in the coordinates of the file.
func wordOf(run []glyph, styles map[uint32]style) word {
	first := run[0]
	w := word{soft: run[len(run)-1].soft, size: first.size, matrix: first.matrix, style: styles[first.object]}
	var b strings.Builder
	for _, g := range run {
		b.WriteString(g.text)
		w.box = w.union(g.box)
	}
	w.text = b.String()
	if first.object == 0 { // PDFium added it
		w.matrix, w.size = matrix{a: 1, d: 1, e: w.left, f: w.top}, w.height()
	}
	return w
}
