package lanes

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/seed-d3156d19/quarry/store"
)

// blockRows is how many rows a block counts.
const blockRows = 4096

func blockOf(row int64) int64 { return row / blockRows }

func placeOf(row int64) uint16 { return uint16(row % blockRows) }

// bitset has one bit for each row of a block.
type bitset [blockRows / 64]uint64

func (b *bitset) has(at uint16) bool { return b[at/64]>>(at%64)&1 != 0 }

func (b *bitset) set(at uint16) { b[at/64] |= 1 << (at % 64) }

func (b *bitset) count() (n int) {
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// each calls fn with every place whose bit is set, ascending.
func (b *bitset) each(fn func(at uint16)) {
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			fn(uint16(64*i + bits.TrailingZeros64(word)))
		}
	}
}

// keep leaves the places whose score is at least so much.
func (b *bitset) keep(scores *[blockRows]float64, least float64) {
	for i, word := range b {
		if word == 0 {
			continue
		}
		left := word
		for ; word != 0; word &= word - 1 {
			if at := 64*i + bits.TrailingZeros64(word); scores[at%blockRows] < least {
				left &^= word & -word
			}
		}
		b[i] = left
	}
}

// fill sets the bits from up to and with to.
func (b *bitset) fill(from, to uint16) {
	for word := from / 64; word <= to/64; word++ {
		mask := ^uint64(0)
		if word == from/64 {
			mask <<= from % 64
		}
		if word == to/64 {
			mask &= ^uint64(0) >> (63 - to%64)
		}
		b[word] |= mask
	}
}

// entry is a row of a block in the list of a term.
type entry struct {
	at        uint16
	frequency [store.Fields]uint32 // of words
	weight    float32              // of identifiers
}

// A list of a term in a block is two values. The rows are their places, two bytes each,
// ascending; from dense on one bit for each place of the block, which then takes no more.
// The weights of identifiers are four bytes each. Those of words are one byte each (see
// code), behind which those that it does not hold follow as three varints each.
const (
	dense      = 256
	denseBytes = blockRows / 8
)

// code packs small frequencies into a byte: text 0 to 15, heading path and title 0 to 3.
// 0 says that they are larger, as a row with none is in no list.
func code(f [store.Fields]uint32) byte {
	if f[store.Text] > 15 || f[store.HeadingPath] > 3 || f[store.Title] > 3 {
		return 0
	}
	return byte(f[store.Text] | f[store.HeadingPath]<<4 | f[store.Title]<<6)
}

func uncode(c byte) (f [store.Fields]uint32) {
	f[store.Text], f[store.HeadingPath], f[store.Title] = uint32(c&15), uint32(c>>4&3), uint32(c>>6)
	return f
}

func weighted(p store.BM25, f [store.Fields]uint32) (sum float64) {
	for field, n := range f {
		sum += p.Weights[field] * float64(n)
	}
	return sum
}

// encodeList writes entries, which ascend and are not empty.
func encodeList(of lane, entries []entry) (rows, weights []byte) {
	if len(entries) < dense {
		for _, e := range entries {
			rows = binary.LittleEndian.AppendUint16(rows, e.at)
		}
	} else {
		rows = make([]byte, denseBytes)
		for _, e := range entries {
			rows[e.at/8] |= 1 << (e.at % 8)
		}
	}
	if of == identifiers {
		for _, e := range entries {
			weights = binary.LittleEndian.AppendUint32(weights, math.Float32bits(e.weight))
		}
		return rows, weights
	}
	for _, e := range entries {
		weights = append(weights, code(e.frequency))
	}
	for _, e := range entries {
		if code(e.frequency) == 0 {
			for _, n := range e.frequency {
				weights = binary.AppendUvarint(weights, uint64(n))
			}
		}
	}
	return rows, weights
}

var errList = fmt.Errorf("%w: a list of the index cannot be read", store.ErrDamaged)

