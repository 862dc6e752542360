package lanes

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/phrases"
	"github.com/seed-d3156d19/quarry/store/internal/terms"
)

// Phrase is store.View's. The lists say which passages hold the words; where they stand in them
// is read from the record.
func (r *Reader) Phrase(ctx context.Context, phrase store.Phrase, k int) (store.PhraseHits, error) {
	var out store.PhraseHits
	if len(phrase) == 0 {
		return out, nil
	}
	sees, err := r.seen(ctx, false)
	if err != nil {
		return out, err
	}
	lists, err := r.listsOf(ctx, words, phrase.Terms(), false)
	if err != nil {
		return out, err
	}
	holders, err := holding(phrase, lists, sees)
	if err != nil {
		return out, err
	}
	out.Matched = len(holders)
	if len(holders) > k {
		if holders, err = r.likeliest(ctx, phrase, holders, k); err != nil {
			return out, err
		}
	}
	out.Hits, err = r.closest(ctx, phrase, holders)
	return out, err
}

// holding lists the rows that hold every word of a phrase, in any field.
func holding(phrase store.Phrase, lists map[string]list, sees *rowSet) ([]int64, error) {
	var out []int64
	for i, b := range sees.blocks {
		both := *sees.blocks[i].rows
		for _, word := range phrase {
			var any bitset
			for _, term := range word {
				if l, ok := lists[term].in(b.id); ok {
					if err := any.add(l.rows); err != nil {
						return nil, err
					}
				}
			}
			for j := range both {
				both[j] &= any[j]
			}
		}
		both.each(func(at uint16) { out = append(out, b.id*blockRows+int64(at)) })
	}
	return out, nil
}

// likeliest keeps the k rows that the keyword lane puts first for the terms of the phrase.
func (r *Reader) likeliest(ctx context.Context, phrase store.Phrase, rows []int64, k int) ([]int64, error) {
	var question []store.QueryTerm
	for _, term := range phrase.Terms() {
		question = append(question, store.QueryTerm{Term: term, Weight: 1})
	}
	q, err := r.prepare(ctx, words, question)
	if err != nil {
		return nil, err
	}
	sees, err := r.seen(ctx, false)
	if err != nil {
		return nil, err
	}
	best := newRanking(k)
	if err := r.index.rank(ctx, q, sees.only(rows), best); err != nil {
		return nil, err
	}
	hits, err := r.name(ctx, best, k)
	if err != nil {
		return nil, err
	}
	ids := make([]document.PassageID, len(hits))
	for i, h := range hits {
		ids[i] = h.Passage
	}
	found, err := r.find(ctx, ids)
	out := make([]int64, len(found))
	for i, p := range found {
		out[i] = p.row
	}
	return out, err
}

// closest reads where the words stand in the given rows, and ranks those that hold them all in
// one field.
func (r *Reader) closest(ctx context.Context, phrase store.Phrase, ids []int64) ([]store.Hit, error) {
	places := phrases.New(phrase)
	var hits []store.Hit
	for some := range slices.Chunk(ids, 1000) {
		var name, encoded []byte
		if err := r.each(ctx, lookups, `SELECT name, terms FROM passage WHERE tenant = $1 AND id = ANY($2)`, []any{r.scope.Tenant, some}, []any{&name, &encoded}, func() error {
			t, err := terms.Decode(encoded)
			if err != nil {
				return err
			}
			places.Clear()
			for _, p := range t.Postings {
				places.Add(p.Field, []byte(p.Term), p.Positions)
			}
			if c := places.Closeness(); c > 0 {
				hits = append(hits, store.Hit{Passage: document.PassageID(hex.EncodeToString(name)), Score: c})
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(hits, func(a, b store.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Passage, b.Passage))
	})
	return hits, nil
}
