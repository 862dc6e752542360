package local

import (
	"encoding/binary"
	"math"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/terms"
)

// encodeOutline encodes the terms of a revision's sections below level 0, which
// alone are searched.
func encodeOutline(outline []store.Terms) []byte {
	b := binary.AppendUvarint(nil, uint64(len(outline)))
	for i := range outline {
		b = terms.Append(b, &outline[i])
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

// appendPositions decodes positions behind into.
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
