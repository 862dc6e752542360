package local

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/seed-d3156d19/quarry/store"
)

// A posting list of up to blockSize postings is a varint each: the distance from
// the row before and the code. A longer one is a table of blocks and the blocks. The
// table tells where each block ends, in rows and in bytes, and what bounds the score
// of its postings whatever the question's statistics are: the greatest frequency and
// the least length in each field. A block is one byte that says how it is encoded,
// its rows and its codes.
const (
	blockSize = 128
	entrySize = 16 // of the table: last row 4, end 4, frequencies 3, lengths 1 1 2, unused 1
)

// How the rows of a block are encoded: as bits from the 64 rows in which the block
// begins, where that takes little more than the distances, or as distances from the
// row before, less one.
const (
	rowBits = iota
	row8
	row16
	row32
)

// codeWidths are the bits of a code, by what a block's first byte says of it.
var codeWidths = [...]int{0, 1, 2, 4, 8, 16, 32}

// saturated stands for a frequency of 255 or more.
const saturated = math.MaxUint8

// appendList encodes a posting list. lengths gives the length of a row by field,
// nil where rows have none.
func appendList(b []byte, list []posting, codes []code, lengths []code) []byte {
	if len(list) <= blockSize {
		next := uint32(0)
		for _, p := range list {
			b = binary.AppendUvarint(b, uint64(p.row-next)<<2|uint64(min(p.code, 3)))
			if p.code >= 3 {
				b = binary.AppendUvarint(b, uint64(p.code-3))
			}
			next = p.row + 1
		}
		return b
	}
	table := len(b)
	blocks := (len(list) + blockSize - 1) / blockSize
	b = append(b, make([]byte, blocks*entrySize)...)
	first, base := len(b), uint32(0)
	for i := range blocks {
		block := list[i*blockSize : min((i+1)*blockSize, len(list))]
		b = appendBlock(b, block, base)
		last := block[len(block)-1].row
		entry := b[table+i*entrySize:]
		binary.LittleEndian.PutUint32(entry, last)
		binary.LittleEndian.PutUint32(entry[4:], uint32(len(b)-first))
		putBounds(entry[8:entrySize], block, codes, lengths)
		base = last + 1
	}
	return b
}

func putBounds(entry []byte, block []posting, codes []code, lengths []code) {
	var most code
	least := code{math.MaxUint8, math.MaxUint8, math.MaxUint16}
	for _, p := range block {
		for f, n := range codes[p.code] {
			most[f] = max(most[f], min(n, saturated))
			if lengths != nil {
				least[f] = min(least[f], lengths[p.row][f])
			}
		}
	}
	for f, n := range most {
		entry[f] = byte(n)
	}
	entry[3], entry[4] = byte(least[store.Title]), byte(least[store.HeadingPath])
	binary.LittleEndian.PutUint16(entry[5:], uint16(least[store.Text]))
}

func appendBlock(b []byte, block []posting, base uint32) []byte {
	gap, most, next := uint32(0), uint32(0), base
	for _, p := range block {
		gap, most, next = max(gap, p.row-next), max(most, p.code), p.row+1
	}
	kind := row32
	words := int((next-1)/64-base/64) + 1
	switch {
	case 8*words <= 2*len(block):
		kind = rowBits
	case gap <= math.MaxUint8:
		kind = row8
	case gap <= math.MaxUint16:
		kind = row16
	}
	width := 0
	for codeWidths[width] < bits.Len32(most) {
		width++
	}
	b = append(b, byte(kind|width<<2))
	b = appendBlockRows(b, block, base, kind, words)
	return appendBlockCodes(b, block, codeWidths[width])
}

func appendBlockRows(b []byte, block []posting, base uint32, kind, words int) []byte {
	at := len(b)
	if kind == rowBits {
		b = append(b, make([]byte, 8*words)...)
	}
	next := base
	for _, p := range block {
		gap := p.row - next
		switch kind {
		case rowBits:
			bit := p.row - base&^63
			b[at+int(bit>>3)] |= 1 << (bit & 7)
		case row8:
			b = append(b, byte(gap))
		case row16:
			b = binary.LittleEndian.AppendUint16(b, uint16(gap))
		default:
			b = binary.LittleEndian.AppendUint32(b, gap)
		}
		next = p.row + 1
	}
	return b
}

func appendBlockCodes(b []byte, block []posting, width int) []byte {
	at := len(b)
	b = append(b, make([]byte, (len(block)*width+7)/8)...)
	for i, p := range block {
		switch {
		case width == 0:
		case width <= 8:
			bit := i * width
			b[at+bit>>3] |= byte(p.code << (bit & 7))
		case width == 16:
			binary.LittleEndian.PutUint16(b[at+2*i:], uint16(p.code))
		default:
			binary.LittleEndian.PutUint32(b[at+4*i:], p.code)
		}
	}
	return b
}
