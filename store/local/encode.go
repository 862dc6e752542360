package local

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/seed-d3156d19/quarry/store"
)

// Encoded values end with a CRC-32C (Castagnoli) of what stands before it, as
// SQLite has no checksum of its own. Decoding trusts nothing: every count is
// bounded by the bytes that are left.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func seal(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
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

// appendTerms encodes terms: the length of each field; the postings as field,
// term and positions, each position as the distance from the one before; the
// identifiers with their weights.
func appendTerms(b []byte, t store.Terms) []byte {
	for _, n := range t.Lengths {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.AppendUvarint(b, uint64(len(t.Postings)))
	for _, p := range t.Postings {
		b = append(b, byte(p.Field))
		b = appendString(b, p.Term)
		b = binary.AppendUvarint(b, uint64(len(p.Positions)))
		last := uint32(0)
		for _, at := range p.Positions {
			b = binary.AppendUvarint(b, uint64(at-last))
			last = at
		}
	}
	b = binary.AppendUvarint(b, uint64(len(t.Identifiers)))
	for _, d := range t.Identifiers {
		b = appendString(b, d.Value)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(d.Weight))
	}
	return b
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func encodeTerms(t store.Terms) []byte { return seal(appendTerms(nil, t)) }

// encodeOutline encodes the terms of a revision's sections.
func encodeOutline(outline []store.Terms) []byte {
	b := binary.AppendUvarint(nil, uint64(len(outline)))
	for _, t := range outline {
		b = appendTerms(b, t)
	}
	return seal(b)
}

// visitor receives terms as they are decoded. The bytes are valid only during
// the call.
type visitor struct {
	lengths    func([store.Fields]int)
	posting    func(field store.Field, term []byte, frequency int)
	identifier func(value []byte, weight float32)
}

func decodeTerms(b []byte, v visitor) error {
	body, err := unseal(b)
	if err != nil {
		return err
	}
	d := decoder{rest: body}
	d.terms(v)
	return d.end()
}

// decodeOutline calls begin before the terms of each section.
func decodeOutline(b []byte, begin func(section int), v visitor) error {
	body, err := unseal(b)
	if err != nil {
		return err
	}
	d := decoder{rest: body}
	n := d.count()
	for i := 0; i < n && !d.bad; i++ {
		begin(i)
		d.terms(v)
	}
	return d.end()
}

// decoder reads a value from front to back; once bad it yields zeros.
type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) terms(v visitor) {
	var lengths [store.Fields]int
	for f := range lengths {
		lengths[f] = d.number(math.MaxInt32)
	}
	v.lengths(lengths)
	n := d.count()
	for i := 0; i < n && !d.bad; i++ {
		field := d.bytes(1)
		term := d.bytes(d.count())
		frequency := d.count()
		for j := 0; j < frequency && !d.bad; j++ {
			d.number(math.MaxUint32)
		}
		if d.bad {
			return
		}
		if field[0] >= store.Fields {
			d.bad = true
			return
		}
		v.posting(store.Field(field[0]), term, frequency)
	}
	n = d.count()
	for i := 0; i < n && !d.bad; i++ {
		value := d.bytes(d.count())
		weight := d.bytes(4)
		if d.bad {
			return
		}
		w := math.Float32frombits(binary.LittleEndian.Uint32(weight))
		if !(w > 0 && w <= 1) {
			d.bad = true
			return
		}
		v.identifier(value, w)
	}
}

func (d *decoder) number(most uint64) int {
	n, size := binary.Uvarint(d.rest)
	if d.bad || size <= 0 || n > most {
		d.bad = true
		return 0
	}
	d.rest = d.rest[size:]
	return int(n)
}

// count reads how many things follow, each at least one byte long.
func (d *decoder) count() int { return d.number(uint64(len(d.rest))) }

func (d *decoder) bytes(n int) []byte {
	if d.bad || n > len(d.rest) {
		d.bad = true
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) end() error {
	if d.bad || len(d.rest) > 0 {
		return fmt.Errorf("%w: encoded terms cannot be read", store.ErrDamaged)
	}
	return nil
}

// encodeWindows encodes the vectors of all windows of a content key as float32.
func encodeWindows(windows [][]float32) []byte {
	var b []byte
	for _, w := range windows {
		for _, x := range w {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return seal(b)
}

// decodeWindows returns the windows one behind the other, dims floats each.
func decodeWindows(b []byte, dims int) ([]float32, error) {
	body, err := unseal(b)
	if err != nil {
		return nil, err
	}
	if dims <= 0 || len(body) == 0 || len(body)%(4*dims) != 0 {
		return nil, fmt.Errorf("%w: %d bytes are no vectors of %d dimensions", store.ErrDamaged, len(body), dims)
	}
	out := make([]float32, len(body)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
	}
	return out, nil
}
