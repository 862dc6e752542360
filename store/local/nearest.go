package local

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Vector implements store.View: every vector under the scope is compared, so
// recall is 1 however few the scope sees.
func (v *view) Vector(ctx context.Context, model store.Model, query []float32, k int) (store.Hits, error) {
	if err := checkQuery(model, query); err != nil {
		return store.Hits{}, err
	}
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return store.Hits{}, err
	}
	r := newRanking(k)
	set := s.vectors[model]
	for i, g := range s.segments {
		if set == nil {
			break
		}
		vectors := s.link(g, set)
		for word, set := range sees.rows[i] {
			if word%64 == 0 && ctx.Err() != nil { // every 4096 rows
				return store.Hits{}, ctx.Err()
			}
			for ; set != 0; set &= set - 1 {
				row := word*64 + bits.TrailingZeros64(set)
				if windows := vectors[row]; windows != nil {
					r.add(g.rows[row].id, closest(query, windows))
				}
			}
		}
	}
	return r.hits(-1), nil
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

// dot has four sums so that an addition need not wait for the one before.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// find returns the row of a passage; one that the view does not see is notFound.
func (s *snapshot) find(id document.PassageID, sees *visible) (*segment, uint32, error) {
	for i, g := range s.segments {
		if row, ok := g.rowOf(id, sees.rows[i]); ok {
			return g, row, nil
		}
	}
	return nil, 0, notFound{"passage " + string(id)}
}

// scoreEach calls fn for each passage in order.
func (v *view) scoreEach(ctx context.Context, passages []document.PassageID, prepare func(*snapshot, *visible) func(*segment, uint32) float64) ([]float64, error) {
	s, sees, counts, err := v.searchable(ctx)
	if err != nil {
		return nil, err
	}
	fn := prepare(s, counts)
	out := make([]float64, len(passages))
	for i, id := range passages {
		g, row, err := s.find(id, sees)
		if err != nil {
			return nil, err
		}
		out[i] = fn(g, row)
	}
	return out, nil
}

// ScoreKeyword implements store.View.
func (v *view) ScoreKeyword(ctx context.Context, terms []store.QueryTerm, passages []document.PassageID) ([]float64, error) {
	return v.scoreEach(ctx, passages, func(s *snapshot, counts *visible) func(*segment, uint32) float64 {
		q := v.keywordScorer(s, terms, counts)
		return q.score
	})
}

// ScoreIdentifier implements store.View.
func (v *view) ScoreIdentifier(ctx context.Context, identifiers []store.QueryTerm, passages []document.PassageID) ([]float64, error) {
	return v.scoreEach(ctx, passages, func(s *snapshot, counts *visible) func(*segment, uint32) float64 {
		q := v.identifierScorer(s, identifiers, counts)
		return q.score
	})
}

// ScoreVector implements store.View.
func (v *view) ScoreVector(ctx context.Context, model store.Model, query []float32, passages []document.PassageID) ([]float64, error) {
	if err := checkQuery(model, query); err != nil {
		return nil, err
	}
	return v.scoreEach(ctx, passages, func(s *snapshot, _ *visible) func(*segment, uint32) float64 {
		set := s.vectors[model]
		return func(g *segment, row uint32) float64 {
			if set == nil {
				return math.NaN()
			}
			windows := set.find(g.rows[row].key)
			if windows == nil {
				return math.NaN()
			}
			return closest(query, windows)
		}
	})
}
