package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-d3156d19/quarry/store"
)

// index is the index in memory of one process. Its newest snapshot is published;
// older ones live on in the views that hold them.
type index struct {
	latest   atomic.Pointer[snapshot]
	loading  chan struct{} // holds one token: the right to load
	damaged  atomic.Bool   // a segment in the file cannot be used
	rebuilt  atomic.Int64  // names segments that are in memory alone, below zero
	contents contentCache
	vectors  vectorCache
}

func newIndex() *index { return &index{loading: make(chan struct{}, 1)} }

// at returns the index at the commit of a pin. Segments and blocks never change
// under their id, so what the newest snapshot has is reused, whether that is older
// or newer than the pin.
func (x *index) at(ctx context.Context, p *pin) (*snapshot, error) {
	select {
	case x.loading <- struct{}{}:
		defer func() { <-x.loading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	base := x.latest.Load()
	if base == nil {
		base = &snapshot{}
	} else if base.sequence == p.sequence {
		return base, nil
	}
	next, err := x.load(ctx, p, base)
	if err != nil {
		return nil, err
	}
	if newest := x.latest.Load(); newest == nil || newest.sequence < next.sequence {
		x.latest.Store(next)
	}
	return next, nil
}

func (x *index) load(ctx context.Context, p *pin, base *snapshot) (*snapshot, error) {
	next := &snapshot{sequence: p.sequence}
	err := next.loadSegments(ctx, p, base)
	if errors.Is(err, store.ErrDamaged) {
		x.damaged.Store(true) // the next writer builds it anew
		err = x.rebuild(ctx, p, next)
	} else if err == errOlder {
		err = x.rebuild(ctx, p, next)
	}
	if err != nil {
		return nil, err
	}
	err = next.loadVectors(ctx, p.conn, base)
	if errors.Is(err, store.ErrDamaged) {
		x.damaged.Store(true)
		err = x.rebuildVectors(ctx, p.conn, next)
	}
	if err != nil {
		return nil, err
	}
	return next, nil
}

// errOlder says that the segments in the file are of an older format, which nobody
// reads: the first write makes them anew (see migrate), and until then each process
// makes its own from the record.
var errOlder = errors.New("the index is of an older format")

// snapshot is the index at one commit. It never changes, but for what it caches;
// snapshots share segments and blocks.
type snapshot struct {
	sequence int64
	segments []*segment // the oldest first
	dead     []bitset   // documents of each segment that stand in a later one
	vectors  map[store.Model]*vectorSet
	numbers  *keyNumbers // of content keys; nil where there are no vectors
	numbered [][]uint32  // of each segment, its rows' content keys by their numbers

	mu      sync.Mutex // guards what follows
	visible map[string]*visible
}

func (s *snapshot) loadSegments(ctx context.Context, p *pin, base *snapshot) error {
	have := map[int64]int{}
	for i, g := range base.segments {
		if g.id > 0 {
			have[g.id] = i
		}
	}
	version, err := p.conn.format(ctx)
	if err != nil {
		return err
	}
	if version < segmentFormat {
		return errOlder
	}
	var ids []int64
	var sizes []int
	var id int64
	var size int
	if err := p.conn.each(ctx, "SELECT id, size FROM segment WHERE last >= 0 ORDER BY last, id", nil, []any{&id, &size}, func() error {
		ids, sizes = append(ids, id), append(sizes, size)
		return nil
	}); err != nil {
		return err
	}
	known := make([]bool, len(ids)) // whose dead are known, but for what is new
	for i, id := range ids {
		at, ok := have[id]
		if ok {
			s.segments, s.dead = append(s.segments, base.segments[at]), append(s.dead, nil)
			if known[i] = base.sequence <= s.sequence; known[i] {
				s.dead[i] = slices.Clone(base.dead[at])
			}
			continue
		}
		g := p.store.merges.ready.Load()
		if g == nil || g.id != id || len(base.segments) == 0 { // a check begins with none, to read the file
			body, err := p.conn.bodyOf(ctx, id, sizes[i])
			if err != nil {
				return err
			}
			if g, err = decodeSegment(id, body, p.store.bm25); err != nil {
				return err
			}
		} else {
			p.store.merges.ready.CompareAndSwap(g, nil) // from now on a snapshot holds it
		}
		s.segments, s.dead = append(s.segments, g), append(s.dead, nil)
	}
	for j := range s.segments {
		for i := range j {
			if !known[i] || !known[j] {
				s.shadow(i, j)
			}
		}
	}
	return s.complete(ctx, p.conn)
}

// complete compares with the record how many documents there are.
func (s *snapshot) complete(ctx context.Context, c *conn) error {
	var want int
	if _, err := c.get(ctx, "SELECT documents FROM meta", nil, &want); err != nil {
		return err
	}
	live := 0
	for i, g := range s.segments {
		live += len(g.docs) - s.dead[i].count()
	}
	if live != want {
		return fmt.Errorf("%w: the index has %d documents of %d", store.ErrDamaged, live, want)
	}
	return nil
}

// shadow marks what of segment i stands also in the later segment j.
func (s *snapshot) shadow(i, j int) {
	old, young := s.segments[i], s.segments[j]
	if len(old.docs) == 0 || len(young.docs) == 0 || old.docs[old.nth(len(old.docs)-1)].row < young.docs[young.nth(0)].row {
		return // as where all documents are new
	}
	if s.dead[i] == nil {
		s.dead[i] = newBitset(len(old.docs))
	}
	if len(old.docs) < len(young.docs) {
		for at := range old.docs {
			if _, ok := young.doc(old.docs[at].row); ok {
				s.dead[i].set(uint32(at))
			}
		}
		return
	}
	for at := range young.docs {
		if was, ok := old.doc(young.docs[at].row); ok {
			s.dead[i].set(uint32(was))
		}
	}
}

// rebuild makes the segments from the record, where those in the file are damaged.
func (x *index) rebuild(ctx context.Context, p *pin, s *snapshot) error {
	docs, err := p.conn.allDocuments(ctx)
	if err != nil {
		return err
	}
	made, err := newBuilder(ctx, p.conn).build(docs)
	if err != nil {
		return err
	}
	s.segments, s.dead = nil, make([]bitset, len(made))
	for _, m := range made {
		g, err := decodeSegment(x.rebuilt.Add(-1), m.body, p.store.bm25)
		if err != nil {
			return err
		}
		s.segments = append(s.segments, g)
	}
	return nil
}

// find returns the segment and the number of a document by its row.
func (s *snapshot) document(row int64) (segment, at int, ok bool) {
	for i := len(s.segments) - 1; i >= 0; i-- {
		if at, ok := s.segments[i].doc(row); ok {
			return i, at, true
		}
	}
	return 0, 0, false
}

// spot is a row of the index.
type spot struct {
	segment int
	row     uint32
}

func (s spot) compare(t spot) int {
	return cmp.Or(cmp.Compare(s.segment, t.segment), cmp.Compare(s.row, t.row))
}

// find returns where a passage stands among what is seen; ok is false where it is not.
func (s *snapshot) find(id string, sees *visible) (at spot, ok bool) {
	if id == "" {
		return spot{}, false
	}
	for i, g := range s.segments {
		if row, ok := g.rowOf(id, sees.rows[i]); ok {
			return spot{i, row}, true
		}
	}
	return spot{}, false
}
