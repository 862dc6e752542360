package local

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"

	"github.com/seed-d3156d19/quarry/store"
)

// block is an immutable part of a vectorSet, shared by the sets that have it. Its
// keys are read with the index, for counting; its codes by the first search.
type block struct {
	id      int64
	base    int64    // ids count from here
	ids     []uint32 // the rows of the vectors, by slot
	numbers []uint32 // of their content keys
	keys    int

	mu    sync.Mutex
	codes atomic.Pointer[codes]
	// In a file of an older format a block holds the vectors themselves, which stand
	// nowhere else; they are kept in memory until the first write.
	old    bool
	floats []float32
}

func newBlock(id int64, keys []blockKey, x *keyNumbers) *block {
	n := vectorsIn(keys)
	b := &block{id: id, base: keys[0].id, ids: make([]uint32, 0, n), numbers: make([]uint32, 0, n), keys: len(keys)}
	likely := uint32(0)
	for _, k := range keys {
		number := x.of(k.key, likely)
		likely = number + 1
		for range k.n {
			b.ids, b.numbers = append(b.ids, uint32(k.id-b.base)), append(b.numbers, number)
		}
	}
	return b
}

// single reports that each key has one vector.
func (b *block) single() bool { return b.keys == len(b.ids) }

// row is the id of the vectors that a slot belongs to.
func (b *block) row(slot uint32) int64 { return b.base + int64(b.ids[slot]) }

// end is the slot behind the last vector of the same key.
func (b *block) end(slot uint32) uint32 {
	id := b.ids[slot]
	for slot++; int(slot) < len(b.ids) && b.ids[slot] == id; slot++ {
	}
	return slot
}

func (b *block) fill(ctx context.Context, c *conn, dims int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.codes.Load() != nil {
		return nil
	}
	if b.old {
		return b.fillOld(ctx, c, dims)
	}
	var raw owned
	err := c.each(ctx, "SELECT body FROM block WHERE id = ?", []any{b.id}, []any{&raw}, func() error {
		codes, err := decodeCodes(raw, len(b.ids), dims)
		b.codes.Store(codes)
		return err
	})
	if err == nil && b.codes.Load() == nil {
		err = dangling("a block of vectors")
	}
	return err
}

// encode makes the codes from the vectors.
func (b *block) encode(ctx context.Context, c *conn, model store.Model) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	row, err := c.modelRow(ctx, model)
	if err != nil {
		return err
	}
	w := newContent(model.Dims)
	if err := c.encodeRows(ctx, w, row, model.Dims, b.base-1, b.row(uint32(len(b.ids)-1)), len(b.ids)); err != nil {
		return err
	}
	if len(w.keys) != b.keys || len(w.scales) != len(b.ids) {
		return dangling("a vector")
	}
	b.codes.Store(&w.codes)
	return nil
}

// vectors reads the vectors of a row, one behind the other.
func (c *conn) vectors(ctx context.Context, row int64, dims int) (floats []float32, err error) {
	found := false
	var raw sql.RawBytes
	err = c.each(ctx, "SELECT floats FROM vector WHERE id = ?", []any{row}, []any{&raw}, func() (err error) {
		found = true
		floats, err = decodeFloats(raw, dims)
		return err
	})
	if err == nil && !found {
		err = dangling("a vector")
	}
	return floats, err
}
