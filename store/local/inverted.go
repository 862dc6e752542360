package local

import (
	"math"

	"github.com/seed-d3156d19/quarry/store"
)

// inverted is an inverted index as it lies in a segment. Loading looks at its tables
// alone; posting lists are decoded and checked as they are searched.
//
// A posting is a row and a code; the code stands for what the lanes need to know
// of the term in that row. Few codes occur, and most postings have one of the
// first three.
type inverted struct {
	rows    int
	terms   column  // sorted
	count   numbers // of postings of each term
	lists   column  // of each term
	codes   []code
	lengths [store.Fields]numbers // of each row; without rows where rows have no length

	weights []float32 // of each code
	idle    bool      // a code weighs nothing
	// weighted are the lengths, weighted; nil where rows have no length.
	weighted []float32
	field    [store.Fields]float32 // weights of the fields
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
	low, high := 0, x.terms.n
	for low < high {
		mid := int(uint(low+high) >> 1)
		if x.terms.at(mid) < term {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < x.terms.n && x.terms.at(low) == term {
		return low
	}
	return -1
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
		x.idle = x.idle || !(x.weights[i] > 0)
	}
	if p == nil {
		return
	}
	x.weighted = make([]float32, x.rows)
	for i := range x.weighted {
		x.weighted[i] = x.lengthOf(i).weighted(p)
	}
	for f, w := range p.Weights {
		x.field[f] = float32(w)
	}
}

func (x *inverted) lengthOf(row int) code {
	return code{x.lengths[0].at(row), x.lengths[1].at(row), x.lengths[2].at(row)}
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

// bound gives a weight that no posting of a block exceeds and a length that no row
// of it falls below, from its entry in the table of a list. The weight is infinite
// where the entry does not bound it.
func (x *inverted) bound(entry string) (weight, length float32) {
	for f, w := range x.field {
		if entry[8+f] == saturated {
			return float32(math.Inf(1)), 0
		}
		weight += w * float32(entry[8+f])
	}
	length = x.field[store.Title]*float32(entry[11]) + x.field[store.HeadingPath]*float32(entry[12]) +
		x.field[store.Text]*float32(uint16At(entry, 13))
	return weight, length
}

// inverted reads an index over a number of rows. p is nil for the index of
// identifiers.
func (d *decoder) inverted(rows int, p *store.BM25) inverted {
	x := inverted{rows: rows}
	x.codes = d.codes(d.count())
	if p == nil {
		for _, c := range x.codes {
			w := math.Float32frombits(c[0])
			d.bad = d.bad || !(w > 0 && w <= 1)
		}
	} else {
		for f := range x.lengths {
			x.lengths[f] = d.numbers(rows)
		}
	}
	n := d.count()
	x.terms = d.column(n)
	x.count = d.numbers(n)
	x.lists = d.column(n)
	if d.bad {
		return inverted{}
	}
	for i := range n {
		count := int(x.count.at(i))
		blocks := 0
		if count > blockSize {
			blocks = (count + blockSize - 1) / blockSize
		}
		d.bad = d.bad || count == 0 || count > rows || blocks*entrySize > len(x.lists.at(i))
	}
	if d.bad {
		return inverted{}
	}
	x.weigh(p)
	return x
}

// codes reads n codes.
func (d *decoder) codes(n int) []code {
	if n > (len(d.src)-d.at)/store.Fields { // each number takes a byte or more
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
