package pdf

import (
	"cmp"
	"slices"
)

const (
	// maxCuts bounds how often columns are looked for within columns.
	maxCuts = 6
	// proseLine is the number of characters from which a line is one of a column of
	// text and not a cell of a table.
	proseLine = 22
)

// ordered divides the segments of a page into regions in reading order: each is
// read line by line. Cuts are recursive (G. Nagy and S. Seth, Hierarchical
// representation of optically scanned documents, 1984), but a gutter need not
// reach through the whole page: what crosses it, as a title does, divides the
// page into bands.
func ordered(segments []segment) [][]segment {
	segments = slices.Clone(segments)
	slices.SortStableFunc(segments, func(a, b segment) int { return cmp.Or(cmp.Compare(a.base, b.base), cmp.Compare(a.left, b.left)) })
	return columns(segments, maxCuts)
}

func columns(segments []segment, cuts int) [][]segment {
	if cuts == 0 || len(segments) < 6 {
		return [][]segment{segments}
	}
	best, most := []band(nil), 5
	for _, x := range gutters(segments) {
		bands, in := bandsAt(segments, x)
		if in > most {
			best, most = bands, in
		}
	}
	if best == nil {
		return [][]segment{segments}
	}
	var out [][]segment
	for _, b := range best {
		if !b.columns {
			out = append(out, columns(b.left, cuts-1)...)
			continue
		}
		out = append(out, columns(b.left, cuts-1)...)
		out = append(out, columns(b.right, cuts-1)...)
	}
	return out
}

// maxGutters bounds the places that are tried.
const maxGutters = 40

// gutters are the places just left of where several lines begin.
func gutters(segments []segment) []float64 {
	var lefts []float64
	edge := segments[0].left
	for _, s := range segments {
		lefts = append(lefts, s.left)
		edge = min(edge, s.left)
	}
	slices.Sort(lefts)
	type place struct {
		at    float64
		lines int
	}
	var found []place
	for i := 0; i < len(lefts); {
		j := i
		for j < len(lefts) && lefts[j] < lefts[i]+2 {
			j++
		}
		if j-i >= 3 && lefts[i] > edge+60 { // no column is narrower than that
			found = append(found, place{lefts[i] - 1, j - i})
		}
		i = j
	}
	slices.SortStableFunc(found, func(a, b place) int { return cmp.Compare(b.lines, a.lines) })
	var out []float64
	for _, p := range found[:min(len(found), maxGutters)] {
		out = append(out, p.at)
	}
	return out
}

// band is a part of a page from top to bottom: two columns, or lines (left) that
// reach over the gutter.
type band struct {
	columns     bool
	left, right []segment
}

// bandsAt divides the segments at a gutter, and counts those in columns of text.
func bandsAt(segments []segment, x float64) ([]band, int) {
	var out []band
	in := 0
	var run []segment
	flush := func() {
		if len(run) == 0 {
			return
		}
		b := band{}
		for _, s := range run {
			if s.right <= x+1 {
				b.left = append(b.left, s)
			} else {
				b.right = append(b.right, s)
			}
		}
		if b.columns = beside(b.left, b.right); b.columns {
			in += len(run)
		} else {
			b = band{left: run}
		}
		out = appendBand(out, b)
		run = nil
	}
	for _, s := range segments {
		if s.left < x-1 && s.right > x+1 {
			flush()
			out = appendBand(out, band{left: []segment{s}})
			continue
		}
		run = append(run, s)
	}
	flush()
	return out, in
}

// appendBand puts lines that follow lines in one band.
func appendBand(bands []band, b band) []band {
	if n := len(bands) - 1; n >= 0 && !b.columns && !bands[n].columns {
		bands[n].left = append(bands[n].left, b.left...)
		return bands
	}
	return append(bands, b)
}

// beside is whether two columns of text stand beside each other.
func beside(left, right []segment) bool {
	if len(left) < 3 || len(right) < 3 || !prose(left) || !prose(right) {
		return false
	}
	l, r := bounds(left, func(s segment) box { return s.box }), bounds(right, func(s segment) box { return s.box })
	return r.left-l.right >= 0.6*left[0].size && l.along(r) > 0.25*min(l.height(), r.height())
}

// prose is whether most text stands in lines that are long enough.
func prose(segments []segment) bool {
	long, all, lines := 0, 0, 0
	for _, s := range segments {
		n := s.chars
		if all += n; n >= proseLine {
			long += n
			lines++
		}
	}
	return lines >= 3 && 2*long > all
}
