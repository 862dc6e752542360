package local

import (
	"math"
	"slices"

	"github.com/seed-d3156d19/quarry/store"
)

// inverted is an inverted index as it stands in a segment: the posting lists stay
// encoded, checked once when they are loaded and decoded as they are searched, so
// that loading costs little more than reading.
//
// A posting is a row and a code; the code stands for what the lanes need to know
// of the term in that row. Few codes occur, and most postings have one of the
// first three.
type inverted struct {
	terms   string   // all terms, sorted, one behind the other
	termAt  []uint32 // where each begins, and the end
	lists   string
	listAt  []uint32 // where the list of each term begins
	count   []uint32 // of postings of each term
	codes   []code
	lengths []code // of each row, by field; nil where rows have no length

	weights  []float32 // of each code
	weighted []float32 // lengths, weighted
}

// code is the frequencies of a term by field. An identifier's weight is kept by
// its bits in the first.
type code [store.Fields]uint32

type posting struct {
	row  uint32
	code uint32
}

// find returns the number of a term, -1 if it is not there.
func (x *inverted) find(term string) int {
	low, high := 0, len(x.count)
	for low < high {
		mid := int(uint(low+high) >> 1)
		if x.term(mid) < term {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < len(x.count) && x.term(low) == term {
		return low
	}
	return -1
}

func (x *inverted) term(i int) string { return x.terms[x.termAt[i]:x.termAt[i+1]] }

// postings decodes the list of a term into a slice that may be reused. The lists
// were checked when they were loaded.
func (x *inverted) postings(term int, into []posting) []posting {
	out := slices.Grow(into[:0], int(x.count[term]))[:x.count[term]]
	src, at := x.lists, int(x.listAt[term])
	next := uint32(0)
	for i := range out {
		n := uint64(src[at])
		at++
		if n >= 0x80 {
			n, at, _ = longVarint(src, at-1)
		}
		c := uint32(n & 3)
		if c == 3 {
			var more uint64
			more, at, _ = longVarint(src, at)
			c += uint32(more)
		}
		row := next + uint32(n>>2)
		out[i] = posting{row, c}
		next = row + 1
	}
	return out
}

// weigh prepares the weights that BM25 and the identifier lane use.
func (x *inverted) weigh(p *store.BM25) {
	x.weights = make([]float32, len(x.codes))
	for i, c := range x.codes {
		if p == nil {
			x.weights[i] = math.Float32frombits(c[0])
		} else {
			x.weights[i] = c.weighted(p)
		}
	}
	if x.lengths != nil {
		x.weighted = make([]float32, len(x.lengths))
		for i, c := range x.lengths {
			x.weighted[i] = c.weighted(p)
		}
	}
}

func (c code) weighted(p *store.BM25) float32 {
	return float32(p.Length([store.Fields]int{int(c[0]), int(c[1]), int(c[2])}))
}

// length is the weighted length of a row.
func (x *inverted) length(row uint32) float32 {
	if x.weighted == nil {
		return 0
	}
	return x.weighted[row]
}

// inverted decodes an index over a number of rows and checks all of it.
func (d *decoder) inverted(rows int, p *store.BM25) inverted {
	var x inverted
	x.codes = d.codes(d.count())
	if p != nil {
		x.lengths = d.codes(rows)
	} else {
		for _, c := range x.codes {
			w := math.Float32frombits(c[0])
			d.bad = d.bad || !(w > 0 && w <= 1)
		}
	}
	n, total := d.count(), d.number(math.MaxUint32)
	if d.bad || n > total+1 {
		d.bad = true
		return inverted{}
	}
	x.termAt, x.count, x.listAt = make([]uint32, 0, n+1), make([]uint32, 0, n), make([]uint32, 0, n)
	terms := make([]byte, 0, min(total, 1<<26))
	for i := 0; i < n && !d.bad; i++ {
		x.termAt = append(x.termAt, uint32(len(terms)))
		from := 0
		if i > 0 {
			from = int(x.termAt[i-1])
		}
		terms = d.nextTerm(terms, from, total)
		x.count = append(x.count, uint32(d.number(uint64(rows))))
	}
	x.termAt = append(x.termAt, uint32(len(terms)))
	x.terms, x.lists = string(terms), d.text()
	if d.bad = d.bad || len(terms) != total || !x.checkLists(rows); d.bad {
		return inverted{}
	}
	x.weigh(p)
	return x
}

// nextTerm appends the term after the one that stands at from, and sees that it
// is greater.
func (d *decoder) nextTerm(terms []byte, from, total int) []byte {
	last := len(terms) - from
	prefix, rest := d.lengths(last)
	if d.bad || prefix > last || len(terms)+prefix+rest > total {
		d.bad = true
		return terms
	}
	at := len(terms)
	terms = append(terms, terms[from:from+prefix]...)
	terms = append(terms, d.take(rest)...)
	if at > 0 && string(terms[from:at]) >= string(terms[at:]) {
		d.bad = true
	}
	return terms
}

// codes decodes n codes.
func (d *decoder) codes(n int) []code {
	if n > len(d.src)-d.at { // each takes three bytes or more
		d.bad = true
		return nil
	}
	out := make([]code, n)
	for i := range out {
		for f := range out[i] {
			out[i][f] = uint32(d.number(math.MaxUint32))
		}
	}
	return out
}

// checkLists finds where each list begins, and reports whether all of them can
// be decoded: rows ascend and exist, codes exist.
func (x *inverted) checkLists(rows int) bool {
	d := decoder{src: x.lists}
	for _, n := range x.count {
		x.listAt = append(x.listAt, uint32(d.at))
		next := uint64(0)
		for ; n > 0; n-- {
			v := d.uvarint()
			c := v & 3
			if c == 3 {
				c += d.uvarint()
			}
			row := next + v>>2
			if d.bad || row >= uint64(rows) || c >= uint64(len(x.codes)) {
				return false
			}
			next = row + 1
		}
	}
	return d.at == len(d.src)
}
