package local

import (
	"math"

	"github.com/seed-d3156d19/quarry/store"
)

// share is what a posting brings to a row's score: scale * weight / (weight + flat +
// slope * length) for BM25, which is (see store.BM25) the term's weight and idf times
// the saturated frequency, and scale * weight for an identifier.
//
// Shares are rounded to a grid of 2^-44 of the greatest score, on which sums are exact:
// a score does not depend on the order in which its shares are summed, which differs
// from row to row, and equal passages stay equal.
type share struct {
	scale, flat, slope float64
	plain              bool // of an identifier
	grid, quantum      float64
}

func (s *share) of(weight, length float32) float64 {
	w := float64(weight)
	if !s.plain {
		w /= w + (s.flat + float64(s.slope*float64(length)))
	}
	return (float64(s.scale*w) + s.grid) - s.grid
}

// most bounds what postings bring of which none has a greater weight and no row a
// lesser length; an infinite weight is any.
func (s *share) most(weight, length float32) float64 {
	if s.plain || math.IsInf(float64(weight), 1) {
		return (s.scale + s.grid) - s.grid + 2*s.quantum
	}
	return s.of(weight, length) + 2*s.quantum
}

// align gives the shares of a question their grid: x + grid - grid is x rounded to the
// last place of grid.
func align(shares []share) {
	total := 0.0
	for _, s := range shares {
		total += s.scale
	}
	_, exponent := math.Frexp(total)
	for i := range shares {
		shares[i].grid, shares[i].quantum = math.Ldexp(1.5, exponent+8), math.Ldexp(1, exponent-44)
	}
}

// bm25Share is the share of a term of BM25.
func bm25Share(p store.BM25, weight, idf, mean float64) share {
	s := share{scale: weight * idf * (p.K1 + 1), flat: p.K1}
	if mean > 0 {
		s.flat, s.slope = p.K1*(1-p.B), p.K1*p.B/mean
	}
	return s
}
