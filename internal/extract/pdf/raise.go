package pdf

import (
	"slices"
)

// maxLineWords bounds the words of a line beside which raised ones are looked for: each
// word is compared with those of the lines around it.
const maxLineWords = 2000

// raise puts what is set above or below a line, as exponents and marks of notes
// are, on it.
func raise(groups [][]word) [][]word {
	for i, g := range groups {
		if len(g) > maxLineWords {
			continue
		}
		var rest []word
		for _, w := range g {
			to, above := bulletOf(w, groups, i), false
			if to >= 0 {
				groups[to] = append(groups[to], w)
				continue
			}
			for _, j := range []int{i - 2, i - 1, i + 1, i + 2} {
				if j < 0 || j >= len(groups) || len(groups[j]) > maxLineWords {
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
