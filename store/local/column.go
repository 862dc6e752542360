package local

import (
	"encoding/binary"
	"math"
	"slices"
)

// Columns are used as they lie in an encoded value, so that loading a segment costs
// little more than reading it, however many rows it has.

// numbers is a column of unsigned numbers, each of width bytes, little-endian.
type numbers struct {
	width int // 1, 2 or 4
	data  string
}

func appendNumbers(b []byte, list []uint32) []byte {
	most := uint32(0)
	for _, n := range list {
		most = max(most, n)
	}
	switch {
	case most <= math.MaxUint8:
		b = append(b, 1)
		for _, n := range list {
			b = append(b, byte(n))
		}
	case most <= math.MaxUint16:
		b = append(b, 2)
		for _, n := range list {
			b = binary.LittleEndian.AppendUint16(b, uint16(n))
		}
	default:
		b = append(b, 4)
		for _, n := range list {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
	}
	return b
}

// numbers reads a column of n.
func (d *decoder) numbers(n int) numbers {
	c := numbers{width: d.number(4)}
	if d.bad = d.bad || c.width == 0 || c.width == 3 || n > (len(d.src)-d.at)/c.width; d.bad {
		return numbers{width: 1}
	}
	c.data = d.take(n * c.width)
	return c
}

func (c *numbers) at(i int) uint32 {
	switch c.width {
	case 1:
		return uint32(c.data[i])
	case 2:
		return uint32(uint16At(c.data, 2*i))
	}
	return uint32At(c.data, 4*i)
}

func uint16At(s string, at int) uint16 {
	s = s[at : at+2]
	return uint16(s[0]) | uint16(s[1])<<8
}

func uint32At(s string, at int) uint32 {
	s = s[at : at+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func uint64At(s string, at int) uint64 {
	return uint64(uint32At(s, at)) | uint64(uint32At(s, at+4))<<32
}

// column is a column of byte strings: all of one width, or with a column of where
// each ends.
type column struct {
	n     int
	width int // 0 where they differ
	ends  numbers
	data  string
}

func appendColumn(b []byte, list []string) []byte {
	total := 0
	sizes := make([]uint32, len(list))
	for i, s := range list {
		sizes[i] = uint32(len(s))
		total += len(s)
	}
	b = appendSizes(b, sizes, total)
	for _, s := range list {
		b = append(b, s...)
	}
	return b
}

// appendPieces is appendColumn for strings that stand one behind the other.
func appendPieces(b, data []byte, sizes []uint32) []byte {
	return append(appendSizes(b, sizes, len(data)), data...)
}

// appendSizes writes what stands before the data of a column. sizes are ends then.
func appendSizes(b []byte, sizes []uint32, total int) []byte {
	width := uint32(0)
	if len(sizes) > 0 && !slices.ContainsFunc(sizes, func(n uint32) bool { return n != sizes[0] }) {
		width = sizes[0]
	}
	b = binary.AppendUvarint(b, uint64(width))
	if width == 0 {
		end := uint32(0)
		for i, n := range sizes {
			end += n
			sizes[i] = end
		}
		b = appendNumbers(b, sizes)
	}
	return binary.AppendUvarint(b, uint64(total))
}

// column reads a column of n and sees that its strings lie within it.
func (d *decoder) column(n int) column {
	c := column{n: n, width: d.number(math.MaxInt32)}
	if c.width == 0 {
		c.ends = d.numbers(n)
	}
	c.data = d.text()
	if d.bad || c.width > 0 && (len(c.data)/c.width != n || len(c.data)%c.width != 0) {
		d.bad = true
		return column{}
	}
	if c.width > 0 {
		return c
	}
	last := uint32(0)
	for i := range n {
		end := c.ends.at(i)
		d.bad = d.bad || end < last
		last = end
	}
	if d.bad = d.bad || int(last) != len(c.data); d.bad {
		return column{}
	}
	return c
}

func (c *column) at(i int) string {
	if c.width > 0 {
		return c.data[i*c.width : (i+1)*c.width]
	}
	from := uint32(0)
	if i > 0 {
		from = c.ends.at(i - 1)
	}
	return c.data[from:c.ends.at(i)]
}
