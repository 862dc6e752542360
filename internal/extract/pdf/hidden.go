package pdf

import "slices"

// smallest is the size in points below which nobody reads a text on paper.
const smallest = 2.0

// mostFills are the painted areas of a page up to which white words are looked for on
// them: a drawing of more is paid for with every word, and its words then count as seen.
const mostFills = 2000

// hide leaves out the words that a reader does not see: painted of no pixel, white
// on nothing, off the page, or too small. Where all text is invisible, another
// program recognised it in the image that is seen, and it is the text of the page.
func (p *page) hide() {
	unpainted := 0
	seen := func(w word) bool {
		switch {
		case !p.box.holds(w.box), w.size < smallest && w.height() < smallest:
			return false
		case w.white && len(p.fills) <= mostFills && !within(w.box, p.fills):
			return false
		case w.unpainted:
			unpainted++
			return false
		}
		return true
	}
	kept := slices.DeleteFunc(slices.Clone(p.words), func(w word) bool { return !seen(w) })
	if unpainted > len(kept) && p.images > 0 {
		p.recognised = true
		return
	}
	p.hidden, p.words = len(p.words)-len(kept), kept
}

func within(b box, areas []box) bool {
	return slices.ContainsFunc(areas, func(a box) bool { return a.holds(b) })
}
