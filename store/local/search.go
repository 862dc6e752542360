package local

import (
	"context"
	"math"
	"sync"

	"github.com/seed-d3156d19/quarry/store"
)

// lane is what the keyword, identifier and outline lanes differ in: their rows.
type lane struct {
	name  string
	lists func(g *segment) *inverted
	shown func(v *visible) []bitset
}

var (
	keywordLane    = lane{"keyword", func(g *segment) *inverted { return &g.passages }, func(v *visible) []bitset { return v.rows }}
	identifierLane = lane{"identifier", func(g *segment) *inverted { return &g.identifiers }, func(v *visible) []bitset { return v.rows }}
	outlineLane    = lane{"outline", func(g *segment) *inverted { return &g.outline }, func(v *visible) []bitset { return v.sections }}
)

// scorer is a question prepared for one lane.
type scorer struct {
	lane
	terms  []string
	shares []share // of each term
}

// bm25Scorer prepares a question for a lane. n and lengths are of the population that
// counts.
func bm25Scorer(s *snapshot, p store.BM25, question []store.QueryTerm, counts *visible, of lane, n int, lengths [store.Fields]int) (scorer, error) {
	mean := 0.0
	if n > 0 {
		mean = p.Length(lengths) / float64(n)
	}
	return newScorer(s, question, counts, of, func(weight float64, df int) share {
		return bm25Share(p, weight, store.IDF(n, df), mean)
	})
}

func (v *view) keywordScorer(s *snapshot, question []store.QueryTerm, counts *visible) (scorer, error) {
	return bm25Scorer(s, v.store.bm25, question, counts, keywordLane, counts.passages, counts.lengths)
}

func (v *view) identifierScorer(s *snapshot, question []store.QueryTerm, counts *visible) (scorer, error) {
	return newScorer(s, question, counts, identifierLane, func(weight float64, df int) share {
		return share{scale: store.IdentifierScore(weight, 1, counts.passages, df), plain: true}
	})
}

func newScorer(s *snapshot, question []store.QueryTerm, counts *visible, of lane, share func(weight float64, df int) share) (scorer, error) {
	q := scorer{lane: of}
	for _, t := range question {
		if !(t.Weight > 0) {
			continue
		}
		df, err := s.frequent(t.Term, counts, of)
		if err != nil {
			return q, err
		}
		q.terms, q.shares = append(q.terms, t.Term), append(q.shares, share(t.Weight, df))
	}
	align(q.shares)
	return q, nil
}

// score gives each of some rows of a segment what run would give it. Rows ascend.
func (q *scorer) score(g *segment, rows []uint32, fn func(i int, score float64)) error {
	lists := q.lists(g)
	scores := make([]float64, len(rows))
	c := resting.Get().(*cursor)
	defer resting.Put(c)
	for t, term := range q.terms {
		at := lists.find(term)
		if at < 0 {
			continue
		}
		c.open(lists, at)
		for i, row := range rows {
			if code, ok := c.has(row); ok {
				scores[i] += q.shares[t].of(lists.weights[code], lists.length(row))
			}
		}
		if err := c.err(); err != nil {
			return err
		}
	}
	for i, score := range scores {
		fn(i, score)
	}
	return nil
}

// resting are cursors kept between questions.
var resting = sync.Pool{New: func() any { return new(cursor) }}

// hit is a row and its score while the best are looked for.
type hit struct {
	id    string // bytes of the passage id
	score float64
}

func worse(a, b hit) bool {
	if a.score != b.score {
		return a.score < b.score
	}
	return a.id > b.id
}

// ranking collects hits and what is needed to normalise their scores.
type ranking struct {
	top      top[hit]
	matched  int
	min, max float64
}

func newRanking(k int) *ranking {
	return &ranking{top: top[hit]{k: k, worse: worse}, min: math.Inf(1), max: math.Inf(-1)}
}

// least is the score below which add is in vain.
func (r *ranking) least() float64 {
	switch {
	case r.top.k <= 0:
		return r.max
	case len(r.top.kept) < r.top.k:
		return math.Inf(-1)
	}
	return r.top.kept[0].score
}

func (r *ranking) add(id string, score float64) {
	r.matched++
	r.min, r.max = min(r.min, score), max(r.max, score)
	if n := len(r.top.kept); n == r.top.k && n > 0 && score < r.top.kept[0].score {
		return // most of them
	}
	r.top.offer(hit{id, score})
}

// hits ends a ranking. The passages that were seen and gave nothing count as 0;
// seen below zero says that they do not count.
func (r *ranking) hits(seen int) store.Hits {
	if r.matched < seen {
		r.min, r.max = min(r.min, 0), max(r.max, 0)
	}
	out := store.Hits{Matched: r.matched, Min: r.min, Max: r.max}
	if math.IsInf(out.Min, 0) {
		out.Min, out.Max = 0, 0
	}
	for _, h := range r.top.best() {
		out.Hits = append(out.Hits, store.Hit{Passage: passageID(h.id), Score: h.score})
	}
	return out
}

// Keyword implements store.View.
func (v *view) Keyword(ctx context.Context, terms []store.QueryTerm, k int) (store.Hits, error) {
	return v.rank(ctx, k, func(s *snapshot, counts *visible) (scorer, error) { return v.keywordScorer(s, terms, counts) })
}

// Identifier implements store.View.
func (v *view) Identifier(ctx context.Context, identifiers []store.QueryTerm, k int) (store.Hits, error) {
	return v.rank(ctx, k, func(s *snapshot, counts *visible) (scorer, error) { return v.identifierScorer(s, identifiers, counts) })
}

func (v *view) rank(ctx context.Context, k int, prepare func(*snapshot, *visible) (scorer, error)) (store.Hits, error) {
	s, sees, counts, err := v.searchable(ctx)
	if err != nil {
		return store.Hits{}, err
	}
	q, err := prepare(s, counts)
	if err != nil {
		return store.Hits{}, v.store.wrap("searching", err)
	}
	r := newRanking(k)
	offer := func(i int, row uint32, score float64) { r.add(s.segments[i].idOf(row), score) }
	matched, err := q.run(ctx, s, sees, r.least, offer)
	if err == nil && matched == sees.passages && matched > 0 {
		// Every passage matches: the least score is that of one of them, and is
		// found by asking for all.
		r = newRanking(k)
		matched, err = q.run(ctx, s, sees, everything, offer)
	}
	if err != nil {
		return store.Hits{}, v.store.wrap("searching", err)
	}
	r.matched = matched
	return r.hits(sees.passages), nil
}

// everything is a bound that no score falls below.
func everything() float64 { return math.Inf(-1) }

// Statistics implements store.View.
func (v *view) Statistics(ctx context.Context, terms []string) (store.Statistics, error) {
	s, _, counts, err := v.searchable(ctx)
	if err != nil {
		return store.Statistics{}, err
	}
	out := store.Statistics{Passages: counts.passages, Lengths: counts.lengths, Frequent: make(map[string]int, len(terms))}
	for _, t := range terms {
		if out.Frequent[t], err = s.frequent(t, counts, keywordLane); err != nil {
			return store.Statistics{}, v.store.wrap("counting", err)
		}
	}
	return out, nil
}
