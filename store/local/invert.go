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
	lengths  []code          // nil for an index whose rows have no length
}

// counted is one posting: a term in a row, with the number of its code.
type counted struct{ term, row, code uint32 }

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
	n, ok := v.numbers[c]
	if !ok {
		if v.numbers == nil {
			v.numbers = map[code]uint32{}
		}
		n = uint32(len(v.codes))
		v.numbers[c] = n
		v.codes = append(v.codes, c)
	}
	return n
}

// encode gives the most frequent codes the smallest numbers. What was collected is
// gone then.
func (v *inverting) encode() []byte {
	out, number := v.rank()
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
	order := make([]uint32, len(v.postings))
	for i, p := range v.postings {
		order[starts[p.term]] = uint32(i)
		starts[p.term]++ // in the end, where the next term's begin
	}
	for _, term := range v.terms.sorted() {
		out.begin(string(v.terms.term(term)))
		from := uint32(0)
		if term > 0 {
			from = starts[term-1]
		}
		for _, i := range order[from:starts[term]] {
			out.add(v.postings[i].row, number[v.postings[i].code])
		}
		out.finish()
	}
	v.terms, v.newest, v.postings = termTable{}, nil, nil
	return out.encode()
}

// rank begins a listing with the codes that are in use, by their frequency, and
// gives each code's place in it.
func (v *inverting) rank() (out listing, number []uint32) {
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
	out.lengths = v.lengths
	number = make([]uint32, len(v.codes))
	for place, n := range used {
		number[n] = uint32(place)
		out.codes = append(out.codes, v.codes[n])
	}
	return out, number
}

// listing writes an inverted index, term by term in ascending order.
type listing struct {
	codes   []code
	lengths []code

	terms int
	total int    // bytes of all terms
	names []byte // terms, front-coded, with the number of their postings
	lists []byte

	last, term string
	count      int
	next       uint32
}

func (l *listing) begin(term string) { l.term, l.count, l.next = term, 0, 0 }

func (l *listing) add(row, code uint32) {
	l.lists = binary.AppendUvarint(l.lists, uint64(row-l.next)<<2|uint64(min(code, 3)))
	if code >= 3 {
		l.lists = binary.AppendUvarint(l.lists, uint64(code-3))
	}
	l.next = row + 1
	l.count++
}

// finish leaves out a term without postings.
func (l *listing) finish() {
	if l.count == 0 {
		return
	}
	l.names = appendFront(l.names, l.last, l.term)
	l.names = binary.AppendUvarint(l.names, uint64(l.count))
	l.terms, l.total, l.last = l.terms+1, l.total+len(l.term), l.term
}

func (l *listing) encode() []byte {
	b := make([]byte, 0, len(l.names)+len(l.lists)+4*len(l.lengths)+3*len(l.codes)+64)
	b = binary.AppendUvarint(b, uint64(len(l.codes)))
	b = appendCodes(b, l.codes)
	b = appendCodes(b, l.lengths)
	b = binary.AppendUvarint(b, uint64(l.terms))
	b = binary.AppendUvarint(b, uint64(l.total))
	b = append(b, l.names...)
	b = binary.AppendUvarint(b, uint64(len(l.lists)))
	return append(b, l.lists...)
}

func appendCodes(b []byte, codes []code) []byte {
	for _, c := range codes {
		for _, n := range c {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	return b
}

// dropped is the new number of a row that goes.
const dropped = ^uint32(0)

// mergeInverted encodes one index of several. renumbered gives the new number of
// each row of each; numbers ascend over all of them.
func mergeInverted(parts []*inverted, renumbered [][]uint32) []byte {
	out, translate := mergeCodes(parts)
	for i, x := range parts {
		for row, length := range x.lengths {
			if renumbered[i][row] != dropped {
				out.lengths = append(out.lengths, length)
			}
		}
	}
	at := make([]int, len(parts))
	var scratch []posting
	for {
		term, more := "", false
		for i, x := range parts {
			if at[i] < len(x.count) && (!more || x.term(at[i]) < term) {
				term, more = x.term(at[i]), true
			}
		}
		if !more {
			return out.encode()
		}
		out.begin(term)
		for i, x := range parts {
			if at[i] == len(x.count) || x.term(at[i]) != term {
				continue
			}
			scratch = x.postings(at[i], scratch)
			for _, p := range scratch {
				if row := renumbered[i][p.row]; row != dropped {
					out.add(row, translate[i][p.code])
				}
			}
			at[i]++
		}
		out.finish()
	}
}

// mergeCodes numbers the codes of all parts anew, in about the order of their
// frequency, and tells for each part what number a code has now.
func mergeCodes(parts []*inverted) (out listing, translate [][]uint32) {
	number := map[code]uint32{}
	longest := 0
	for _, x := range parts {
		translate = append(translate, make([]uint32, len(x.codes)))
		longest = max(longest, len(x.codes))
	}
	for rank := range longest {
		for i, x := range parts {
			if rank >= len(x.codes) {
				continue
			}
			n, ok := number[x.codes[rank]]
			if !ok {
				n = uint32(len(out.codes))
				number[x.codes[rank]] = n
				out.codes = append(out.codes, x.codes[rank])
			}
			translate[i][rank] = n
		}
	}
	return out, translate
}
