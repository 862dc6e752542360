package pdf

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
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
		switch close := i > 0 && w.raised && touches(s.words[i-1], w); {
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
	for _, s := range r.segments {
		parts = append(parts, s.String())
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

// raise puts what is set above or below a line, as exponents and marks of notes
// are, on it.
func raise(groups [][]word) [][]word {
	for i, g := range groups {
		var rest []word
		for _, w := range g {
			to, above := bulletOf(w, groups, i), false
			if to >= 0 {
				groups[to] = append(groups[to], w)
				continue
			}
			for _, j := range []int{i - 2, i - 1, i + 1, i + 2} {
				if j < 0 || j >= len(groups) {
					continue
				}
				if k := slices.IndexFunc(groups[j], func(o word) bool {
					return !o.raised && w.size <= 0.85*o.size && w.base > o.base-0.75*o.size && w.base < o.base+0.35*o.size &&
						w.across(box{o.left - 0.6*o.size, 0, o.right + 0.6*o.size, 0}) > 0 && len([]rune(w.text)) <= 6
				}); k >= 0 {
					to, above = j, w.base < groups[j][k].base-0.1*groups[j][k].size
					break
				}
			}
			if to < 0 {
				rest = append(rest, w)
				continue
			}
			w.raised, w.above = true, above
			groups[to] = append(groups[to], w)
		}
		groups[i] = rest
	}
	return slices.DeleteFunc(groups, func(g []word) bool { return len(g) == 0 })
}

// bulletOf is the line that a bullet stands before: bullets are set in other fonts,
// whose base line may be another one. -1 if it is none or is on its line.
func bulletOf(w word, groups [][]word, own int) int {
	if !bullet.MatchString(w.text) {
		return -1
	}
	beside := func(o word) bool {
		return o.left >= w.right && o.left-w.right < 4*o.size && w.middle() > o.top-0.2*o.size && w.middle() < o.base+0.2*o.size && !bullet.MatchString(o.text)
	}
	if slices.ContainsFunc(groups[own], beside) {
		return -1
	}
	for _, j := range []int{own - 1, own + 1, own - 2, own + 2} {
		if j >= 0 && j < len(groups) && slices.ContainsFunc(groups[j], beside) {
			return j
		}
	}
	return -1
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
	from := 0
	for i := 1; i <= len(words); i++ {
		if i < len(words) && words[i].left-rightmost(words[from:i]) <= limit {
			continue
		}
		r.segments = append(r.segments, segmentOf(words[from:i], r))
		from = i
	}
	r.segments = withMark(r.segments)
	return r
}

func rightmost(words []word) float64 {
	right := words[0].right
	for _, w := range words {
		right = max(right, w.right)
	}
	return right
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
var bullet = regexp.MustCompile(`^[•▪▫➢✓■●○◦‣⁃∙·–➔]$`)

// mark begins an item of a list or a numbered heading.
var mark = regexp.MustCompile(`^(?:[•▪▫➢✓■●○◦‣⁃∙·*–—➔o-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,3}(?:\.\d{1,3})+\.?|[A-Z]\.\d+(?:\.\d+)*\.?)$`)

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

// inReadingOrder turns words from left to right into the order of a line that is
// mostly written from right to left. Words written from left to right keep
// theirs among themselves.
func inReadingOrder(words []word) []word {
	right, left := 0, 0
	for _, w := range words {
		switch direction(w.text) {
		case bidi.R:
			right++
		case bidi.L:
			left++
		}
	}
	if right <= left {
		return words
	}
	out := slices.Clone(words)
	slices.Reverse(out)
	for i := 0; i < len(out); {
		j := i
		for j < len(out) && direction(out[j].text) == bidi.L {
			j++
		}
		slices.Reverse(out[i:j])
		i = max(j, i+1)
	}
	return out
}

// direction is that of the first letter.
func direction(s string) bidi.Class {
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		if p, _ := bidi.LookupRune(r); p.Class() == bidi.R || p.Class() == bidi.AL {
			return bidi.R
		}
		return bidi.L
	}
	return bidi.ON
}
