package corpus

import (
	"math"
	"math/rand/v2"
)

// Mixture is a mixture of Gaussians, cut to unit length, for the vectors of passages.
// All components share the form of their covariance: a part of low rank and a diagonal
// rest (a factor analyser); each has its own centre, weight and spread.
type Mixture struct {
	Dims     int
	Weights  []float64 // of the components; they sum to 1
	Spread   []float64 // by component, relative to the shared covariance
	Stay     float64   // probability that a passage is of the component of the one before it in its document
	Centres  []Row     // by component
	Loadings []Row     // the part of low rank is the sum of their outer products
	Residual Row       // standard deviations of the rest
}

// Row is a row of numbers kept as one byte each, times a scale.
type Row struct {
	Scale  float32
	Values []byte // of int8
}

// NewRow rounds a row.
func NewRow(values []float32) Row {
	var largest float32
	for _, v := range values {
		largest = max(largest, float32(math.Abs(float64(v))))
	}
	r := Row{Scale: largest / 127, Values: make([]byte, len(values))}
	for i, v := range values {
		if largest > 0 {
			r.Values[i] = byte(int8(math.Round(float64(v / r.Scale))))
		}
	}
	return r
}

// addTo adds the row times a factor.
func (r Row) addTo(sum []float32, factor float32) {
	factor *= r.Scale
	for i, v := range r.Values {
		sum[i] += factor * float32(int8(v))
	}
}

// Document draws the vectors of a document's passages.
func (m *Mixture) Document(rnd *rand.Rand, passages int) [][]float32 {
	vectors := make([][]float32, passages)
	component := 0
	for i := range vectors {
		if i == 0 || rnd.Float64() >= m.Stay {
			component = m.component(rnd)
		}
		v := make([]float32, m.Dims)
		m.Centres[component].addTo(v, 1)
		m.addNoise(rnd, v, m.Spread[component])
		vectors[i] = normalise(v)
	}
	return vectors
}

// Near draws a vector about another one, as far from it as a passage is from the
// centre of its component on average.
func (m *Mixture) Near(rnd *rand.Rand, vector []float32) []float32 {
	v := append([]float32(nil), vector...)
	m.addNoise(rnd, v, 1)
	return normalise(v)
}

func (m *Mixture) component(rnd *rand.Rand) int {
	at := rnd.Float64()
	for i, w := range m.Weights {
		if at -= w; at < 0 {
			return i
		}
	}
	return len(m.Weights) - 1
}

func (m *Mixture) addNoise(rnd *rand.Rand, v []float32, spread float64) {
	for _, l := range m.Loadings {
		l.addTo(v, float32(spread*rnd.NormFloat64()))
	}
	for i, r := range m.Residual.Values {
		v[i] += m.Residual.Scale * float32(int8(r)) * float32(spread*rnd.NormFloat64())
	}
}

func normalise(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	factor := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= factor
	}
	return v
}
