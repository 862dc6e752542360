package lanes

import (
	"math"
	"sync/atomic"
)

// peak bounds what the rows of a list in a block score, by any statistics: the greatest weight, and the
// least length for each unit of weight, both of some row. See share.most.
type peak struct{ weight, length float32 }

// keptPeak is that of a list once it was worked out, which readers of the list share. The bits of no
// peak are 0.
type keptPeak struct{ bits atomic.Uint64 }

func (x *Index) peak(of lane, l listed, b *block, room *decoded) (peak, error) {
	if bits := l.peak.bits.Load(); bits != 0 {
		return peak{math.Float32frombits(uint32(bits >> 32)), math.Float32frombits(uint32(bits))}, nil
	}
	if err := x.scored(of, l.rows, l.weights, room); err != nil {
		return peak{}, err
	}
	p := peak{0, float32(math.Inf(1))}
	for i, at := range room.at {
		weight := float32(room.weights[i])
		if weight == 0 { // of a field that does not count
			continue
		}
		p.weight = max(p.weight, weight)
		p.length = min(p.length, b.lengths[at]/weight)
	}
	l.peak.bits.Store(uint64(math.Float32bits(p.weight))<<32 | uint64(math.Float32bits(p.length)))
	return p, nil
}

// most is the most that a row with such a peak scores: weight / (weight + flat + slope * length) is
// 1 / (1 + flat / weight + slope * (length / weight)). It is a little more, as peaks are rounded.
func (s *share) most(p peak) float64 {
	const rounded = 1 + 1e-6
	if s.plain {
		return rounded * s.scale * float64(p.weight)
	}
	return rounded * s.scale / (1 + s.flat/float64(p.weight) + s.slope*float64(p.length))
}
