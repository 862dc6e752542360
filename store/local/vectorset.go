package local

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"

	"github.com/seed-d3156d19/quarry/store"
)

// vectorSet is the vectors of one model at a commit.
type vectorSet struct {
	model  store.Model
	blocks []*block
	slots  func() map[string]slot // made when first asked for
}

// block is an immutable part of a vectorSet. Its keys are read with the index, for
// counting; its vectors by the first search.
type block struct {
	id   int64
	keys []blockKey

	mu     sync.Mutex
	floats []float32
}

// slot is where the vectors of a content key stand.
type slot struct {
	block, from, to int32 // floats from..to of a block; to is 0 for none
}

func newVectorSet(m store.Model, blocks []*block) *vectorSet {
	v := &vectorSet{model: m, blocks: blocks}
	v.slots = sync.OnceValue(func() map[string]slot {
		n := 0
		for _, b := range blocks {
			n += len(b.keys)
		}
		out := make(map[string]slot, n)
		for i, b := range blocks {
			at := 0
			for _, k := range b.keys {
				out[k.key] = slot{int32(i), int32(at), int32(at + k.n*m.Dims)}
				at += k.n * m.Dims
			}
		}
		return out
	})
	return v
}

func (s *snapshot) loadVectors(ctx context.Context, c *conn, base *snapshot) error {
	models, err := c.models(ctx)
	if err != nil {
		return err
	}
	s.vectors = make(map[store.Model]*vectorSet, len(models))
	for row, m := range models {
		var ids []int64
		var id int64
		if err := c.each(ctx, "SELECT id FROM block WHERE model = ? ORDER BY id", []any{row}, []any{&id},
			func() error { ids = append(ids, id); return nil }); err != nil {
			return err
		}
		had := base.vectors[m]
		if had != nil && slices.EqualFunc(had.blocks, ids, func(b *block, id int64) bool { return b.id == id }) {
			s.vectors[m] = had
			continue
		}
		blocks := make([]*block, len(ids))
		for i, id := range ids {
			if blocks[i] = had.find(id); blocks[i] != nil {
				continue
			}
			b := &block{id: id}
			var raw sql.RawBytes
			if err := c.each(ctx, "SELECT keys FROM block WHERE id = ?", []any{id}, []any{&raw}, func() (err error) {
				b.keys, err = decodeKeys(raw)
				return err
			}); err != nil {
				return err
			}
			blocks[i] = b
		}
		s.vectors[m] = newVectorSet(m, blocks)
		if err := s.vectors[m].complete(ctx, c, row); err != nil {
			return err
		}
	}
	return nil
}

// complete compares with the record how many keys have vectors: a block that is
// gone must not pass for passages that were never embedded.
func (v *vectorSet) complete(ctx context.Context, c *conn, row int64) error {
	want, have := 0, 0
	if _, err := c.get(ctx, "SELECT keys FROM model WHERE id = ?", []any{row}, &want); err != nil {
		return err
	}
	for _, b := range v.blocks {
		have += len(b.keys)
	}
	if have != want {
		return fmt.Errorf("%w: there are vectors of %d content keys of %d", store.ErrDamaged, have, want)
	}
	return nil
}

func (v *vectorSet) find(id int64) *block {
	if v == nil {
		return nil
	}
	i, ok := slices.BinarySearchFunc(v.blocks, id, func(b *block, id int64) int { return int(b.id - id) })
	if !ok {
		return nil
	}
	return v.blocks[i]
}

// fill reads the vectors that are not in memory yet, through a transaction at the
// set's commit.
func (v *vectorSet) fill(ctx context.Context, c *conn) error {
	for _, b := range v.blocks {
		if err := b.fill(ctx, c, v.model.Dims); err != nil {
			return err
		}
	}
	return nil
}

func (b *block) fill(ctx context.Context, c *conn, dims int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.floats != nil {
		return nil
	}
	var raw sql.RawBytes
	return c.each(ctx, "SELECT body FROM block WHERE id = ?", []any{b.id}, []any{&raw}, func() (err error) {
		b.floats, err = decodeFloats(raw, b.keys, dims)
		return err
	})
}

type linkKey struct {
	segment *segment
	set     *vectorSet
}

// link tells which rows of a segment have vectors of a model, and where.
type link struct {
	has   bitset
	slots []slot
}

func (s *snapshot) link(g *segment, set *vectorSet) *link {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := linkKey{g, set}
	l := s.links[key]
	if l == nil {
		slots := set.slots()
		l = &link{newBitset(len(g.rows)), make([]slot, len(g.rows))}
		for i := range g.rows {
			if at, ok := slots[g.rows[i].key]; ok {
				l.slots[i] = at
				l.has.set(uint32(i))
			}
		}
		s.links[key] = l
	}
	return l
}

// keepLinks takes over from another snapshot what is the same in both.
func (s *snapshot) keepLinks(base *snapshot) {
	base.mu.Lock()
	defer base.mu.Unlock()
	s.links = map[linkKey]*link{}
	for key, l := range base.links {
		if s.vectors[key.set.model] == key.set && slices.Contains(s.segments, key.segment) {
			s.links[key] = l
		}
	}
}

// of returns the vectors in a slot, one behind the other.
func (v *vectorSet) of(s slot) []float32 { return v.blocks[s.block].floats[s.from:s.to] }
