package local

import (
	"crypto/sha256"
	"hash/maphash"
)

// keyNumbers gives every content key that a process meets a small number, the same in
// all snapshots, so that rows of segments and vectors of blocks, which come and go
// apart from each other, find together by an array instead of by comparing keys. It
// is a hash table with open addressing over keys of 16 bytes: 24 to 32 bytes for
// each, a third of what a map of strings takes.
type keyNumbers struct {
	seed  maphash.Seed
	keys  [][16]byte
	table []uint32 // a number and 1; 0 is free; its length is a power of two
}

func newNumbers() *keyNumbers {
	return &keyNumbers{seed: maphash.MakeSeed(), table: make([]uint32, 1<<10)}
}

// grow makes room for n more keys.
func (x *keyNumbers) grow(n int) {
	size := len(x.table)
	for 3*size < 4*(len(x.keys)+n) { // at most three of four are taken
		size *= 2
	}
	if size == len(x.table) {
		return
	}
	x.table = make([]uint32, size)
	for i := range x.keys {
		x.table[x.free(x.keys[i])] = uint32(i) + 1
	}
}

// free returns where a key stands in the table or would stand.
func (x *keyNumbers) free(key [16]byte) int {
	at := int(maphash.Bytes(x.seed, key[:]))
	for ; ; at++ {
		at &= len(x.table) - 1
		if n := x.table[at]; n == 0 || x.keys[n-1] == key {
			return at
		}
	}
}

// of returns the number of a key. Keys that follow each other in one place mostly do
// so in others: likely is tried first.
func (x *keyNumbers) of(key string, likely uint32) uint32 {
	k := short(key)
	if int(likely) < len(x.keys) && x.keys[likely] == k {
		return likely
	}
	at := x.free(k)
	if n := x.table[at]; n > 0 {
		return n - 1
	}
	x.keys = append(x.keys, k)
	x.table[at] = uint32(len(x.keys))
	x.grow(1)
	return uint32(len(x.keys) - 1)
}

// short is a key in 16 bytes: those of keys as they are made have as many.
func short(key string) [16]byte {
	if len(key) == 16 {
		return [16]byte([]byte(key))
	}
	sum := sha256.Sum256([]byte(key))
	return [16]byte(sum[:16])
}

// number gives the rows of each segment the numbers of their content keys.
func (s *snapshot) number(base *snapshot) {
	known := map[*segment][]uint32{}
	if s.numbers = base.numbers; s.numbers == nil || s.mostlyGone() {
		s.numbers = newNumbers()
	} else {
		for i, g := range base.segments {
			known[g] = base.numbered[i]
		}
	}
	s.numbered = make([][]uint32, len(s.segments))
	for i, g := range s.segments {
		if s.numbered[i] = known[g]; s.numbered[i] != nil {
			continue
		}
		s.numbered[i] = make([]uint32, g.n)
		likely := uint32(0)
		for at := range g.n {
			s.numbered[i][at] = s.numbers.of(g.keyOf(uint32(at)), likely)
			likely = s.numbered[i][at] + 1
		}
	}
}

// mostlyGone reports that most numbers are of keys that no passage has any more:
// then all is numbered anew, so that memory follows what there is.
func (s *snapshot) mostlyGone() bool {
	rows := 0
	for _, g := range s.segments {
		rows += g.n
	}
	return len(s.numbers.keys) > 2*rows+1<<16
}
