// Package terms encodes store.Terms as stores keep them: whole, with positions, so that
// an index of another form can be made from the record.
package terms

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/seed-d3156d19/quarry/store"
)

// Append encodes terms behind b: the length of each field; field by field the terms,
// front-coded as they are sorted, each with its positions as distances; the identifiers
// with their weights.
func Append(b []byte, t *store.Terms) []byte {
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
			b = AppendFront(b, last, p.Term)
			b = appendPositions(b, p.Positions)
			last = p.Term
		}
		rest = rest[n:]
	}
	b = binary.AppendUvarint(b, uint64(len(t.Identifiers)))
	last := ""
	for _, d := range t.Identifiers {
		b = AppendFront(b, last, d.Value)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(d.Weight))
		last = d.Value
	}
	return b
}

// AppendFront encodes s as what it does not share with the string before it: one
// byte with the lengths of both parts, 15 saying that the rest of a length
// follows.
func AppendFront(b []byte, last, s string) []byte {
	prefix := 0
	for prefix < len(last) && prefix < len(s) && last[prefix] == s[prefix] {
		prefix++
	}
	rest := len(s) - prefix
	b = append(b, byte(min(prefix, 15)<<4|min(rest, 15)))
	if prefix >= 15 {
		b = binary.AppendUvarint(b, uint64(prefix-15))
	}
	if rest >= 15 {
		b = binary.AppendUvarint(b, uint64(rest-15))
	}
	return append(b, s[prefix:]...)
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

// Decode reads what Append encoded. It trusts nothing: every count is bounded by the bytes
// that are left. What it cannot read is store.ErrDamaged.
func Decode(b []byte) (store.Terms, error) {
	d := decoder{src: b}
	var t store.Terms
	for f := range t.Lengths {
		t.Lengths[f] = int(d.number(math.MaxInt32))
	}
	for f := range store.Field(store.Fields) {
		term := ""
		for n := d.count(); n > 0 && !d.bad; n-- {
			term = d.front(term)
			if at := d.positions(); !d.bad {
				t.Postings = append(t.Postings, store.Posting{Term: term, Field: f, Positions: at})
			}
		}
	}
	value := ""
	for n := d.count(); n > 0 && !d.bad; n-- {
		value = d.front(value)
		raw := d.take(4)
		if d.bad {
			break
		}
		w := math.Float32frombits(binary.LittleEndian.Uint32(raw))
		d.bad = !(w > 0 && w <= 1)
		t.Identifiers = append(t.Identifiers, store.Identifier{Value: value, Weight: w})
	}
	if d.bad || len(d.src) > 0 {
		return store.Terms{}, fmt.Errorf("%w: the terms of a passage cannot be read", store.ErrDamaged)
	}
	return t, nil
}

// decoder reads from front to back; once bad it yields zeros.
type decoder struct {
	src []byte
	bad bool
}

func (d *decoder) number(most uint64) uint64 {
	n, size := binary.Uvarint(d.src)
	if d.bad || size <= 0 || n > most {
		d.bad = true
		return 0
	}
	d.src = d.src[size:]
	return n
}

// count reads how many things follow, each at least one byte long.
func (d *decoder) count() int { return int(d.number(uint64(len(d.src)))) }

func (d *decoder) take(n int) []byte {
	if d.bad || n > len(d.src) {
		d.bad = true
		return nil
	}
	out := d.src[:n]
	d.src = d.src[n:]
	return out
}

// front reads what AppendFront wrote after last.
func (d *decoder) front(last string) string {
	head := d.take(1)
	if d.bad {
		return ""
	}
	prefix, rest := int(head[0]>>4), int(head[0]&15)
	if prefix == 15 {
		prefix += int(d.number(uint64(len(last))))
	}
	if rest == 15 {
		rest += d.count()
	}
	if prefix > len(last) {
		d.bad = true
		return ""
	}
	return last[:prefix] + string(d.take(rest))
}

func (d *decoder) positions() []uint32 {
	first := d.number(math.MaxUint32<<1 | 1)
	last := first >> 1
	if first&1 == 0 {
		return []uint32{uint32(last)}
	}
	n := d.count()
	out := append(make([]uint32, 0, n+1), uint32(last))
	for ; n > 0 && !d.bad; n-- {
		last += d.number(math.MaxUint32)
		d.bad = d.bad || last > math.MaxUint32
		out = append(out, uint32(last))
	}
	return out
}
