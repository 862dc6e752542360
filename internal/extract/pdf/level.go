package pdf

import (
	"cmp"
	"math"
	"slices"
)

// look is what headings of one level have in common.
type look struct {
	size float64
	bold bool
}

func lookOf(b block) look { return look{math.Round(b.size*2) / 2, b.bold} }

// titleAmong is the heading on the first page that is larger than all others, -1
// if there is none.
func (d *document) titleAmong(found []int) int {
	largest, count := -1, 0
	for _, i := range found {
		switch {
		case largest < 0 || d.blocks[i].size > 1.04*d.blocks[largest].size:
			largest, count = i, 1
		case d.blocks[i].size > 0.96*d.blocks[largest].size:
			count++
		}
	}
	if largest < 0 || count > 1 || d.blocks[largest].page > 1 || depth(d.blocks[largest].said) > 0 || len(found) < 2 {
		return -1
	}
	return largest
}

// lookLevels are the levels of the looks of headings: what most headings of a
// look have by the outline or by their numbers, else one below the next larger.
func (d *document) lookLevels(found []int, outline map[int]int, title int) map[look]int {
	votes := map[look]map[int]int{}
	for _, i := range found {
		if i == title {
			continue
		}
		b := d.blocks[i]
		s := lookOf(b)
		if votes[s] == nil {
			votes[s] = map[int]int{}
		}
		level := outline[i]
		if level == 0 {
			level = depth(b.said)
		}
		votes[s][level]++
	}
	var looks []look
	for s := range votes {
		looks = append(looks, s)
	}
	slices.SortFunc(looks, func(a, b look) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(weight(b), weight(a)))
	})
	out := map[look]int{}
	last := 0
	if title >= 0 && len(d.file.bookmarks) == 0 && !numberedAny(votes) {
		last = 1
	}
	for _, s := range looks {
		level, most := last+1, 0
		for v, n := range votes[s] {
			if v > 0 && (n > most || n == most && v < level) {
				level, most = v, n
			}
		}
		level = min(level, 6)
		out[s], last = level, level
	}
	return out
}

func numberedAny(votes map[look]map[int]int) bool {
	for _, v := range votes {
		for level := range v {
			if level > 0 {
				return true
			}
		}
	}
	return false
}

func weight(s look) int {
	if s.bold {
		return 1
	}
	return 0
}
