package local

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// mixture draws vectors that lie as embeddings do: each is one of a sample, moved by
// a part of the difference of two others near it (a smoothed bootstrap: Silverman,
// "Density Estimation", 1986, 6.4), and of length 1. The sample is what the file
// passages.f32 of the folder QUARRY_EMBEDDINGS holds (float32, little-endian), or one
// with the decaying spectrum that embeddings have.
type mixture struct {
	dims    int
	sample  [][]float32
	cluster [][]int // members of the sample, by cluster
	of      []int   // the cluster of each
	asked   [][]float32
}

func newMixture(b *testing.B, dims int) *mixture {
	b.Helper()
	m := &mixture{dims: dims}
	rnd := rand.New(rand.NewPCG(11, 12))
	if dir := os.Getenv("QUARRY_EMBEDDINGS"); dir != "" {
		m.sample, m.asked = readVectors(b, filepath.Join(dir, "passages.f32"), dims), readVectors(b, filepath.Join(dir, "questions.f32"), dims)
	} else {
		centers := make([][]float32, 40)
		for i := range 3000 {
			v := make([]float32, dims)
			for j := range v {
				v[j] = float32(rnd.NormFloat64() / math.Sqrt(1+float64(j)/8))
			}
			if i < len(centers) {
				centers[i] = v
			}
			for j, x := range centers[i%len(centers)] {
				v[j] = 0.5*v[j] + x
			}
			m.sample = append(m.sample, unitLength(v))
		}
	}
	m.group(rnd)
	return m
}

func readVectors(b *testing.B, path string, dims int) (out [][]float32) {
	b.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	for ; len(raw) >= 4*dims; raw = raw[4*dims:] {
		out = append(out, floatsOf(raw[:4*dims]))
	}
	return out
}

func unitLength(v []float32) []float32 {
	length := float32(math.Sqrt(dot(v, v)))
	for i := range v {
		v[i] /= length
	}
	return v
}

// group clusters the sample by the nearest of some of its members.
func (m *mixture) group(rnd *rand.Rand) {
	centers := rnd.Perm(len(m.sample))[:40]
	m.cluster, m.of = make([][]int, len(centers)), make([]int, len(m.sample))
	for i, v := range m.sample {
		best := math.Inf(-1)
		for c, center := range centers {
			if s := dot(v, m.sample[center]); s > best {
				best, m.of[i] = s, c
			}
		}
		m.cluster[m.of[i]] = append(m.cluster[m.of[i]], i)
	}
}

func (m *mixture) draw(rnd *rand.Rand, v []float32) {
	i := rnd.IntN(len(m.sample))
	near := m.cluster[m.of[i]]
	x, y := m.sample[near[rnd.IntN(len(near))]], m.sample[near[rnd.IntN(len(near))]]
	for j := range v {
		v[j] = m.sample[i][j] + 0.5*(x[j]-y[j])
	}
	unitLength(v)
}

func (m *mixture) question(rnd *rand.Rand) []float32 {
	if len(m.asked) > 0 {
		return m.asked[rnd.IntN(len(m.asked))]
	}
	v := make([]float32, m.dims)
	m.draw(rnd, v)
	return v
}
