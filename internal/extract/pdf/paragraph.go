package pdf

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// sameBlock is whether a row goes on with the block of the rows above it.
func (l layout) sameBlock(above []row, r row, edges box, pitch float64) bool {
	first, last := above[0], above[len(above)-1]
	step := r.base - last.base
	if first.fixed() && r.fixed() && !l.allFixed {
		return step < 2.6*r.size
	}
	limit := 1.45 * max(r.size, last.size)
	if pitch > 0 {
		limit = max(1.25*pitch, 1.15*r.size)
	}
	if len(above) > 1 {
		limit = max(1.25*(last.base-above[len(above)-2].base), 1.15*r.size)
	}
	switch {
	case step > limit:
		return false
	case r.size > 1.07*last.size || last.size > 1.07*r.size:
		return false
	case r.bold() != last.bold() && (last.bold() && first.bold() || r.bold() && r.fewWords()):
		return false
	case first.fixed() != r.fixed() && !l.allFixed:
		return false
	case r.first().raised:
		return false // a note
	case led.MatchString(last.String()):
		return false
	case startsItem(r.String()):
		return startsTogether(r, last, above)
	}
	short := last.right < edges.right-max(0.15*edges.width(), 3*r.size)
	ended := ends(last.String())
	right := edges.right
	if len(above) > 1 {
		right = bounds(above, func(r row) box { return r.box }).right
	}
	// The first word had room on the line above, so the line was ended on purpose.
	broken := !strings.HasSuffix(last.String(), "-") && last.right+0.3*r.size+r.first().width() < right-1.5*r.size && !startsLower(r.String()) && math.Abs(last.right-r.right) > 1.5*r.size
	indented := r.left > last.left+0.9*r.size && r.left > edges.left+0.9*r.size
	hanging := len(above) == 1 && (startsItem(first.String()) || r.left > first.left)
	switch {
	case indented && ended && !(len(above) == 1 && startsItem(first.String())):
		return false
	case len(above) > 1 && r.left < last.left-0.9*r.size && startsItem(first.String()): // back from an item
		return false
	case broken && !centered(above, edges) && !(len(above) == 1 && last.face() != "" && last.face() == r.face() && last.bold() && r.bold()):
		return false
	case last.face() != "" && r.face() != "" && last.face() != r.face() && len(above) == 1 && short:
		return false
	case short && ended && !hanging && !centered(above, edges):
		return r.left > edges.left+0.9*r.size && startsItem(first.String())
	}
	return true
}

// startsTogether is whether a line that looks like the start of an item is only a
// line: "2026. The" within a paragraph.
func startsTogether(r, last row, above []row) bool {
	s := r.String()
	return !startsItem(above[0].String()) && itemStart.FindStringSubmatch(s)[1] != "" && !ends(last.String()) && r.left <= last.left+1 &&
		numbered.MatchString(s) && !ends(strings.Fields(last.String())[0])
}

func centered(above []row, edges box) bool {
	d := above[0].center() - edges.center()
	return d > -4 && d < 4 && above[0].left > edges.left+10
}

// face is the name of the font of all words of a row, "" if there are several.
func (r row) face() string {
	name := r.first().font.name
	if !r.all(func(w word) bool { return w.font.name == name }) {
		return ""
	}
	return name
}

func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

func (r row) fewWords() bool { return len(strings.Fields(r.String())) <= 15 }

// ends is whether a line ends as a sentence, a clause or a heading of a list does.
func ends(s string) bool {
	s = strings.TrimRight(s, `"'”’»)]`)
	return s != "" && strings.ContainsRune(".:;!?。！？؟۔", lastRune(s))
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

var (
	// itemStart is the mark of an item: a bullet, or a number or letter with a stop.
	itemStart = lazyregexp.New(`^([•▪▫➢✓■●○◦‣⁃∙·*–—➔-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,3}(?:\.\d{1,3})+\.?)\s+\S`)
	// led is an entry of a table of contents.
	led      = lazyregexp.New(`(?:\.\s?){4,}\s*[\dA-Zivx-]{1,7}$`)
	numbered = lazyregexp.New(`^\(?(?:\d|[a-zA-Z])`)
)

func startsItem(s string) bool { return itemStart.MatchString(s) }
