package local

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-d3156d19/quarry/store"
)

// vectorSet is the vectors of one model at a commit.
type vectorSet struct {
	model  store.Model
	blocks []*block // nil where there was one
	where  locations
	filled atomic.Bool // all codes are in memory

	mu     sync.Mutex // guards what follows
	counts map[*visible]int
}

// loadVectors brings the sets of a base to the commit of a connection.
func (s *snapshot) loadVectors(ctx context.Context, c *conn, base *snapshot) error {
	models, err := c.models(ctx)
	if err != nil || len(models) == 0 {
		return err
	}
	s.number(base)
	s.vectors = make(map[store.Model]*vectorSet, len(models))
	for row, m := range models {
		had := base.vectors[m]
		if had == nil || s.numbers != base.numbers {
			had = &vectorSet{model: m}
		}
		if s.vectors[m], err = s.set(ctx, c, row, had); err != nil {
			return err
		}
	}
	return nil
}

// set brings a set to the commit of a connection.
func (s *snapshot) set(ctx context.Context, c *conn, row int64, had *vectorSet) (*vectorSet, error) {
	version, err := c.format(ctx)
	if err != nil {
		return nil, err
	}
	if version < vectorRowsFormat {
		return s.oldSet(ctx, c, row, had)
	}
	var ids []int64
	var id int64
	if err := c.each(ctx, "SELECT id FROM block WHERE model = ? ORDER BY first", []any{row}, []any{&id},
		func() error { ids = append(ids, id); return nil }); err != nil {
		return nil, err
	}
	return had.at(ids, func(id int64) (*block, error) {
		keys, err := c.blockKeys(ctx, id, decodeKeys, func(n int) int { return codesSize(n, had.model.Dims) })
		if err != nil {
			return nil, err
		}
		return newBlock(id, keys, s.numbers), nil
	}, func(have int) error { return c.complete(ctx, row, have) })
}

// blockKeys reads the keys of a block, whose body must be as long as size says for
// the number of their vectors: no more is taken in memory than the file has.
func (c *conn) blockKeys(ctx context.Context, id int64, decode func([]byte) ([]blockKey, error), size func(n int) int) (keys []blockKey, err error) {
	var raw sql.RawBytes
	var length int
	err = c.each(ctx, "SELECT keys, length(body) FROM block WHERE id = ?", []any{id}, []any{&raw, &length}, func() (err error) {
		keys, err = decode(raw)
		return err
	})
	if err == nil && (len(keys) == 0 || size(vectorsIn(keys)) != length) {
		err = fmt.Errorf("%w: a block of vectors is not of its keys", store.ErrDamaged)
	}
	return keys, err
}

// at returns the set that has the blocks of the given ids, those that v has not read
// by a function; complete judges the number of keys. It is v where nothing changed.
func (v *vectorSet) at(ids []int64, read func(int64) (*block, error), complete func(keys int) error) (*vectorSet, error) {
	missing := make(map[int64]bool, len(ids))
	for _, id := range ids {
		missing[id] = true
	}
	out := &vectorSet{model: v.model, blocks: slices.Clone(v.blocks), where: v.where.copy()}
	changed, keys := false, 0
	for place, b := range v.blocks {
		switch {
		case b == nil:
		case missing[b.id]:
			delete(missing, b.id)
			keys += b.keys
		default:
			changed = true
			out.remove(place)
		}
	}
	for _, id := range ids {
		if !missing[id] {
			continue
		}
		b, err := read(id)
		if err != nil {
			return nil, err
		}
		changed = true
		out.add(b)
		keys += b.keys
	}
	if err := complete(keys); err != nil {
		return nil, err
	}
	if !changed {
		return v, nil
	}
	out.where.own = nil
	return out, nil
}

func (v *vectorSet) add(b *block) {
	place := slices.Index(v.blocks, nil)
	if place < 0 {
		place = len(v.blocks)
		v.blocks = append(v.blocks, nil)
	}
	v.blocks[place] = b
	for slot := uint32(0); int(slot) < len(b.ids); slot = b.end(slot) {
		v.where.set(b.numbers[slot], locate(place, slot))
	}
}

func (v *vectorSet) remove(place int) {
	for _, number := range v.blocks[place].numbers {
		if at := v.where.at(number); at != 0 && at.block() == place {
			v.where.set(number, 0)
		}
	}
	v.blocks[place] = nil
}

// complete compares with the record how many keys have vectors: a block that is
// gone must not pass for passages that were never embedded.
func (c *conn) complete(ctx context.Context, model int64, have int) error {
	want := 0
	if _, err := c.get(ctx, "SELECT keys FROM model WHERE id = ?", []any{model}, &want); err != nil {
		return err
	}
	if have != want {
		return fmt.Errorf("%w: there are vectors of %d content keys of %d", store.ErrDamaged, have, want)
	}
	return nil
}

// fill reads the codes that are not in memory yet, through a transaction at the
// set's commit. It reports damage that it made good from the vectors.
func (v *vectorSet) fill(ctx context.Context, c *conn) (damaged bool, err error) {
	if v.filled.Load() {
		return false, nil
	}
	for _, b := range v.blocks {
		if b == nil {
			continue
		}
		err := b.fill(ctx, c, v.model.Dims)
		if errors.Is(err, store.ErrDamaged) {
			damaged = true
			err = b.encode(ctx, c, v.model)
		}
		if err != nil {
			return damaged, err
		}
	}
	v.filled.Store(true)
	return damaged, nil
}

// rebuildVectors makes the sets from the vectors, where the blocks in the file are
// damaged.
func (x *index) rebuildVectors(ctx context.Context, c *conn, s *snapshot) error {
	models, err := c.models(ctx)
	if err != nil {
		return err
	}
	s.vectors = make(map[store.Model]*vectorSet, len(models))
	for row, m := range models {
		set := &vectorSet{model: m}
		set.where = set.where.copy()
		if err := c.encodeVectors(ctx, row, m.Dims, func(w *content) error {
			b := newBlock(x.rebuilt.Add(-1), w.keys, s.numbers)
			b.codes.Store(&w.codes)
			set.add(b)
			return nil
		}); err != nil {
			return err
		}
		set.where.own = nil
		s.vectors[m] = set
	}
	return nil
}

// count is how many of the passages that are seen have a vector. It is asked with
// every question, so what was counted last is remembered.
func (v *vectorSet) count(s *snapshot, sees *visible) int {
	const remembered = 8
	v.mu.Lock()
	n, ok := v.counts[sees]
	v.mu.Unlock()
	if ok {
		return n
	}
	for i, seen := range sees.rows {
		for word, rows := range seen {
			for ; rows != 0; rows &= rows - 1 {
				if v.where.at(s.numbered[i][word*64+bits.TrailingZeros64(rows)]) != 0 {
					n++
				}
			}
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.counts == nil || len(v.counts) == remembered {
		v.counts = map[*visible]int{}
	}
	v.counts[sees] = n
	return n
}

// find returns where the vectors of a passage stand; there is none of no set.
func (v *vectorSet) find(s *snapshot, at spot) location {
	if v == nil {
		return 0
	}
	return v.where.at(s.numbered[at.segment][at.row])
}
