package encoder

import (
	"math"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
)

// Head makes one number of a sequence, as BertForSequenceClassification with one
// label does: w * tanh(W * first token + b) + c.
type Head struct {
	kernels *kernel.Set
	pool    *kernel.Matrix
	bias    []float32
	weight  []float32
	shift   float32
	hidden  int
}

// NewHead loads a head; prefix stands before the names of the encoder's tensors,
// to which the pooler belongs.
func NewHead(c Config, src Source, prefix string, kernels *kernel.Set) (*Head, error) {
	l := &loader{src: src, prefix: prefix}
	pool := l.rows("pooler.dense.weight", c.Hidden, c.Hidden)
	h := &Head{kernels: kernels, hidden: c.Hidden, bias: l.vector("pooler.dense.bias", c.Hidden, kernel.Round(c.Hidden))}
	l.prefix = ""
	h.weight = l.vector("classifier.weight", c.Hidden, c.Hidden)
	shift := l.vector("classifier.bias", 1, 1)
	if l.err != nil {
		return nil, l.err
	}
	h.shift = shift[0]
	row := make([]float32, c.Hidden)
	h.pool = kernel.NewMatrix(c.Hidden, c.Hidden)
	h.pool.Place(c.Hidden, c.Hidden, func(j int) []float32 { pool(j, row); return row }, nil, nil, 1)
	return h, nil
}

// Score is the number for sequence i.
func (h *Head) Score(s States, i int) float64 {
	// Attention is done with its memory.
	s.arena.attended = grow(s.arena.attended, max(len(s.arena.attended), h.pool.N))
	pooled := s.arena.attended[:h.pool.N]
	h.kernels.Multiply(1, s.Token(i, 0), h.hidden, h.pool, 0, h.pool.N/kernel.Width, pooled, h.pool.N, h.bias, 0)
	sum := float64(h.shift)
	for j, w := range h.weight {
		sum += float64(w) * math.Tanh(float64(pooled[j]))
	}
	return sum
}
