package local

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/seed-d3156d19/quarry/store"
)

// inverting collects the postings of a new segment.
type inverting struct {
	ids     map[string]int
	lists   [][]counted
	lengths []code // nil for an index whose rows have no length
}

type counted struct {
	row uint32
	code
}

// add counts a term of the newest row. A term may stand in several fields.
func (v *inverting) add(term []byte, row uint32, field store.Field, n uint32) {
	id, ok := v.ids[string(term)]
	if !ok {
		if v.ids == nil {
			v.ids = map[string]int{}
		}
		id = len(v.lists)
		v.ids[string(term)] = id
		v.lists = append(v.lists, nil)
	}
	list := v.lists[id]
	if last := len(list) - 1; last >= 0 && list[last].row == row {
		list[last].code[field] += n
		return
	}
	p := counted{row: row}
	p.code[field] = n
	v.lists[id] = append(list, p)
}

// encode gives the most frequent codes the smallest numbers.
func (v *inverting) encode() []byte {
	frequent := map[code]int{}
	for _, list := range v.lists {
		for _, p := range list {
			frequent[p.code]++
		}
	}
	codes := slices.Collect(maps.Keys(frequent))
	slices.SortFunc(codes, func(a, b code) int {
		if frequent[a] != frequent[b] {
			return frequent[b] - frequent[a]
		}
		return slices.Compare(a[:], b[:])
	})
	number := make(map[code]uint32, len(codes))
	for i, c := range codes {
		number[c] = uint32(i)
	}
	out := listing{codes: codes, lengths: v.lengths}
	for _, term := range slices.Sorted(maps.Keys(v.ids)) {
		out.begin(term)
		for _, p := range v.lists[v.ids[term]] {
			out.add(p.row, number[p.code])
		}
		out.finish()
	}
	return out.encode()
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
