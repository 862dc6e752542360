package lanes

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/store"
)

// Keyword is store.View's.
func (r *Reader) Keyword(ctx context.Context, terms []store.QueryTerm, k int) (store.Hits, error) {
	return r.rank(ctx, words, terms, k)
}

// Identifier is store.View's.
func (r *Reader) Identifier(ctx context.Context, terms []store.QueryTerm, k int) (store.Hits, error) {
	return r.rank(ctx, identifiers, terms, k)
}

func (r *Reader) rank(ctx context.Context, of lane, terms []store.QueryTerm, k int) (store.Hits, error) {
	best, sees, err := r.best(ctx, of, terms, k)
	if err != nil {
		return store.Hits{}, err
	}
	out := store.Hits{Matched: best.matched}
	out.Min, out.Max = best.bounds(sees.rows)
	out.Hits, err = r.name(ctx, best, k)
	return out, err
}

func (r *Reader) best(ctx context.Context, of lane, terms []store.QueryTerm, k int) (*ranking, *rowSet, error) {
	sees, err := r.seen(ctx, of.sections())
	if err != nil {
		return nil, nil, err
	}
	q, err := r.prepare(ctx, of, terms)
	if err != nil {
		return nil, nil, err
	}
	best := newRanking(k)
	if err := r.apart(func() error { return r.index.rank(ctx, q, sees, best) }); err != nil {
		return nil, nil, err
	}
	return best, sees, nil
}

// name gives the best passages their names, by which those that score the same are ranked.
func (r *Reader) name(ctx context.Context, best *ranking, k int) ([]store.Hit, error) {
	ids := best.rows()
	if len(ids) == 0 {
		return nil, nil
	}
	scores := make(map[int64]float64, len(ids))
	for _, s := range best.kept {
		scores[s.row] = s.score
	}
	sees, err := r.seen(ctx, false)
	if err != nil {
		return nil, err
	}
	hits := make([]store.Hit, 0, len(ids))
	hit := func(id int64, name []byte, key string) {
		hits = append(hits, store.Hit{Passage: r.note(name, id, key), Score: scores[id]})
	}
	var unknown []int64
	for _, id := range ids {
		who := r.identitiesOf(sees.blocks[sees.at[blockOf(id)]])
		if at := placeOf(id); who != nil && who.keys[at] != "" {
			hit(id, []byte(who.names[at]), who.keys[at])
		} else {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) > 0 {
		var id int64
		var name, key []byte
		if err := r.each(ctx, lookups, `SELECT id, name, key FROM passage WHERE tenant = $1 AND id = ANY($2)`, []any{r.scope.Tenant, unknown}, []any{&id, &name, &key}, func() error {
			hit(id, name, string(key))
			return nil
		}); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(hits, func(a, b store.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Passage, b.Passage))
	})
	return hits[:min(max(k, 0), len(hits))], nil
}

// SectionHit is a section, by its id in the table, and its score.
type SectionHit struct {
	ID    int64
	Score float64
}

// Outline is store.View's, with sections by their ids.
func (r *Reader) Outline(ctx context.Context, terms []store.QueryTerm, k int) (hits []SectionHit, matched int, greatest float64, err error) {
	best, _, err := r.best(ctx, outline, terms, k)
	if err != nil {
		return nil, 0, 0, err
	}
	ids := best.rows()
	if best.matched > 0 {
		greatest = max(0, best.max)
	}
	if len(ids) == 0 {
		return nil, best.matched, greatest, nil
	}
	// Those that score the same follow each other by their documents.
	rows, err := r.q.Query(ctx, `
		SELECT s.id FROM section s JOIN document d ON d.id = s.document
		WHERE s.tenant = $1 AND s.id = ANY($2) ORDER BY d.source, d.path, s.n`, r.scope.Tenant, ids)
	if err != nil {
		return nil, 0, 0, err
	}
	ordered, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, 0, 0, err
	}
	scores := make(map[int64]float64, len(ids))
	for _, s := range best.kept {
		scores[s.row] = s.score
	}
	for _, id := range ordered {
		hits = append(hits, SectionHit{id, scores[id]})
	}
	slices.SortStableFunc(hits, func(a, b SectionHit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(max(k, 0), len(hits))], best.matched, greatest, nil
}

// Statistics is store.View's.
func (r *Reader) Statistics(ctx context.Context, terms []string) (store.Statistics, error) {
	tally := &r.scope.PopulationTally
	out := store.Statistics{Passages: tally.Passages, Lengths: tally.Lengths, Frequent: make(map[string]int, len(terms))}
	counts, err := r.population(ctx, false)
	if err != nil {
		return out, err
	}
	lists, err := r.listsOf(ctx, words, terms, true)
	if err != nil {
		return out, err
	}
	for _, t := range terms {
		if out.Frequent[t], err = counts.frequent(words, t, lists[t]); err != nil {
			return out, err
		}
	}
	return out, nil
}