// places decodes rows into at.
func places(rows []byte, at *[blockRows]uint16) ([]uint16, error) {
	if len(rows) == denseBytes {
		n := 0
		for word := range blockRows / 64 {
			for set := binary.LittleEndian.Uint64(rows[8*word:]); set != 0; set &= set - 1 {
				at[n] = uint16(64*word + bits.TrailingZeros64(set))
				n++
			}
		}
		return at[:n], nil
	}
	if len(rows)%2 != 0 || len(rows) > denseBytes {
		return nil, errList
	}
	for i := range len(rows) / 2 {
		if at[i] = binary.LittleEndian.Uint16(rows[2*i:]); at[i] >= blockRows || i > 0 && at[i] <= at[i-1] {
			return nil, errList
		}
	}
	return at[:len(rows)/2], nil
}

// decodeList is the reverse of encodeList.
func decodeList(of lane, rows, weights []byte) ([]entry, error) {
	var buffer [blockRows]uint16
	at, err := places(rows, &buffer)
	if err != nil {
		return nil, err
	}
	entries := make([]entry, len(at))
	for i := range at {
		entries[i].at = at[i]
	}
	if of == identifiers {
		if len(weights) != 4*len(at) {
			return nil, errList
		}
		for i := range entries {
			entries[i].weight = math.Float32frombits(binary.LittleEndian.Uint32(weights[4*i:]))
		}
		return entries, nil
	}
	if len(weights) < len(at) {
		return nil, errList
	}
	large := largeFrequencies(weights[len(at):])
	for i := range entries {
		if entries[i].frequency = uncode(weights[i]); weights[i] == 0 {
			if entries[i].frequency, err = large.next(); err != nil {
				return nil, err
			}
		}
	}
	return entries, nil
}

// largeFrequencies are those behind the codes.
type largeFrequencies []byte

func (l *largeFrequencies) next() (f [store.Fields]uint32, err error) {
	for field := range f {
		n, size := binary.Uvarint(*l)
		if size <= 0 || n > math.MaxUint32 {
			return f, errList
		}
		f[field], *l = uint32(n), (*l)[size:]
	}
	return f, nil
}

// scored decodes a list into places and, for each, what its score depends on: the weighted
// frequency, or the identifier's weight.
func (x *Index) scored(of lane, rows, weights []byte, into *decoded) error {
	at, err := places(rows, &into.buffer)
	if err != nil {
		return err
	}
	into.at, into.weights = at, into.room[:len(at)]
	if of == identifiers {
		if len(weights) != 4*len(at) {
			return errList
		}
		for i := range at {
			into.weights[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(weights[4*i:])))
		}
		return nil
	}
	if len(weights) < len(at) {
		return errList
	}
	for i, c := range weights[:len(at)] {
		into.weights[i] = x.frequency[c]
	}
	if len(weights) == len(at) {
		return nil
	}
	large := largeFrequencies(weights[len(at):])
	for i, c := range weights[:len(at)] {
		if c == 0 {
			f, err := large.next()
			if err != nil {
				return err
			}
			into.weights[i] = weighted(x.bm25, f)
		}
	}
	return nil
}

// decoded is a list with room for any.
type decoded struct {
	at      []uint16
	weights []float64
	buffer  [blockRows]uint16
	room    [blockRows]float64
}

// common counts the rows of a list that are in a set.
func common(rows []byte, in *bitset) (n int, err error) {
	if len(rows) == denseBytes {
		for word := range in {
			n += bits.OnesCount64(in[word] & binary.LittleEndian.Uint64(rows[8*word:]))
		}
		return n, nil
	}
	if len(rows)%2 != 0 {
		return 0, errList
	}
	for ; len(rows) > 0; rows = rows[2:] {
		at := binary.LittleEndian.Uint16(rows)
		if at >= blockRows {
			return 0, errList
		}
		if in.has(at) {
			n++
		}
	}
	return n, nil
}

// add puts the rows of a list into a set.
func (b *bitset) add(rows []byte) error {
	if len(rows) == denseBytes {
		for word := range b {
			b[word] |= binary.LittleEndian.Uint64(rows[8*word:])
		}
		return nil
	}
	if len(rows)%2 != 0 {
		return errList
	}
	for ; len(rows) > 0; rows = rows[2:] {
		at := binary.LittleEndian.Uint16(rows)
		if at >= blockRows {
			return errList
		}
		b.set(at)
	}
	return nil
}
