package local

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
)

// termTable numbers terms in the order of their first coming. It keeps their bytes
// in one piece: a text of few repeated words has millions of terms, and a map from
// strings costs some hundred bytes for each.
type termTable struct {
	seed  maphash.Seed
	slots []uint32 // open addressing; 1 + the number of a term, 0 is free
	ends  []uint32 // where each term ends in bytes
	bytes []byte
}

// number is that of a term, a new one if need be.
func (t *termTable) number(term []byte) uint32 {
	if 4*(len(t.ends)+1) > 3*len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	for at := maphash.Bytes(t.seed, term) & mask; ; at = (at + 1) & mask {
		n := t.slots[at]
		if n == 0 {
			t.bytes = append(t.bytes, term...)
			t.ends = append(t.ends, uint32(len(t.bytes)))
			t.slots[at] = uint32(len(t.ends))
			return uint32(len(t.ends) - 1)
		}
		if bytes.Equal(t.term(n-1), term) {
			return n - 1
		}
	}
}

func (t *termTable) term(n uint32) []byte {
	if n == 0 {
		return t.bytes[:t.ends[0]]
	}
	return t.bytes[t.ends[n-1]:t.ends[n]]
}

func (t *termTable) reset() {
	clear(t.slots)
	t.ends, t.bytes = t.ends[:0], t.bytes[:0]
}

// expect makes room for so many terms.
func (t *termTable) expect(terms int) {
	if t.slots == nil {
		t.resize(1 << bits.Len(uint(max(12, terms)*4/3)))
	}
}

func (t *termTable) grow() { t.resize(max(16, 2*len(t.slots))) }

// resize makes as many slots, a power of two.
func (t *termTable) resize(slots int) {
	if t.slots == nil {
		t.seed = maphash.MakeSeed()
	}
	t.slots = make([]uint32, slots)
	mask := uint64(len(t.slots) - 1)
	for n := range t.ends {
		at := maphash.Bytes(t.seed, t.term(uint32(n))) & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = uint32(n + 1)
	}
}

// keyed is the number of a term with its first eight bytes.
type keyed struct {
	head uint64
	n    uint32
}

// sorted are the numbers of the terms in the order of the terms, in the memory of list. Most
// pairs are told apart by their first eight bytes, which are compared as one number.
func (t *termTable) sorted(list []keyed) []keyed {
	list = slices.Grow(list[:0], len(t.ends))[:len(t.ends)]
	for i := range list {
		var head [8]byte
		copy(head[:], t.term(uint32(i)))
		list[i] = keyed{binary.BigEndian.Uint64(head[:]), uint32(i)}
	}
	slices.SortFunc(list, func(a, b keyed) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return bytes.Compare(t.term(a.n), t.term(b.n))
	})
	return list
}
