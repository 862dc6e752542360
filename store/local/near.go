package local

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/store"
)

// Near implements store.View.
func (v *view) Near(ctx context.Context, term string, edits, k int) ([]store.NearTerm, error) {
	if edits < 0 || edits > store.MaxEdits {
		return nil, fmt.Errorf("%w: terms at %d edits are asked for, and at most %d are looked for", store.ErrInvalid, edits, store.MaxEdits)
	}
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return nil, err
	}
	var found []store.NearTerm
	at := map[string]int{} // in found
	var c cursor
	for i, g := range s.segments {
		lists := keywordLane.lists(g)
		err := newNeighbours(term, edits).each(ctx, &lists.terms, func(n int, edits int) error {
			c.open(lists, n)
			df := c.common(keywordLane.shown(sees)[i])
			if df == 0 {
				return c.err()
			}
			name := lists.terms.at(n)
			place, ok := at[name]
			if !ok {
				place = len(found)
				at[name] = place
				found = append(found, store.NearTerm{Term: name, Edits: edits})
			}
			found[place].Passages += df
			return c.err()
		})
		if err != nil {
			return nil, v.store.wrap("looking for near terms", err)
		}
	}
	slices.SortFunc(found, func(a, b store.NearTerm) int {
		return cmp.Or(cmp.Compare(a.Edits, b.Edits), cmp.Compare(b.Passages, a.Passages), cmp.Compare(a.Term, b.Term))
	})
	return found[:min(max(k, 0), len(found))], nil
}

// neighbours finds the terms within some edits of a word in a sorted column. It keeps a
// row of the table of distances (see store.Edits) for each code point of the term at
// hand, so that terms with a beginning in common share its rows, and passes over all
// that begin in a way that cannot come near any more.
type neighbours struct {
	word  []rune
	edits int
	term  []rune // that rows are of
	ends  []int  // in bytes, of each code point of term
	rows  [][]uint8
}

func newNeighbours(word string, edits int) *neighbours {
	w := &neighbours{word: []rune(word), edits: edits}
	first := make([]uint8, len(w.word)+1)
	for j := range first {
		first[j] = w.cut(j)
	}
	w.rows = [][]uint8{first}
	return w
}

// cut bounds a distance: what is too far is no farther.
func (w *neighbours) cut(n int) uint8 { return uint8(min(n, w.edits+1)) }

// each calls fn with the number of each near term and its distance.
func (w *neighbours) each(ctx context.Context, terms *column, fn func(n, edits int) error) error {
	last := ""
	for n := 0; n < terms.n; {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		term := terms.at(n)
		w.keep(last, term)
		last = term
		at := 0
		if len(w.ends) > 0 {
			at = w.ends[len(w.ends)-1]
		}
		near := true
		for at < len(term) && near {
			r, size := utf8.DecodeRuneInString(term[at:])
			at += size
			near = w.push(r, at)
		}
		if !near {
			n = beyond(terms, n, term[:at])
			continue
		}
		if d := w.rows[len(w.rows)-1][len(w.word)]; int(d) <= w.edits {
			if err := fn(n, int(d)); err != nil {
				return err
			}
		}
		n++
	}
	return nil
}

// beyond is the first term after the n-th that does not begin with prefix, as that one
// does. It is near by most often, so the steps grow.
func beyond(terms *column, n int, prefix string) int {
	past := func(i int) bool { return i >= terms.n || !strings.HasPrefix(terms.at(i), prefix) }
	step := 1
	for !past(n + step) {
		n += step
		step *= 2
	}
	return n + 1 + sort.Search(step-1, func(i int) bool { return past(n + 1 + i) })
}

// keep leaves the rows of the code points that two terms begin with.
func (w *neighbours) keep(last, term string) {
	common := 0
	for common < len(last) && common < len(term) && last[common] == term[common] {
		common++
	}
	n := len(w.ends)
	for n > 0 && w.ends[n-1] > common {
		n--
	}
	w.term, w.ends, w.rows = w.term[:n], w.ends[:n], w.rows[:n+1]
}

// row is one that is not in use.
func (w *neighbours) row(n int) []uint8 {
	if len(w.rows) < cap(w.rows) {
		if old := w.rows[:len(w.rows)+1][len(w.rows)]; old != nil {
			return old
		}
	}
	return make([]uint8, n)
}

// push adds the row of one more code point, which ends at a byte; false where no
// term that goes on from there comes near.
func (w *neighbours) push(r rune, end int) bool {
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
