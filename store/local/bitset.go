package local

import "math/bits"

// bitset is a set of small numbers; nil is empty.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) has(i uint32) bool { return int(i>>6) < len(b) && b[i>>6]&(1<<(i&63)) != 0 }

func (b bitset) set(i uint32) { b[i>>6] |= 1 << (i & 63) }

func (b bitset) clear(i uint32) { b[i>>6] &^= 1 << (i & 63) }

// each calls fn with what is in the set, ascending.
func (b bitset) each(fn func(uint32)) {
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			fn(uint32(64*i + bits.TrailingZeros64(word)))
		}
	}
}

// any reports whether anything is in the set.
func (b bitset) any() bool {
	for _, word := range b {
		if word != 0 {
			return true
		}
	}
	return false
}

// anyOf reports whether anything from from to to, both included, is in the set.
func (b bitset) anyOf(from, to uint32) bool {
	first, last := from>>6, to>>6
	head, tail := ^uint64(0)<<(from&63), ^uint64(0)>>(63-to&63)
	if first == last {
		return b[first]&head&tail != 0
	}
	if b[first]&head != 0 || b[last]&tail != 0 {
		return true
	}
	for _, word := range b[first+1 : last] {
		if word != 0 {
			return true
		}
	}
	return false
}

func (b bitset) count() (n int) {
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}
