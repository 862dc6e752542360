package store

// MaxEdits is how far a near term may be.
const MaxEdits = 2

// Edits is the distance of two terms in code points that are put in, left out, replaced
// or exchanged with their neighbour, none twice: optimal string alignment (Boytsov,
// "Indexing methods for approximate dictionary searching", 2011, section 2).
func Edits(a, b string) int {
	from, to := []rune(a), []rune(b)
	before, last := make([]int, len(to)+1), make([]int, len(to)+1)
	for j := range last {
		last[j] = j
	}
	for i, r := range from {
		row := make([]int, len(to)+1)
		row[0] = i + 1
		for j, s := range to {
			cost := 1
			if r == s {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && r == to[j-1] && s == from[i-1] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(to)]
}
