package local

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/near"
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
		err := eachNear(ctx, &lists.terms, term, edits, func(n, edits int) error {
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

// eachNear calls fn with the number of each term of a sorted column that is at most so many edits
// from a word, and its distance. It passes over all terms that begin in a way that cannot come near any more.
func eachNear(ctx context.Context, terms *column, word string, edits int, fn func(n, edits int) error) error {
	w := near.New(word, edits)
	for n := 0; n < terms.n; {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		term := terms.at(n)
		d, isNear, far := w.Edits(term)
		if far >= 0 {
			n = beyond(terms, n, term[:far])
			continue
		}
		if isNear {
			if err := fn(n, d); err != nil {
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
