package pdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// segment is a run of words of one line with no wide gap in it: a line of a
// column, a cell of a table.
type segment struct {
	box
	words []word
	base  float64
	size  float64
	chars int
	table *table // it stands for a table instead of words
}

// String is the text, with an exponent or the number of a note kept apart from
// what it stands at: 10^2, not 102.
func (s segment) String() string {
	var b strings.Builder
	for i, w := range s.words {
		// What is raised stands at what is before it, and something may stand at that.
		close := i > 0 && touches(s.words[i-1], w) && (w.raised || i > 1 && s.words[i-1].raised)
		switch {
		case i == 0:
		case !close:
			b.WriteByte(' ')
		case w.above && strings.Trim(w.text, "0123456789,-−+") == "":
			b.WriteByte('^')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// touches is whether no space stands between two words of a line.
func touches(a, b word) bool { return a.across(b.box) > -0.15*max(a.size, b.size) }

// row is what stands on one line, from left to right.
type row struct {
	box
	segments []segment
	base     float64
	size     float64
	page     int
}

func (r row) String() string {
	var parts []string
	var words []word
	for _, s := range r.segments {
		parts = append(parts, s.String())
		words = append(words, s.words...)
	}
	if len(parts) > 1 && fromRight(words) {
		slices.Reverse(parts)
	}
	return strings.Join(parts, " ")
}

// rowsOf puts words that stand on one line together, from the top.
func rowsOf(words []word) []row {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b word) int { return cmp.Compare(a.base, b.base) })
	var groups [][]word
	for _, w := range words {
		n := len(groups) - 1
		if n >= 0 {
			first := groups[n][0]
			if w.base-first.base <= max(0.8, 0.25*min(w.size, first.size)) {
				groups[n] = append(groups[n], w)
				continue
			}
		}
		groups = append(groups, []word{w})
	}
	groups = raise(groups)
	rows := make([]row, 0, len(groups))
	for _, g := range groups {
		rows = append(rows, rowOf(g))
	}
	return rows
}

func rowOf(words []word) row {
	slices.SortStableFunc(words, func(a, b word) int { return cmp.Compare(a.left, b.left) })
	r := row{box: bounds(words, func(w word) box { return w.box })}
	chars := 0
	for _, w := range words { // a line is as large as its longest words
		if len(w.text) > chars && !w.raised {
			chars, r.size, r.base = len(w.text), w.size, w.base
		}
	}
	if chars == 0 {
		r.size, r.base = words[0].size, words[0].base
	}
	limit := max(0.9*r.size, min(2.5*usualGap(words), 1.6*r.size))
	from, right := 0, words[0].right // the end of the words from there on
	for i := 1; i <= len(words); i++ {
		if i < len(words) && words[i].left-right <= limit {
			right = max(right, words[i].right)
			continue
		}
		r.segments = append(r.segments, segmentOf(words[from:i], r))
		if from = i; i < len(words) {
			right = words[i].right
		}
	}
	r.segments = withMark(r.segments)
	return r
}

// usualGap is the lower quartile of the spaces between the words of a line: wide
// ones are between columns.
func usualGap(words []word) float64 {
	var gaps []float64
	for i := 1; i < len(words); i++ {
		if g := words[i].left - words[i-1].right; g > 0 {
			gaps = append(gaps, g)
		}
	}
	if len(gaps) < 4 {
		return 0
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/4]
}

func segmentOf(words []word, r row) segment {
	s := segment{box: bounds(words, func(w word) box { return w.box }), words: inReadingOrder(words), base: r.base, size: r.size}
	longest := 0
	for _, w := range words {
		s.chars += utf8.RuneCountInString(w.text) + 1
		if len(w.text) > longest && !w.raised { // of a column beside others, the line is its own
			longest, s.base, s.size = len(w.text), w.base, w.size
		}
	}
	return s
}

// bullet is the mark of an item that has no number.
var bullet = lazyregexp.New(`^[•▪▫➢✓■●○◦‣⁃∙·–➔]$`)

// mark begins an item of a list or a numbered heading.
var mark = lazyregexp.New(`^(?:[•▪▫➢✓■●○◦‣⁃∙·*–—➔o-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,3}(?:\.\d{1,3})+\.?|[A-Z]\.\d+(?:\.\d+)*\.?)$`)

// withMark joins a mark that a tab sets apart from its text.
func withMark(segments []segment) []segment {
	if len(segments) != 2 || len(segments[0].words) != 1 || !mark.MatchString(segments[0].words[0].text) ||
		segments[1].left-segments[0].right > 8*segments[0].size || numeric(segments[1].String()) {
		return segments
	}
	a, b := segments[0], segments[1]
	a.words = append(slices.Clone(a.words), b.words...)
	a.box, a.chars = a.union(b.box), a.chars+b.chars
	return []segment{a}
}
