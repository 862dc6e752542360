package local

import (
	"math/bits"
	"slices"
)

// encoded is what a block's place in a list and its first byte say of it.
type encoded struct {
	n    int    // postings
	base uint32 // the least that its first row may be
	last uint32
	kind int
	bits int    // of a code
	rows string // encoded
	code string
}

// split takes a block apart; false where its bytes are not as many as it says.
func (k *encoded) split(block string) bool {
	head, rest := block[0], block[1:]
	if int(head>>2) >= len(codeWidths) {
		return false
	}
	k.kind, k.bits = int(head&3), codeWidths[head>>2]
	size := 0
	switch k.kind {
	case rowBits:
		size = 8 * (int(k.last/64-k.base/64) + 1)
	case row8:
		size = k.n
	case row16:
		size = 2 * k.n
	case row32:
		size = 4 * k.n
	}
	if len(rest) != size+(k.n*k.bits+7)/8 {
		return false
	}
	k.rows, k.code = rest[:size], rest[size:]
	return true
}

// decodeRows fills into with the rows of a block; false where they cannot be.
func (k *encoded) decodeRows(into *[blockSize]uint32) bool {
	if k.kind == rowBits {
		return k.decodeBits(into)
	}
	next := uint64(k.base)
	out := into[:k.n]
	switch src := k.rows; k.kind {
	case row8:
		for i := range out {
			next += uint64(src[i])
			out[i] = uint32(next)
			next++
		}
	case row16:
		for i := range out {
			next += uint64(uint16At(src, 2*i))
			out[i] = uint32(next)
			next++
		}
	default:
		for i := range out {
			next += uint64(uint32At(src, 4*i))
			out[i] = uint32(next)
			next++
		}
	}
	return next == uint64(k.last)+1
}

func (k *encoded) decodeBits(into *[blockSize]uint32) bool {
	n := 0
	for word := 0; word < len(k.rows)/8; word++ {
		for set := uint64At(k.rows, 8*word); set != 0; set &= set - 1 {
			if n == k.n {
				return false
			}
			into[n] = k.base&^63 + uint32(64*word+bits.TrailingZeros64(set))
			n++
		}
	}
	return n == k.n && into[0] >= k.base && into[n-1] == k.last
}

// decodeCodes fills into with the codes of a block; false where one is not below
// most.
func (k *encoded) decodeCodes(into *[blockSize]uint32, most int) bool {
	out, src := into[:k.n], k.code
	switch k.bits {
	case 0:
		clear(out)
	case 1:
		for i := range out {
			out[i] = uint32(src[i>>3] >> (i & 7) & 1)
		}
	case 2:
		for i := range out {
			out[i] = uint32(src[i>>2] >> (2 * (i & 3)) & 3)
		}
	case 4:
		for i := range out {
			out[i] = uint32(src[i>>1] >> (4 * (i & 1)) & 15)
		}
	case 8:
		for i := range out {
			out[i] = uint32(src[i])
		}
	case 16:
		for i := range out {
			out[i] = uint32(uint16At(src, 2*i))
		}
	default:
		for i := range out {
			out[i] = uint32At(src, 4*i)
		}
	}
	return 1<<k.bits <= most || int(slices.Max(out)) < most
}

// codeAt is the code of the n-th posting.
func (k *encoded) codeAt(n int) uint32 {
	switch k.bits {
	case 0:
		return 0
	case 16:
		return uint32(uint16At(k.code, 2*n))
	case 32:
		return uint32At(k.code, 4*n)
	}
	bit := n * k.bits
	return uint32(k.code[bit>>3]>>(bit&7)) & (1<<k.bits - 1)
}

// placeOf is which posting of a block encoded as bits a row is, and whether it is one.
func (k *encoded) placeOf(row uint32) (n int, ok bool) {
	bit := int(row - k.base&^63)
	word := uint64At(k.rows, bit>>6<<3)
	if word>>(bit&63)&1 == 0 {
		return 0, false
	}
	n = bits.OnesCount64(word & (1<<(bit&63) - 1))
	for i := range bit >> 6 {
		n += bits.OnesCount64(uint64At(k.rows, 8*i))
	}
	return n, n < k.n
}

func (k *encoded) commonBits(among bitset) (n int) {
	first := int(k.base / 64)
	for i := range len(k.rows) / 8 {
		n += bits.OnesCount64(uint64At(k.rows, 8*i) & among[first+i])
	}
	return n
}

// decodeShort decodes a list of up to blockSize postings.
func decodeShort(src string, n int, rows, codes *[blockSize]uint32, limit, most int) bool {
	d := decoder{src: src}
	next := uint64(0)
	for i := range n {
		v := d.uvarint()
		c := v & 3
		if c == 3 {
			c += d.uvarint()
		}
		row := next + v>>2
		if d.bad || row >= uint64(limit) || c >= uint64(most) {
			return false
		}
		rows[i], codes[i] = uint32(row), uint32(c)
		next = row + 1
	}
	return d.at == len(src)
}
