package local

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"github.com/seed-d3156d19/quarry/store"
)

// holders tells which documents of a segment may hold a passage with some id, or some
// content key. It goes by hashes: who asks looks the passage up in the record. It stands
// beside the segment, so that a process that only writes need not load the index; as ids
// and keys are hashes themselves, an SQL index of them would be written all over by every
// change.
type holders struct {
	docs   []int64 // rows, ascending
	hashes string  // 8 bytes each, little-endian, ascending
	places numbers // in docs
}

// holding is one passage: the hash of its id or key, and the place of its document.
type holding struct {
	hash  uint64
	place uint32
}

// hashOf mixes the bytes of an id or key, 8 at a time, by the finalizer of MurmurHash3
// (Appleby, https://github.com/aappleby/smhasher, fmix64), since a caller's ids need not be
// hashes. It is kept in files.
func hashOf(s string) uint64 {
	h := uint64(len(s))
	for len(s) > 0 {
		var word [8]byte
		s = s[copy(word[:], s):]
		h ^= binary.LittleEndian.Uint64(word[:])
		h = (h ^ h>>33) * 0xff51afd7ed558ccd
		h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
		h ^= h >> 33
	}
	return h
}

// holdersOf encodes who holds the names of a segment, its passages' ids or keys in the
// order of its rows. docs are its documents' rows, ascending.
func (c *contents) holdersOf(docs []int64, names func(row uint32) string, rows int) []byte {
	list := make([]holding, 0, rows)
	for i, d := range c.docs {
		end := uint32(rows)
		if i+1 < len(c.docs) {
			end = c.docs[i+1].first
		}
		place, _ := slices.BinarySearch(docs, d.row)
		for row := d.first; row < end; row++ {
			list = append(list, holding{hashOf(names(row)), uint32(place)})
		}
	}
	slices.SortFunc(list, func(a, b holding) int {
		if a.hash != b.hash { // as most are
			return cmp.Compare(a.hash, b.hash)
		}
		return cmp.Compare(a.place, b.place)
	})
	b := make([]byte, 0, 12*rows+16)
	b = binary.AppendUvarint(b, uint64(rows))
	places := make([]uint32, rows)
	for i, h := range list {
		b = binary.LittleEndian.AppendUint64(b, h.hash)
		places[i] = h.place
	}
	return seal(appendNumbers(b, places))
}

// holders are those of a segment, as they are kept beside it.
func (g *segment) holders() (ids, keys []byte) {
	docs := make([]int64, len(g.docs))
	for i := range docs {
		docs[i] = g.docs[g.nth(i)].row
	}
	return g.holdersOf(docs, g.idOf, g.n), g.holdersOf(docs, g.keyOf, g.n)
}

func decodeHolders(raw []byte, docs []int64) (*holders, error) {
	d, err := unpack(raw)
	if err != nil {
		return nil, err
	}
	n := d.countOf(9)
	h := &holders{docs: docs, hashes: d.take(8 * n), places: d.numbers(n)}
	if err := d.end(); err != nil {
		return nil, err
	}
	for i := range n {
		if int(h.places.at(i)) >= len(docs) || i > 0 && h.at(i) < h.at(i-1) {
			return nil, fmt.Errorf("%w: who holds a passage is out of order", store.ErrDamaged)
		}
	}
	return h, nil
}

func (h *holders) n() int { return len(h.hashes) / 8 }

func (h *holders) at(i int) uint64 { return uint64At(h.hashes, 8*i) }

func (h *holders) doc(i int) int64 { return h.docs[h.places.at(i)] }

// seek is the first place whose hash is not below one. Hashes are spread evenly, so it
// begins about where that one must stand.
func (h *holders) seek(hash uint64) int {
	n := h.n()
	guess, _ := bits.Mul64(hash, uint64(n))
	low, high := int(guess), int(guess)
	for step := 1; low > 0 && h.at(low-1) >= hash; step *= 2 {
		low = max(0, low-step)
	}
	for step := 1; high < n && h.at(high) < hash; step *= 2 {
		high = min(n, high+step)
	}
	return low + sort.Search(high-low, func(i int) bool { return h.at(low+i) >= hash })
}

// of calls fn with each document that holds a hash, until it gives an error.
func (h *holders) of(hash uint64, fn func(doc int64) error) error {
	for i := h.seek(hash); i < h.n() && h.at(i) == hash; i++ {
		if err := fn(h.doc(i)); err != nil {
			return err
		}
	}
	return nil
}

// The columns of the table holder.
const (
	byID  = "ids"
	byKey = "keys"
)

// holders reads those of a segment, once for as long as this connection knows it.
func (c *conn) holders(ctx context.Context, segment int64, column string) (*holders, error) {
	known := c.holding[column]
	if h, ok := known[segment]; ok {
		return h, nil
	}
	docs, err := c.rowsOf(ctx, segment)
	if err != nil {
		return nil, err
	}
	var raw []byte
	found, err := c.get(ctx, "SELECT "+column+" FROM holder WHERE segment = ?", []any{segment}, &raw)
	if err == nil && !found {
		err = fmt.Errorf("%w: who holds the passages of a segment is gone", store.ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	h, err := decodeHolders(raw, docs)
	if err != nil {
		return nil, err
	}
	if known == nil {
		known = map[int64]*holders{}
		c.holding[column] = known
	}
	known[segment] = h
	return h, nil
}

// allHolders are those of all segments. What is known of others is forgotten.
func (c *conn) allHolders(ctx context.Context, column string) ([]*holders, error) {
	list, err := c.segments(ctx)
	if err != nil {
		return nil, err
	}
	known := map[int64]*holders{}
	var out []*holders
	for _, x := range list {
		h, err := c.holders(ctx, x.id, column)
		if err != nil {
			return nil, err
		}
		known[x.id] = h
		out = append(out, h)
	}
	c.holding[column] = known
	return out, nil
}
