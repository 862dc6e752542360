package local

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/seed-d3156d19/quarry/store"
)

// Encoded values end with a CRC-32C (Castagnoli) of what stands before it, as
// SQLite has no checksum of its own. Decoding trusts nothing, not even a checksum
// that matches: every count is bounded by the bytes that are left.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal puts the checksum of a value behind it.
func seal(b []byte) []byte { return sealFrom(b, 0) }

// sealFrom does so for a value that begins at from, behind others.
func sealFrom(b []byte, from int) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli))
}

// unseal returns what stands before the checksum.
func unseal(b []byte) ([]byte, error) {
	if len(b) < 4 {
		return nil, fmt.Errorf("%w: a value of %d bytes is too short", store.ErrDamaged, len(b))
	}
	body := b[:len(b)-4]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(b[len(b)-4:]) {
		return nil, fmt.Errorf("%w: a checksum does not match", store.ErrDamaged)
	}
	return body, nil
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// decoder reads a value from front to back; once bad it yields zeros. The strings
// that it gives are parts of src.
type decoder struct {
	src string
	at  int
	bad bool
}

// unpack checks the seal of a value and begins to decode it.
func unpack(b []byte) (*decoder, error) {
	body, err := unseal(b)
	if err != nil {
		return nil, err
	}
	return &decoder{src: string(body)}, nil
}

func (d *decoder) uvarint() uint64 {
	if d.at < len(d.src) && d.src[d.at] < 0x80 {
		d.at++
		return uint64(d.src[d.at-1])
	}
	n, at, ok := longVarint(d.src, d.at)
	if !ok {
		d.bad, d.at = true, len(d.src)
		return 0
	}
	d.at = at
	return n
}

// longVarint reads what binary.AppendUvarint wrote.
func longVarint(src string, at int) (n uint64, next int, ok bool) {
	for shift := 0; shift < 64 && at < len(src); shift += 7 {
		b := src[at]
		at++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n, at, shift < 63 || b <= 1
		}
	}
	return 0, at, false
}

func (d *decoder) number(most uint64) int {
	n := d.uvarint()
	if d.bad || n > most {
		d.bad = true
		return 0
	}
	return int(n)
}

// signed reads what binary.AppendVarint wrote.
func (d *decoder) signed() int {
	n := d.uvarint()
	return int(n>>1) ^ -int(n&1)
}

// count reads how many things follow, each at least one byte long.
func (d *decoder) count() int { return d.number(uint64(len(d.src) - d.at)) }

// countOf is count for things of at least size bytes each.
func (d *decoder) countOf(size int) int { return d.number(uint64((len(d.src) - d.at) / size)) }

func (d *decoder) take(n int) string {
	if d.bad || n < 0 || n > len(d.src)-d.at {
		d.bad = true
		return ""
	}
	d.at += n
	return d.src[d.at-n : d.at]
}

func (d *decoder) text() string { return d.take(d.count()) }

func (d *decoder) fixed() uint32 {
	s := d.take(4)
	if len(s) < 4 {
		return 0
	}
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// front replaces last by the string that terms.AppendFront wrote after it.
func (d *decoder) front(last []byte) []byte {
	prefix, rest := d.lengths(len(last))
	if prefix > len(last) {
		d.bad = true
		return last[:0]
	}
	return append(last[:prefix], d.take(rest)...)
}

// lengths reads the two lengths of terms.AppendFront.
func (d *decoder) lengths(most int) (prefix, rest int) {
	head := d.take(1)
	if d.bad {
		return 0, 0
	}
	prefix, rest = int(head[0]>>4), int(head[0]&15)
	if prefix == 15 {
		prefix += d.number(uint64(most))
	}
	if rest == 15 {
		rest += d.count()
	}
	return prefix, rest
}

// same is front for strings that mostly are the one before.
func (d *decoder) same(last string) string {
	prefix, rest := d.lengths(len(last))
	switch {
	case prefix > len(last):
		d.bad = true
		return ""
	case prefix == len(last) && rest == 0:
		return last
	case prefix == 0:
		return d.take(rest)
	}
	return last[:prefix] + d.take(rest)
}

func (d *decoder) end() error {
	if d.bad || d.at < len(d.src) {
		return fmt.Errorf("%w: an encoded value cannot be read", store.ErrDamaged)
	}
	return nil
}
