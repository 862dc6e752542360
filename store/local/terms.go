package local

import (
	"encoding/binary"
	"math"

	"github.com/seed-d3156d19/quarry/store"
)

// appendTerms encodes terms as the record keeps them, with positions: the length
// of each field; field by field the terms, front-coded as they are sorted, each
// with its positions as distances; the identifiers with their weights.
func appendTerms(b []byte, t *store.Terms) []byte {
	for _, n := range t.Lengths {
		b = binary.AppendUvarint(b, uint64(n))
	}
	rest := t.Postings
	for f := range store.Field(store.Fields) {
		n := 0
		for n < len(rest) && rest[n].Field == f {
			n++
		}
		b = binary.AppendUvarint(b, uint64(n))
		last := ""
		for i := range rest[:n] {
			p := &rest[i]
			b = appendFront(b, last, p.Term)
			b = appendPositions(b, p.Positions)
			last = p.Term
		}
		rest = rest[n:]
	}
	b = binary.AppendUvarint(b, uint64(len(t.Identifiers)))
	last := ""
	for _, d := range t.Identifiers {
		b = appendFront(b, last, d.Value)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(d.Weight))
		last = d.Value
	}
	return b
}

// appendPositions marks in the first position whether more follow.
func appendPositions(b []byte, positions []uint32) []byte {
	first := uint64(positions[0]) << 1
	if len(positions) == 1 {
		if first < 0x80 {
			return append(b, byte(first))
		}
		return binary.AppendUvarint(b, first)
	}
	b = binary.AppendUvarint(b, first|1)
	b = binary.AppendUvarint(b, uint64(len(positions)-1))
	for i := 1; i < len(positions); i++ {
		b = binary.AppendUvarint(b, uint64(positions[i]-positions[i-1]))
	}
	return b
}

// encodeOutline encodes the terms of a revision's sections below level 0, which
// alone are searched.
func encodeOutline(outline []store.Terms) []byte {
	b := binary.AppendUvarint(nil, uint64(len(outline)))
	for i := range outline {
		b = appendTerms(b, &outline[i])
	}
	return seal(b)
}

// visitor receives terms as they are decoded. The bytes are valid only during
// the call.
type visitor struct {
	lengths    func([store.Fields]uint32)
	posting    func(field store.Field, term []byte, frequency int)
	identifier func(value []byte, weight float32)
	// places receives the positions, instead of posting, where it is not nil.
	places func(field store.Field, term []byte, at []uint32)
}

func decodeTerms(b []byte, v visitor) error {
	d, err := unpack(b)
	if err != nil {
		return err
	}
	d.terms(v)
	return d.end()
}

func decodeOutline(b []byte, v visitor) error {
	d, err := unpack(b)
	if err != nil {
		return err
	}
	n := d.count()
	for i := 0; i < n && !d.bad; i++ {
		d.terms(v)
	}
	return d.end()
}

func (d *decoder) terms(v visitor) {
	var lengths [store.Fields]uint32
	for f := range lengths {
		lengths[f] = uint32(d.number(math.MaxInt32))
	}
	v.lengths(lengths)
	var term []byte
	var at []uint32
	for f := range store.Field(store.Fields) {
		term = term[:0]
		for n := d.count(); n > 0 && !d.bad; n-- {
			term = d.front(term)
			if v.places != nil {
				if at = d.appendPositions(at[:0]); !d.bad {
					v.places(f, term, at)
				}
				continue
			}
			frequency := d.skipPositions()
			if !d.bad {
				v.posting(f, term, frequency)
			}
		}
	}
	term = term[:0]
	for n := d.count(); n > 0 && !d.bad; n-- {
		term = d.front(term)
		w := math.Float32frombits(d.fixed())
		if !(w > 0 && w <= 1) {
			d.bad = true
			return
		}
		v.identifier(term, w)
	}
}

// skipPositions counts positions.
func (d *decoder) skipPositions() int {
	first := d.uvarint()
	if first&1 == 0 {
		return 1
	}
	n := d.count()
	for i := 0; i < n && !d.bad; i++ {
		d.number(math.MaxUint32)
	}
	return 1 + n
}

// appendPositions decodes what the function of this name encodes.
func (d *decoder) appendPositions(into []uint32) []uint32 {
	first := d.uvarint()
	last := first >> 1
	d.bad = d.bad || last > math.MaxUint32
	into = append(into, uint32(last))
	if first&1 == 0 {
		return into
	}
	for n := d.count(); n > 0 && !d.bad; n-- {
		last += uint64(d.number(math.MaxUint32))
		d.bad = d.bad || last > math.MaxUint32
		into = append(into, uint32(last))
	}
	return into
}
