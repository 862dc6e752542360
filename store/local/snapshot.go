package local

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-d3156d19/quarry/store"
)

// index is the index in memory of one process. Its newest snapshot is published;
// older ones live on in the views that hold them.
type index struct {
	latest  *atomic.Pointer[snapshot]
	loading chan struct{} // holds one token: the right to advance
}

func newIndex() index {
	return index{latest: new(atomic.Pointer[snapshot]), loading: make(chan struct{}, 1)}
}

// at returns the index at the commit of a pin. It starts from the newest
// snapshot that is not newer than the pin, and reads what is missing through the
// pin's transaction; only a pin taken before any index was loaded, and
// overtaken since, reads everything for itself.
func (x *index) at(ctx context.Context, p *pin) (*snapshot, error) {
	select {
	case x.loading <- struct{}{}:
		defer func() { <-x.loading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	from := x.latest.Load()
	if from != nil && from.sequence > p.sequence {
		from = p.base
	}
	if from == nil {
		from = &snapshot{sequence: -1}
	}
	if from.sequence == p.sequence {
		return from, nil
	}
	d, err := newBuilder(p.store.bm25).load(ctx, p.conn, from.sequence)
	if err != nil {
		return nil, err
	}
	next := from.advance(d, p.sequence)
	if newest := x.latest.Load(); newest == nil || newest.sequence < next.sequence {
		x.latest.Store(next)
	}
	return next, nil
}

// snapshot is the index at one commit. It never changes, but for what it caches;
// snapshots share segments and vectors.
type snapshot struct {
	sequence int64
	segments []*segment
	dead     []bitset // documents of each segment that a newer commit replaced
	vectors  map[store.Model]*vectorSet

	mu      sync.Mutex // guards what follows
	visible map[string]*visible
	links   map[linkKey][][]float32
}

// advance applies a delta. It costs the delta, a copy of the dead marks, and now
// and then a merge.
func (s *snapshot) advance(d *delta, sequence int64) *snapshot {
	next := &snapshot{
		sequence: sequence,
		segments: slices.Clone(s.segments),
		dead:     slices.Clone(s.dead),
		vectors:  maps.Clone(s.vectors),
		links:    map[linkKey][][]float32{},
		visible:  map[string]*visible{},
	}
	copied := make([]bool, len(next.segments))
	for _, row := range d.gone {
		for i, g := range next.segments {
			at, ok := g.byDoc[row]
			if !ok {
				continue
			}
			if !copied[i] {
				copied[i] = true
				marks := newBitset(len(g.docs))
				copy(marks, next.dead[i])
				next.dead[i] = marks
			}
			next.dead[i].set(uint32(at))
		}
	}
	if len(d.segment.docs) > 0 {
		next.segments, next.dead = append(next.segments, d.segment), append(next.dead, nil)
	}
	next.tidy()
	next.addVectors(d)
	s.mu.Lock()
	for key, rows := range s.links {
		if slices.Contains(next.segments, key.segment) && next.vectors[key.set.model] == key.set {
			next.links[key] = rows
		}
	}
	s.mu.Unlock()
	return next
}

// tidy merges neighbours until each segment is more than twice as large as the
// next, so that their number grows with the logarithm of the rows; and rewrites a
// segment of which more than half is dead.
func (s *snapshot) tidy() {
	for n := len(s.segments); n >= 2; n = len(s.segments) {
		a, b := s.segments[n-2], s.segments[n-1]
		if a.size() > 2*b.size() {
			break
		}
		s.segments = append(s.segments[:n-2:n-2], merge(s.segments[n-2:], s.dead[n-2:]))
		s.dead = append(s.dead[:n-2:n-2], nil)
	}
	for i, g := range s.segments {
		lost := 0
		for at := range g.docs {
			if s.dead[i].has(uint32(at)) {
				lost += g.weight(at)
			}
		}
		if 2*lost > g.size() {
			s.segments[i], s.dead[i] = merge(s.segments[i:i+1], s.dead[i:i+1]), nil
		}
	}
}

// weight is about what a document contributes to the size of its segment.
func (g *segment) weight(at int) int {
	most, sections := 0, 0
	for _, r := range g.docs[at].revisions {
		most, sections = max(most, len(r.passages)), sections+r.count
	}
	return 1 + most + sections
}

// vectorSet is the vectors of one model, newest layer last.
type vectorSet struct {
	model  store.Model
	layers []layer
}

func (v *vectorSet) find(key string) []float32 {
	for i := len(v.layers) - 1; i >= 0; i-- {
		if windows, ok := v.layers[i][key]; ok {
			return windows
		}
	}
	return nil
}

func (s *snapshot) addVectors(d *delta) {
	for model, news := range d.vectors {
		had := s.vectors[model]
		if had == nil {
			had = &vectorSet{model: model}
		}
		// A key without vectors before and after is no news.
		maps.DeleteFunc(news, func(key string, v []float32) bool { return v == nil && had.find(key) == nil })
		if len(news) == 0 && s.vectors[model] != nil {
			continue
		}
		layers := append(slices.Clone(had.layers), news)
		for n := len(layers); n >= 2 && len(layers[n-2]) <= 2*len(layers[n-1]); n = len(layers) {
			both := maps.Clone(layers[n-2])
			maps.Copy(both, layers[n-1])
			if layers = append(layers[:n-2:n-2], both); n == 2 {
				s.forget(both)
			}
		}
		if s.vectors == nil {
			s.vectors = map[store.Model]*vectorSet{}
		}
		s.vectors[model] = &vectorSet{model: model, layers: layers}
	}
}

// forget drops vectors of keys that no passage has.
func (s *snapshot) forget(l layer) {
	live := map[string]bool{}
	for i, g := range s.segments {
		for _, r := range g.rows {
			if !s.dead[i].has(uint32(r.doc)) {
				live[r.key] = true
			}
		}
	}
	maps.DeleteFunc(l, func(key string, v []float32) bool { return v == nil || !live[key] })
}

type linkKey struct {
	segment *segment
	set     *vectorSet
}

// link returns, for each row of a segment, its vectors of a model; nil for none.
func (s *snapshot) link(g *segment, set *vectorSet) [][]float32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := linkKey{g, set}
	rows, ok := s.links[key]
	if !ok {
		rows = make([][]float32, len(g.rows))
		for i := range rows {
			rows[i] = set.find(g.rows[i].key)
		}
		if s.links == nil {
			s.links = map[linkKey][][]float32{}
		}
		s.links[key] = rows
	}
	return rows
}
