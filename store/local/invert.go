package local

import (
	"encoding/binary"
	"slices"

	"github.com/seed-d3156d19/quarry/store"
)

// inverting collects the postings of a new segment, in the order of the rows, and
// sorts them by term in the end: a list for each term would cost more than it holds
// where most terms stand in one row.
type inverting struct {
	terms    termTable
	newest   []uint32 // by term, 1 + its last posting
	postings []counted
	codes    []code
	numbers  map[code]uint32 // of codes
	usual    [64]uint32      // 1 + the number of a code of the text alone, by its frequency
	long     bool            // its rows have lengths
	lengths  []code
}

// encoding is the memory that one index after the other is encoded in.
type encoding struct {
	order  []uint32
	sorted []keyed
	out    listing
}

// counted is one posting: a term in a row, with the number of its code.
type counted struct{ term, row, code uint32 }

// maxKept bounds what is kept for the next segment, in postings.
const maxKept = 1 << 18

// reset begins a segment, in the memory of the last one.
func (v *inverting) reset(long bool) {
	if cap(v.postings) > maxKept {
		*v = inverting{}
	}
	v.terms.reset()
	v.newest, v.postings, v.codes, v.lengths = v.newest[:0], v.postings[:0], v.codes[:0], v.lengths[:0]
	clear(v.numbers)
	clear(v.usual[:])
	v.long = long
}

// expect makes room for so many postings.
func (v *inverting) expect(postings int) {
	v.postings = slices.Grow(v.postings, postings)
	v.terms.expect(postings / 6) // of a change of some documents
}

// add counts a term of the newest row. A term may stand in several fields.
func (v *inverting) add(term []byte, row uint32, field store.Field, n uint32) {
	id := v.terms.number(term)
	if int(id) == len(v.newest) {
		v.newest = append(v.newest, 0)
	}
	var c code
	if last := v.newest[id]; last > 0 && v.postings[last-1].row == row {
		c = v.codes[v.postings[last-1].code]
		c[field] += n
		v.postings[last-1].code = v.code(c)
		return
	}
	c[field] = n
	v.postings = append(v.postings, counted{id, row, v.code(c)})
	v.newest[id] = uint32(len(v.postings))
}

func (v *inverting) code(c code) uint32 {
	usual := c[store.Title]|c[store.HeadingPath] == 0 && c[store.Text] < uint32(len(v.usual))
	if usual && v.usual[c[store.Text]] > 0 {
		return v.usual[c[store.Text]] - 1
	}
	n, ok := v.numbers[c]
	if !ok {
		if v.numbers == nil {
			v.numbers = map[code]uint32{}
		}
		n = uint32(len(v.codes))
		v.numbers[c] = n
		v.codes = append(v.codes, c)
	}
	if usual {
		v.usual[c[store.Text]] = n + 1
	}
	return n
}

// encode gives the most frequent codes the smallest numbers.
func (v *inverting) encode(in *encoding) []byte {
	number := v.rank(&in.out)
	// A counting sort: starts is where the postings of each term begin.
	starts := v.newest
	clear(starts)
	for _, p := range v.postings {
		starts[p.term]++
	}
	at := uint32(0)
	for term, n := range starts {
		starts[term] = at
		at += n
	}
	in.order = slices.Grow(in.order[:0], len(v.postings))[:len(v.postings)]
	order, out := in.order, &in.out
	for i, p := range v.postings {
		order[starts[p.term]] = uint32(i)
		starts[p.term]++ // in the end, where the next term's begin
	}
	out.expect(len(v.terms.ends), len(v.terms.bytes), len(v.postings))
	in.sorted = v.terms.sorted(in.sorted)
	for _, k := range in.sorted {
		term := k.n
		out.begin()
		from := uint32(0)
		if term > 0 {
			from = starts[term-1]
		}
		for _, i := range order[from:starts[term]] {
			out.add(v.postings[i].row, number[v.postings[i].code])
		}
		finish(out, v.terms.term(term))
	}
	return out.encode()
}

// rank begins a listing with the codes that are in use, by their frequency, and
// gives each code's place in it.
func (v *inverting) rank(out *listing) (number []uint32) {
	frequent := make([]int, len(v.codes))
	for _, p := range v.postings {
		frequent[p.code]++
	}
	var used []uint32
	for n, f := range frequent {
		if f > 0 {
			used = append(used, uint32(n))
		}
	}
	slices.SortFunc(used, func(a, b uint32) int {
		if frequent[a] != frequent[b] {
			return frequent[b] - frequent[a]
		}
		return slices.Compare(v.codes[a][:], v.codes[b][:])
	})
	out.names, out.terms, out.counts, out.sizes, out.lists, out.codes = out.names[:0], out.terms[:0], out.counts[:0], out.sizes[:0], out.lists[:0], out.codes[:0]
	out.long, out.lengths = v.long, v.lengths
	number = make([]uint32, len(v.codes))
	for place, n := range used {
		number[n] = uint32(place)
		out.codes = append(out.codes, v.codes[n])
	}
	return number
}

// listing writes an inverted index, term by term in ascending order.
type listing struct {
	codes   []code
	long    bool   // its rows have lengths
	lengths []code // nil where they have none

	names  []byte   // of the terms, one behind the other
	terms  []uint32 // sizes of names
	counts []uint32 // of postings
	sizes  []uint32 // of lists
	lists  []byte

	list []posting // of the term at hand
}

// expect makes room for so many terms, bytes of them, and postings.
func (l *listing) expect(terms, bytes, postings int) {
	l.names = slices.Grow(l.names, bytes)
	l.terms, l.counts, l.sizes = slices.Grow(l.terms, terms), slices.Grow(l.counts, terms), slices.Grow(l.sizes, terms)
	l.lists = slices.Grow(l.lists, 2*postings)
}

func (l *listing) begin() { l.list = l.list[:0] }

func (l *listing) add(row, code uint32) { l.list = append(l.list, posting{row, code}) }

// finish leaves out a term without postings.
func finish[T string | []byte](l *listing, term T) {
	if len(l.list) == 0 {
		return
	}
	l.names = append(l.names, term...)
	l.terms, l.counts = append(l.terms, uint32(len(term))), append(l.counts, uint32(len(l.list)))
	from := len(l.lists)
	l.lists = appendList(l.lists, l.list, l.codes, l.lengths)
	l.sizes = append(l.sizes, uint32(len(l.lists)-from))
}

func (l *listing) encode() []byte {
	b := make([]byte, 0, len(l.lists)+len(l.names)+10*len(l.terms)+6*len(l.lengths)+3*len(l.codes)+64)
	b = binary.AppendUvarint(b, uint64(len(l.codes)))
	b = appendCodes(b, l.codes)
	if l.long {
		column := make([]uint32, len(l.lengths))
		for f := range store.Fields {
			for row, n := range l.lengths {
				column[row] = n[f]
			}
			b = appendNumbers(b, column)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(l.terms)))
	b = appendPieces(b, l.names, l.terms)
	b = appendNumbers(b, l.counts)
	return appendPieces(b, l.lists, l.sizes)
}

func appendCodes(b []byte, codes []code) []byte {
	for _, c := range codes {
		for _, n := range c {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	return b
}
