package local

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/seed-d3156d19/quarry/store"
)

// scorer is a question prepared for one lane: for each of its terms, the share
// that a posting of weight and a row of length bring to the row's score.
type scorer struct {
	lists func(g *segment) *inverted
	shown func(v *visible) []bitset
	terms []string
	share []func(weight, length float32) float64
}

// bm25Scorer prepares a question for the keyword or the outline lane, which
// differ in their rows. n and lengths are of the population that counts.
func bm25Scorer(s *snapshot, p store.BM25, question []store.QueryTerm, counts *visible, lane scorer, n int, lengths [store.Fields]int) scorer {
	mean := 0.0
	if n > 0 {
		mean = p.Length(lengths) / float64(n)
	}
	for _, q := range question {
		if !(q.Weight > 0) {
			continue
		}
		idf := store.IDF(n, s.frequent(q.Term, counts, lane))
		lane.terms = append(lane.terms, q.Term)
		lane.share = append(lane.share, func(weight, length float32) float64 {
			return p.Score(q.Weight, idf, float64(weight), float64(length), mean)
		})
	}
	return lane
}

// The rows of each lane.
var (
	keywordLane    = scorer{lists: func(g *segment) *inverted { return &g.passages }, shown: func(v *visible) []bitset { return v.rows }}
	identifierLane = scorer{lists: func(g *segment) *inverted { return &g.identifiers }, shown: func(v *visible) []bitset { return v.rows }}
	outlineLane    = scorer{lists: func(g *segment) *inverted { return &g.outline }, shown: func(v *visible) []bitset { return v.sections }}
)

func (v *view) keywordScorer(s *snapshot, question []store.QueryTerm, counts *visible) scorer {
	return bm25Scorer(s, v.store.bm25, question, counts, keywordLane, counts.passages, counts.lengths)
}

func (v *view) identifierScorer(s *snapshot, question []store.QueryTerm, counts *visible) scorer {
	lane := identifierLane
	for _, q := range question {
		if !(q.Weight > 0) {
			continue
		}
		df := s.frequent(q.Term, counts, lane)
		lane.terms = append(lane.terms, q.Term)
		lane.share = append(lane.share, func(weight, _ float32) float64 {
			return store.IdentifierScore(q.Weight, weight, counts.passages, df)
		})
	}
	return lane
}

// frequent is a term's document frequency among the rows that count.
func (s *snapshot) frequent(term string, counts *visible, lane scorer) int {
	sum := resting.Get().(*sums)
	defer resting.Put(sum)
	df := 0
	for i, g := range s.segments {
		lists := lane.lists(g)
		at := lists.find(term)
		if at < 0 {
			continue
		}
		rows := lane.shown(counts)[i]
		if counts.whole[i] {
			df += int(lists.count[at])
			continue
		}
		sum.list = lists.postings(at, sum.list)
		for _, p := range sum.list {
			if rows.has(p.row) {
				df++
			}
		}
	}
	return df
}

// sums are scores by row, kept between questions: all zero when at rest.
type sums struct {
	score   []float64
	touched []uint32
	list    []posting // decoded last
}

var resting = sync.Pool{New: func() any { return new(sums) }}

// run calls fn with every row that the lane gives a score.
func (q *scorer) run(ctx context.Context, s *snapshot, sees *visible, fn func(segment int, row uint32, score float64)) error {
	sum := resting.Get().(*sums)
	defer resting.Put(sum)
	for i, g := range s.segments {
		rows, lists := q.shown(sees)[i], q.lists(g)
		if need := len(rows) * 64; len(sum.score) < need {
			sum.score = make([]float64, need)
		}
		for t, term := range q.terms {
			if err := ctx.Err(); err != nil {
				break // the rest is dropped below
			}
			at := lists.find(term)
			if at < 0 {
				continue
			}
			sum.list = lists.postings(at, sum.list)
			for _, p := range sum.list {
				if !rows.has(p.row) {
					continue
				}
				if share := q.share[t](lists.weights[p.code], lists.length(p.row)); share > 0 {
					if sum.score[p.row] == 0 {
						sum.touched = append(sum.touched, p.row)
					}
					sum.score[p.row] += share
				}
			}
		}
		for _, row := range sum.touched {
			fn(i, row, sum.score[row])
			sum.score[row] = 0
		}
		sum.touched = sum.touched[:0]
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// score gives each of some rows of a segment what run would give it. Every list
// is gone through once, however many rows there are; rows ascend.
func (q *scorer) score(g *segment, rows []uint32, fn func(i int, score float64)) {
	sum := resting.Get().(*sums)
	defer resting.Put(sum)
	lists := q.lists(g)
	scores := make([]float64, len(rows))
	for t, term := range q.terms {
		at := lists.find(term)
		if at < 0 {
			continue
		}
		sum.list = lists.postings(at, sum.list)
		rest := sum.list
		for i, row := range rows {
			n, held := slices.BinarySearchFunc(rest, row, func(p posting, row uint32) int { return cmp.Compare(p.row, row) })
			if rest = rest[n:]; held {
				scores[i] += max(0, q.share[t](lists.weights[rest[0].code], lists.length(row)))
			}
		}
	}
	for i, score := range scores {
		fn(i, score)
	}
}

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
	return v.rank(ctx, k, func(s *snapshot, counts *visible) scorer { return v.keywordScorer(s, terms, counts) })
}

// Identifier implements store.View.
func (v *view) Identifier(ctx context.Context, identifiers []store.QueryTerm, k int) (store.Hits, error) {
	return v.rank(ctx, k, func(s *snapshot, counts *visible) scorer { return v.identifierScorer(s, identifiers, counts) })
}

func (v *view) rank(ctx context.Context, k int, prepare func(*snapshot, *visible) scorer) (store.Hits, error) {
	s, sees, counts, err := v.searchable(ctx)
	if err != nil {
		return store.Hits{}, err
	}
	q, r := prepare(s, counts), newRanking(k)
	err = q.run(ctx, s, sees, func(i int, row uint32, score float64) { r.add(s.segments[i].rows[row].id, score) })
	if err != nil {
		return store.Hits{}, err
	}
	return r.hits(sees.passages), nil
}

// Statistics implements store.View.
func (v *view) Statistics(ctx context.Context, terms []string) (store.Statistics, error) {
	s, _, counts, err := v.searchable(ctx)
	if err != nil {
		return store.Statistics{}, err
	}
	out := store.Statistics{Passages: counts.passages, Lengths: counts.lengths, Frequent: make(map[string]int, len(terms))}
	for _, t := range terms {
		out.Frequent[t] = s.frequent(t, counts, keywordLane)
	}
	return out, nil
}
