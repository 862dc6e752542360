package lanes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/near"
)

// mostCounted is of how many terms lists are read at a time to count who holds them.
const mostCounted = 256

// Near is store.View's. Terms of about the length are proposed by SQL, the edit distance accepts
// them. A trigram index would propose fewer and is of no use: under row-level security Postgres
// does not hand its operators to an index, as they are not marked leakproof.
func (r *Reader) Near(ctx context.Context, term string, edits, k int) ([]store.NearTerm, error) {
	if edits < 0 || edits > store.MaxEdits {
		return nil, fmt.Errorf("%w: terms at %d edits are asked for, and at most %d are looked for", store.ErrInvalid, edits, store.MaxEdits)
	}
	if edits == 0 {
		found, err := r.held(ctx, []store.NearTerm{{Term: term}})
		return found[:min(max(k, 0), len(found))], err
	}
	accepted, err := r.accepted(ctx, term, edits)
	if err != nil {
		return nil, err
	}
	var found []store.NearTerm
	for some := range slices.Chunk(accepted, mostCounted) {
		held, err := r.held(ctx, some)
		if err != nil {
			return nil, err
		}
		found = append(found, held...)
	}
	slices.SortFunc(found, func(a, b store.NearTerm) int {
		return cmp.Or(cmp.Compare(a.Edits, b.Edits), cmp.Compare(b.Passages, a.Passages), cmp.Compare(a.Term, b.Term))
	})
	return found[:min(max(k, 0), len(found))], nil
}

// accepted are the tenant's terms that are near enough, whoever may read what holds them.
func (r *Reader) accepted(ctx context.Context, term string, edits int) ([]store.NearTerm, error) {
	length := utf8.RuneCountInString(term)
	rows, err := r.q.Query(ctx, `SELECT term FROM term WHERE tenant = $1 AND length BETWEEN $2 AND $3 ORDER BY length, term`,
		r.scope.Tenant, clampLength(length-edits), clampLength(length+edits))
	if err != nil {
		return nil, err
	}
	word := near.New(term, edits)
	var found []store.NearTerm
	var t string
	_, err = pgx.ForEachRow(rows, []any{&t}, func() error {
		if d, ok, _ := word.Edits(t); ok {
			found = append(found, store.NearTerm{Term: t, Edits: d})
		}
		return nil
	})
	return found, err
}

// held counts the passages that are seen and hold each term, and leaves out those that none does.
func (r *Reader) held(ctx context.Context, terms []store.NearTerm) ([]store.NearTerm, error) {
	sees, err := r.seen(ctx, false)
	if err != nil {
		return nil, err
	}
	asked := make([]string, len(terms))
	for i, n := range terms {
		asked[i] = n.Term
	}
	lists, err := r.listsOf(ctx, words, asked, false)
	if err != nil {
		return nil, err
	}
	var out []store.NearTerm
	for _, n := range terms {
		if n.Passages, err = lists[n.Term].common(sees); err != nil {
			return nil, err
		}
		if n.Passages > 0 {
			out = append(out, n)
		}
	}
	return out, nil
}

// clampLength is a length as table term has it.
func clampLength(n int) int { return min(max(n, 0), mostTerm) }
