package local

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/phrases"
)

// Phrase implements store.View. The index says which passages hold the words; where they
// stand in them is read from the record: few questions ask for it, and in the index it
// would take memory for all.
func (v *view) Phrase(ctx context.Context, phrase store.Phrase, k int) (store.PhraseHits, error) {
	s, sees, counts, err := v.searchable(ctx)
	if err != nil {
		return store.PhraseHits{}, err
	}
	holders, matched, err := v.holders(ctx, s, sees, counts, phrase, k)
	if err != nil {
		return store.PhraseHits{}, v.store.wrap("looking for a phrase", err)
	}
	closest := newRanking(len(holders))
	p := &phrasePlaces{Places: phrases.New(phrase)}
	err = v.reads(ctx, "reading where words stand", func(c *conn) error {
		for _, at := range holders {
			h, err := v.held(ctx, c, s, sees, at, false)
			if err != nil {
				return err
			}
			closeness, err := p.read(ctx, c, h.body.passages[h.n].row)
			if err != nil {
				return err
			}
			if closeness > 0 {
				closest.add(s.segments[at.segment].idOf(at.row), closeness)
			}
		}
		return nil
	})
	if err != nil {
		return store.PhraseHits{}, err
	}
	return store.PhraseHits{Hits: closest.hits(0).Hits, Matched: matched}, nil
}

// holders lists the passages that are seen and hold every word of a phrase, in any field, k
// at most, and counts all.
func (v *view) holders(ctx context.Context, s *snapshot, sees, counts *visible, phrase store.Phrase, k int) (holders []spot, matched int, err error) {
	rows := make([][]uint32, len(s.segments))
	for i, g := range s.segments {
		if rows[i], err = keywordLane.lists(g).holding(ctx, phrase, keywordLane.shown(sees)[i]); err != nil {
			return nil, 0, err
		}
		matched += len(rows[i])
	}
	if matched > k {
		holders, err = v.likeliest(ctx, s, counts, phrase, rows, k)
		return holders, matched, err
	}
	for i := range rows {
		for _, row := range rows[i] {
			holders = append(holders, spot{i, row})
		}
	}
	return holders, matched, nil
}

// wordLists are the lists of the terms that a word of a phrase may be.
type wordLists struct {
	lists []int
	count uint32 // of their postings
}

// holding lists the rows that are seen and in a list of every word, ascending: those of the
// rarest word, as far as they are in the lists of the others.
func (x *inverted) holding(ctx context.Context, phrase store.Phrase, seen bitset) ([]uint32, error) {
	words := make([]wordLists, 0, len(phrase))
	for _, terms := range phrase {
		var w wordLists
		for _, term := range terms {
			if n := x.find(term); n >= 0 {
				w.lists = append(w.lists, n)
				w.count += x.count.at(n)
			}
		}
		if len(w.lists) == 0 {
			return nil, nil
		}
		words = append(words, w)
	}
	if len(words) == 0 {
		return nil, nil
	}
	slices.SortFunc(words, func(a, b wordLists) int {
		return cmp.Or(cmp.Compare(a.count, b.count), slices.Compare(a.lists, b.lists))
	})
	words = slices.CompactFunc(words, func(a, b wordLists) bool { return slices.Equal(a.lists, b.lists) })
	var c cursor
	var rows []uint32
	for _, n := range words[0].lists {
		c.open(x, n)
		if err := c.all(func(p posting) {
			if seen.has(p.row) {
				rows = append(rows, p.row)
			}
		}); err != nil {
			return nil, err
		}
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	for _, w := range words[1:] {
		if err := ctx.Err(); err != nil || len(rows) == 0 {
			return nil, err
		}
		in := make([]bool, len(rows))
		for _, n := range w.lists {
			c.open(x, n)
			for i, row := range rows {
				if _, ok := c.has(row); ok {
					in[i] = true
				}
			}
			if err := c.err(); err != nil {
				return nil, err
			}
		}
		kept := rows[:0]
		for i, row := range rows {
			if in[i] {
				kept = append(kept, row)
			}
		}
		rows = kept
	}
	return rows, nil
}

// likeliest keeps of rows, by segment, the k that the keyword lane puts first for the terms
// of the phrase.
func (v *view) likeliest(ctx context.Context, s *snapshot, counts *visible, phrase store.Phrase, rows [][]uint32, k int) ([]spot, error) {
	var question []store.QueryTerm
	for _, term := range phrase.Terms() {
		question = append(question, store.QueryTerm{Term: term, Weight: 1})
	}
	q, err := v.keywordScorer(s, question, counts)
	if err != nil {
		return nil, err
	}
	type scored struct {
		hit
		at spot
	}
	best := top[scored]{k: k, worse: func(a, b scored) bool { return worse(a.hit, b.hit) }}
	for i, g := range s.segments {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := q.score(g, rows[i], func(n int, score float64) {
			best.offer(scored{hit{g.idOf(rows[i][n]), score}, spot{i, rows[i][n]}})
		}); err != nil {
			return nil, err
		}
	}
	kept := make([]spot, len(best.kept))
	for i, h := range best.kept {
		kept[i] = h.at
	}
	// Document by document, so that each is decoded once.
	slices.SortFunc(kept, spot.compare)
	return kept, nil
}

// phrasePlaces reads where the words of a phrase stand in one passage after the other.
type phrasePlaces struct {
	*phrases.Places
	terms []byte
}

// read gives the closeness of a passage, by its row in the record.
func (p *phrasePlaces) read(ctx context.Context, c *conn, row int64) (float64, error) {
	found, err := c.get(ctx, "SELECT terms FROM passage WHERE row = ?", []any{row}, &p.terms)
	if err != nil {
		return 0, err
	}
	if !found {
		return 0, dangling("a passage")
	}
	p.Clear()
	if err := decodeTerms(p.terms, visitor{
		lengths:    func([store.Fields]uint32) {},
		identifier: func([]byte, float32) {},
		places:     p.Add,
	}); err != nil {
		return 0, err
	}
	return p.Closeness(), nil
}
