// Package near compares terms with a word, one after the other, by the distance of store.Edits.
package near

import "unicode/utf8"

// Word is a word that terms are compared with. It keeps a row of the table of distances (see
// store.Edits) for each code point of the term at hand, so that terms with a beginning in common share
// its rows: sorted ones are compared in a fraction of the time. It may not be used concurrently.
type Word struct {
	word  []rune
	edits int
	last  string
	term  []rune // that rows are of
	ends  []int  // in bytes, of each code point of term
	rows  [][]uint8
}

// New prepares to find the terms that are at most so many edits from a word.
func New(word string, edits int) *Word {
	w := &Word{word: []rune(word), edits: edits}
	first := make([]uint8, len(w.word)+1)
	for j := range first {
		first[j] = w.cut(j)
	}
	w.rows = [][]uint8{first}
	return w
}

// Edits is the distance of a term, where it is near. Where it is not, and neither is any term with
// the same beginning, far is how long that is in bytes; else far is -1.
func (w *Word) Edits(term string) (edits int, near bool, far int) {
	w.keep(term)
	w.last = term
	at := 0
	if len(w.ends) > 0 {
		at = w.ends[len(w.ends)-1]
	}
	for at < len(term) {
		r, size := utf8.DecodeRuneInString(term[at:])
		at += size
		if !w.push(r, at) {
			return 0, false, at
		}
	}
	d := int(w.rows[len(w.rows)-1][len(w.word)])
	return d, d <= w.edits, -1
}

// cut bounds a distance: what is too far is no farther.
func (w *Word) cut(n int) uint8 { return uint8(min(n, w.edits+1)) }

// keep leaves the rows of the code points that the last term and this one begin with.
func (w *Word) keep(term string) {
	common := 0
	for common < len(w.last) && common < len(term) && w.last[common] == term[common] {
		common++
	}
	n := len(w.ends)
	for n > 0 && w.ends[n-1] > common {
		n--
	}
	w.term, w.ends, w.rows = w.term[:n], w.ends[:n], w.rows[:n+1]
}

// row is one that is not in use.
func (w *Word) row(n int) []uint8 {
	if len(w.rows) < cap(w.rows) {
		if old := w.rows[:len(w.rows)+1][len(w.rows)]; old != nil {
			return old
		}
	}
	return make([]uint8, n)
}

// push adds the row of one more code point, which ends at a byte; false where no
// term that goes on from there comes near.
func (w *Word) push(r rune, end int) bool {
	above := w.rows[len(w.rows)-1]
	row := w.row(len(above))
	i := len(w.term)
	row[0] = w.cut(i + 1)
	least, leastAbove := row[0], above[0]
	for j, s := range w.word {
		cost := 1
		if r == s {
			cost = 0
		}
		d := min(int(above[j+1])+1, int(row[j])+1, int(above[j])+cost)
		if i > 0 && j > 0 && r == w.word[j-1] && s == w.term[i-1] {
			d = min(d, int(w.rows[i-1][j-1])+1)
		}
		row[j+1] = w.cut(d)
		least, leastAbove = min(least, row[j+1]), min(leastAbove, above[j+1])
	}
	w.term, w.ends, w.rows = append(w.term, r), append(w.ends, end), append(w.rows, row)
	// An exchange with the next code point begins in the row above.
	return int(least) <= w.edits || int(leastAbove)+1 <= w.edits
}
