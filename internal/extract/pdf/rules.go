package pdf

import (
	"cmp"
	"math"
	"slices"
)

// joinRules makes one line of those that lie on one line and meet: programs draw the
// lines of a table cell by cell.
func joinRules(rules []box) []box {
	var flat, upright []box
	for _, r := range rules {
		if r.height() == 0 {
			flat = append(flat, r)
		} else {
			upright = append(upright, r)
		}
	}
	slices.SortFunc(flat, func(a, b box) int {
		return cmp.Or(cmp.Compare(math.Round(a.top), math.Round(b.top)), cmp.Compare(a.left, b.left))
	})
	slices.SortFunc(upright, func(a, b box) int {
		return cmp.Or(cmp.Compare(math.Round(a.left), math.Round(b.left)), cmp.Compare(a.top, b.top))
	})
	var out []box
	for _, r := range flat {
		if n := len(out) - 1; n >= 0 && math.Round(out[n].top) == math.Round(r.top) && r.left <= out[n].right+touch {
			out[n].right = max(out[n].right, r.right)
			continue
		}
		out = append(out, r)
	}
	first := len(out)
	for _, r := range upright {
		if n := len(out) - 1; n >= first && math.Round(out[n].left) == math.Round(r.left) && r.top <= out[n].bottom+touch {
			out[n].bottom = max(out[n].bottom, r.bottom)
			continue
		}
		out = append(out, r)
	}
	return out
}

// places are the distinct places of lines, sorted.
func places(lines []box, of func(box) float64) []float64 {
	var all []float64
	for _, l := range lines {
		all = append(all, of(l))
	}
	slices.Sort(all)
	var out []float64
	for _, v := range all {
		if len(out) == 0 || v > out[len(out)-1]+touch {
			out = append(out, v)
		}
	}
	return out
}

// slot is between which two places v lies, the first or last if outside of all.
func slot(places []float64, v float64) int {
	i, found := slices.BinarySearch(places, v)
	if found {
		i++
	}
	return max(0, min(i-1, len(places)-2))
}

func near(a, b float64) bool { return a-b < touch && b-a < touch }

func crosses(lines []box, is func(box) bool) bool { return slices.ContainsFunc(lines, is) }
