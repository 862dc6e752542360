package local

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Vector implements store.View: every vector under the scope is compared, so
// recall is 1 however few the scope sees.
func (v *view) Vector(ctx context.Context, model store.Model, query []float32, k int) (store.Hits, error) {
	if err := checkQuery(model, query); err != nil {
		return store.Hits{}, err
	}
	s, sees, set, err := v.embedded(ctx, model)
	if err != nil {
		return store.Hits{}, err
	}
	r := newRanking(k)
	if set == nil {
		return r.hits(-1), nil
	}
	var work []stretch
	for i, g := range s.segments {
		l := s.link(g, set)
		for from := 0; from < len(sees.rows[i]); from += stretchWords {
			work = append(work, stretch{g, l, sees.rows[i], from, min(from+stretchWords, len(sees.rows[i]))})
		}
	}
	workers := min(runtime.GOMAXPROCS(0), len(work))
	parts := make([]*ranking, workers)
	var group sync.WaitGroup
	for n := range workers {
		parts[n] = newRanking(k)
		part := func() {
			for i := n; i < len(work) && ctx.Err() == nil; i += workers {
				work[i].rank(set, query, parts[n])
			}
		}
		if n == workers-1 {
			part() // here; one stretch needs no other goroutine
		} else {
			group.Go(part)
		}
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return store.Hits{}, err
	}
	for _, part := range parts {
		r.merge(part)
	}
	return r.hits(-1), nil
}

// embedded returns what is searched by vectors of a model; the set is nil where
// there are none.
func (v *view) embedded(ctx context.Context, model store.Model) (*snapshot, *visible, *vectorSet, error) {
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	set := s.vectors[model]
	if set != nil {
		err = v.reads(ctx, "reading vectors", func(c *conn) error { return set.fill(ctx, c) })
	}
	return s, sees, set, err
}

// stretch is a part of a segment's rows that one goroutine compares: large enough
// that starting another one pays, about 4 MB of vectors.
type stretch struct {
	segment  *segment
	link     *link
	seen     bitset
	from, to int // words of seen
}

const stretchWords = 32 // of 64 rows

func (w *stretch) rank(set *vectorSet, query []float32, r *ranking) {
	for word := w.from; word < w.to; word++ {
		for rows := w.seen[word] & w.link.has[word]; rows != 0; rows &= rows - 1 {
			row := word*64 + bits.TrailingZeros64(rows)
			r.add(w.segment.rows[row].id, closest(query, set.of(w.link.slots[row])))
		}
	}
}

// merge adds the hits of another ranking.
func (r *ranking) merge(o *ranking) {
	r.matched += o.matched
	r.min, r.max = min(r.min, o.min), max(r.max, o.max)
	for _, h := range o.top.kept {
		r.top.offer(h)
	}
}

func checkQuery(model store.Model, query []float32) error {
	if len(query) != model.Dims || model.Dims == 0 {
		return fmt.Errorf("%w: a question of %d dimensions is asked of model %s with %d", store.ErrInvalid, len(query), model.Name, model.Dims)
	}
	return nil
}

// closest is the greatest dot product of query with any of the windows, which
// stand one behind the other.
func closest(query, windows []float32) float64 {
	best := math.Inf(-1)
	for n := len(query); len(windows) >= n; windows = windows[n:] {
		best = max(best, float64(dot(query, windows[:n])))
	}
	return best
}

// dot has four sums so that an addition need not wait for the one before, and
// array pointers so that an index is checked once for eight of them.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	for len(a) >= 8 {
		x, y := (*[8]float32)(a), (*[8]float32)(b)
		s0 += x[0]*y[0] + x[4]*y[4]
		s1 += x[1]*y[1] + x[5]*y[5]
		s2 += x[2]*y[2] + x[6]*y[6]
		s3 += x[3]*y[3] + x[7]*y[7]
		a, b = a[8:], b[8:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// scoreEach gives each passage, in order, the score that prepare's function gives
// the rows of a segment, which ascend.
func (v *view) scoreEach(ctx context.Context, passages []document.PassageID,
	prepare func(*snapshot, *visible) func(g *segment, rows []uint32, fn func(int, float64))) ([]float64, error) {
	s, sees, counts, err := v.searchable(ctx)
	if err != nil {
		return nil, err
	}
	type asked struct {
		spot
		i int
	}
	list := make([]asked, len(passages))
	for i, id := range passages {
		at, ok := s.find(rawID(id), sees)
		if !ok {
			return nil, notFound{"passage " + string(id)}
		}
		list[i] = asked{at, i}
	}
	slices.SortFunc(list, func(a, b asked) int { return a.compare(b.spot) })
	score := prepare(s, counts)
	out := make([]float64, len(passages))
	var rows []uint32
	for from, to := 0, 0; from < len(list); from = to {
		rows = rows[:0]
		for to = from; to < len(list) && list[to].segment == list[from].segment; to++ {
			rows = append(rows, list[to].row)
		}
		score(s.segments[list[from].segment], rows, func(n int, score float64) { out[list[from+n].i] = score })
	}
	return out, ctx.Err()
}

// ScoreKeyword implements store.View.
func (v *view) ScoreKeyword(ctx context.Context, terms []store.QueryTerm, passages []document.PassageID) ([]float64, error) {
	return v.scoreEach(ctx, passages, func(s *snapshot, counts *visible) func(*segment, []uint32, func(int, float64)) {
		q := v.keywordScorer(s, terms, counts)
		return q.score
	})
}

// ScoreIdentifier implements store.View.
func (v *view) ScoreIdentifier(ctx context.Context, identifiers []store.QueryTerm, passages []document.PassageID) ([]float64, error) {
	return v.scoreEach(ctx, passages, func(s *snapshot, counts *visible) func(*segment, []uint32, func(int, float64)) {
		q := v.identifierScorer(s, identifiers, counts)
		return q.score
	})
}

// ScoreVector implements store.View.
func (v *view) ScoreVector(ctx context.Context, model store.Model, query []float32, passages []document.PassageID) ([]float64, error) {
	if err := checkQuery(model, query); err != nil {
		return nil, err
	}
	_, _, set, err := v.embedded(ctx, model)
	if err != nil {
		return nil, err
	}
	return v.scoreEach(ctx, passages, func(s *snapshot, _ *visible) func(*segment, []uint32, func(int, float64)) {
		return func(g *segment, rows []uint32, fn func(int, float64)) {
			for i, row := range rows {
				score := math.NaN()
				if set != nil {
					if l := s.link(g, set); l.has.has(row) {
						score = closest(query, set.of(l.slots[row]))
					}
				}
				fn(i, score)
			}
		}
	})
}

// Similar implements store.View.
func (v *view) Similar(ctx context.Context, model store.Model, to document.PassageID, passages []document.PassageID) ([]float64, error) {
	s, sees, set, err := v.embedded(ctx, model)
	if err != nil {
		return nil, err
	}
	at, ok := s.find(rawID(to), sees)
	if !ok {
		return nil, notFound{"passage " + string(to)}
	}
	if set != nil {
		if l := s.link(s.segments[at.segment], set); l.has.has(at.row) {
			return v.ScoreVector(ctx, model, set.of(l.slots[at.row])[:model.Dims], passages)
		}
	}
	return v.scoreEach(ctx, passages, func(*snapshot, *visible) func(*segment, []uint32, func(int, float64)) {
		return func(_ *segment, rows []uint32, fn func(int, float64)) {
			for i := range rows {
				fn(i, math.NaN())
			}
		}
	})
}
