package config

import "slices"

// nearestKey is the key or group that an unknown one most likely stands for. A
// key written without its group is found too.
func nearestKey(name string) string {
	var known []string
	for _, k := range keys {
		known = append(known, k.name)
	}
	for g := range groups {
		known = append(known, g)
	}
	slices.Sort(known)
	best, least := "", -1
	for _, k := range known {
		d := min(Distance(name, k), Distance(name, last(k))+1)
		if least < 0 || d < least {
			best, least = k, d
		}
	}
	return best
}

func last(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}

// Nearest is the word among known that is most like word, the first of equals;
// "" if known is empty.
func Nearest(word string, known []string) string {
	best, least := "", -1
	for _, k := range known {
		if d := Distance(word, k); least < 0 || d < least {
			best, least = k, d
		}
	}
	return best
}

// Distance is the least number of insertions, deletions, substitutions and
// exchanges of neighbours that make b of a (optimal string alignment; Damerau,
// CACM 7(3), 1964), in runes of which it looks at the first 64.
func Distance(a, b string) int {
	const limit = 64
	x, y := []rune(a), []rune(b)
	x, y = x[:min(len(x), limit)], y[:min(len(y), limit)]
	before, row := make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	var before2 []int
	for i := 1; i <= len(x); i++ {
		before2, before, row = before, row, make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(before[j]+1, row[j-1]+1, before[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before2[j-2]+1)
			}
		}
	}
	return row[len(y)]
}
