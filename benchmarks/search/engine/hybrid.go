package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/store"
)

// The weights with which Quarry fuses by default.
const keywordWeight, vectorWeight = 0.35, 0.65

// hybrid asks both lanes for k at once, asks each at once for the scores of what the other alone
// found, and fuses, as internal/retrieve does.
func hybrid(ctx context.Context, view store.View, q corpus.Question, k int) ([]store.Hit, error) {
	terms, model := queryTerms(q), oursModel(len(q.Vector))
	var words, near store.Hits
	var failed [2]error
	var both sync.WaitGroup
	both.Go(func() { words, failed[0] = view.Keyword(ctx, terms, k) })
	both.Go(func() { near, failed[1] = view.Vector(ctx, model, q.Vector, k) })
	both.Wait()
	if err := errors.Join(failed[:]...); err != nil {
		return nil, err
	}
	ids := union(words.Hits, near.Hits)
	var byWords, byVector []float64
	both.Go(func() {
		byWords, failed[0] = scores(ids, words.Hits, func(missing []document.PassageID) ([]float64, error) {
			return view.ScoreKeyword(ctx, terms, missing)
		})
	})
	both.Go(func() {
		byVector, failed[1] = scores(ids, near.Hits, func(missing []document.PassageID) ([]float64, error) {
			return view.ScoreVector(ctx, model, q.Vector, missing)
		})
	})
	both.Wait()
	if err := errors.Join(failed[:]...); err != nil {
		return nil, err
	}
	fused := retrieve.Weighted(len(ids), []retrieve.Lane{
		{Weight: keywordWeight, Scores: byWords, Min: words.Min, Max: words.Max},
		{Weight: vectorWeight, Scores: byVector, Min: near.Min, Max: near.Max},
	})
	hits := make([]store.Hit, len(ids))
	for i, id := range ids {
		hits[i] = store.Hit{Passage: id, Score: fused[i]}
	}
	slices.SortFunc(hits, func(a, b store.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Passage, b.Passage))
	})
	return hits[:min(k, len(hits))], nil
}

func union(lanes ...[]store.Hit) []document.PassageID {
	var ids []document.PassageID
	seen := map[document.PassageID]bool{}
	for _, hits := range lanes {
		for _, h := range hits {
			if !seen[h.Passage] {
				seen[h.Passage] = true
				ids = append(ids, h.Passage)
			}
		}
	}
	return ids
}

// scores are those of all ids: of the hits, and for the others what ask says.
func scores(ids []document.PassageID, hits []store.Hit, ask func([]document.PassageID) ([]float64, error)) ([]float64, error) {
	known := make(map[document.PassageID]float64, len(ids))
	for _, h := range hits {
		known[h.Passage] = h.Score
	}
	var missing []document.PassageID
	for _, id := range ids {
		if _, ok := known[id]; !ok {
			missing = append(missing, id)
		}
	}
	asked, err := ask(missing)
	if err != nil {
		return nil, err
	}
	for i, id := range missing {
		known[id] = asked[i]
	}
	out := make([]float64, len(ids))
	for i, id := range ids {
		out[i] = known[id]
	}
	return out, nil
}
