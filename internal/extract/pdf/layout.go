package pdf

import (
	"slices"
	"unicode/utf8"
)

// layout is what the lines of a document have in common.
type layout struct {
	size     float64 // of the font that most of the text has
	face     string  // the font that most of the text has
	allFixed bool    // most of the text has letters of one width, which then say nothing
}

// layoutOf measures all pages.
func layoutOf(pages []page) layout {
	sizes := map[int]int{} // characters by size in tenths of a point
	faces := map[string]int{}
	fixed, all := 0, 0
	for _, p := range pages {
		for _, w := range p.words {
			n := utf8.RuneCountInString(w.text)
			sizes[tenth(w.size)] += n
			faces[w.font.name] += n
			if all += n; w.font.fixed {
				fixed += n
			}
		}
	}
	best, most := 0, 0
	for s, n := range sizes {
		if n > most || n == most && s > best {
			best, most = s, n
		}
	}
	l := layout{size: float64(best) / 10, allFixed: 2*fixed > all}
	for name, n := range faces {
		if m := faces[l.face]; n > m || n == m && name > l.face {
			l.face = name
		}
	}
	return l
}

// pitches are the median distances between the base lines of rows by their size in
// tenths of a point, where there are enough to say.
func pitches(rows []row) map[int]float64 {
	all := map[int][]float64{}
	for i := 1; i < len(rows); i++ {
		d, size := rows[i].base-rows[i-1].base, rows[i].size
		if d > 0.5*size && d < 3*size && tenth(rows[i-1].size) == tenth(size) {
			all[tenth(size)] = append(all[tenth(size)], d)
		}
	}
	out := map[int]float64{}
	for size, d := range all {
		if len(d) >= 3 {
			slices.Sort(d)
			out[size] = d[len(d)/2]
		}
	}
	return out
}

func tenth(size float64) int { return int(size*10 + 0.5) }
