package local

import (
	"context"
	"math"
	"sync"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// exact scores passages by their vectors, which it reads from the file.
type exact struct {
	ctx   context.Context
	conn  *conn
	set   *vectorSet
	query []float32
	cache *vectorCache
}

func (v *view) exact(ctx context.Context, c *conn, set *vectorSet, query []float32) exact {
	return exact{ctx, c, set, query, &v.store.index.vectors}
}

// score is the greatest dot product of the question with a vector of the key whose
// first one stands in a slot.
func (e *exact) score(b *block, slot uint32) (float64, error) {
	floats, err := e.vectors(b, slot)
	return closest(e.query, floats), err
}

// vectors are those of the key whose first one stands in a slot, one behind the other.
func (e *exact) vectors(b *block, slot uint32) ([]float32, error) {
	dims := e.set.model.Dims
	if b.floats != nil {
		return b.floats[int(slot)*dims : int(b.end(slot))*dims], nil
	}
	row := b.row(slot)
	floats := e.cache.get(row)
	if floats == nil {
		var err error
		if floats, err = e.conn.vectors(e.ctx, row, dims); err != nil {
			return nil, err
		}
		e.cache.put(row, floats)
	}
	return floats, nil
}

// closest is the greatest dot product of query with any of the windows, which
// stand one behind the other.
func closest(query, windows []float32) float64 {
	best := math.Inf(-1)
	for n := len(query); len(windows) >= n; windows = windows[n:] {
		best = max(best, dot(query, windows[:n]))
	}
	return best
}

// dot has four sums so that an addition need not wait for the one before, of twice
// the digits, so that no sum overflows.
func dot(a, b []float32) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	for len(a) >= 4 {
		x, y := (*[4]float32)(a), (*[4]float32)(b)
		s0 += float64(x[0]) * float64(y[0])
		s1 += float64(x[1]) * float64(y[1])
		s2 += float64(x[2]) * float64(y[2])
		s3 += float64(x[3]) * float64(y[3])
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += float64(a[i]) * float64(b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// vectorCache remembers vectors by their row, for all snapshots: a small corpus is
// scored without reading the file. It is emptied when it is full.
type vectorCache struct {
	mu    sync.Mutex
	size  int // bytes
	items map[int64][]float32
}

const maxVectors = 32 << 20

func (c *vectorCache) get(row int64) []float32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.items[row]
}

func (c *vectorCache) put(row int64, floats []float32) {
	const overhead = 64 // of an item
	size := 4*len(floats) + overhead
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items == nil || c.size+size > maxVectors {
		c.items, c.size = map[int64][]float32{}, 0
	}
	if c.items[row] == nil {
		c.size += size
	}
	c.items[row] = floats
}

// ScoreVector implements store.View.
func (v *view) ScoreVector(ctx context.Context, model store.Model, query []float32, passages []document.PassageID) ([]float64, error) {
	if err := rules.CheckQuery(model, query); err != nil {
		return nil, err
	}
	return v.scoreExactly(ctx, model, passages, func(*snapshot, *visible, *exact) ([]float32, error) { return query, nil })
}

// Similar implements store.View.
func (v *view) Similar(ctx context.Context, model store.Model, to document.PassageID, passages []document.PassageID) ([]float64, error) {
	return v.scoreExactly(ctx, model, passages, func(s *snapshot, sees *visible, e *exact) ([]float32, error) {
		at, ok := s.find(rawID(to), sees)
		if !ok {
			return nil, notFound{"passage " + string(to)}
		}
		l := e.set.find(s, at)
		if l == 0 {
			return nil, nil
		}
		floats, err := e.vectors(e.set.blocks[l.block()], l.slot())
		if err != nil {
			return nil, err
		}
		return floats[:model.Dims], nil
	})
}

// scoreExactly scores passages by what ask asks; where that is nil, none has a score.
func (v *view) scoreExactly(ctx context.Context, model store.Model, passages []document.PassageID,
	ask func(*snapshot, *visible, *exact) ([]float32, error)) ([]float64, error) {
	s, sees, set, err := v.embedded(ctx, model)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(passages))
	err = v.reads(ctx, "reading vectors", func(c *conn) error {
		e := v.exact(ctx, c, set, nil)
		var err error
		if e.query, err = ask(s, sees, &e); err != nil {
			return err
		}
		for i, id := range passages {
			at, ok := s.find(rawID(id), sees)
			if !ok {
				return notFound{"passage " + string(id)}
			}
			out[i] = math.NaN()
			if l := set.find(s, at); l != 0 && e.query != nil {
				if out[i], err = e.score(set.blocks[l.block()], l.slot()); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
