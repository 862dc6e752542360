package local

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/store/local/internal/scan"
)

// oneBit are vectors as the signs of what they differ from their mean by, with the
// factor that makes a sum over signs an estimate of the dot product (as in RaBitQ,
// Gao and Long, SIGMOD 2024, without the rotation).
type oneBit struct {
	mean    []float32
	signs   [][]uint64
	factors []float32
}

func newOneBit(all []float32, dims int) *oneBit {
	o := &oneBit{mean: make([]float32, dims)}
	n := len(all) / dims
	for i := range all {
		o.mean[i%dims] += all[i] / float32(n)
	}
	for v := range slices.Chunk(all, dims) {
		signs := make([]uint64, (dims+63)/64)
		sum, squares := 0.0, 0.0
		for j, x := range v {
			rest := float64(x - o.mean[j])
			sum += math.Abs(rest)
			squares += rest * rest
			if rest > 0 {
				signs[j/64] |= 1 << (j % 64)
			}
		}
		o.signs, o.factors = append(o.signs, signs), append(o.factors, float32(squares/sum))
	}
	return o
}

// symmetric counts the signs that a question has in common.
func (o *oneBit) symmetric(q []float32, out []float32) {
	asked := make([]uint64, (len(q)+63)/64)
	for j, x := range q {
		if x > 0 {
			asked[j/64] |= 1 << (j % 64)
		}
	}
	for i, signs := range o.signs {
		differ := 0
		for w, x := range signs {
			differ += bits.OnesCount64(x ^ asked[w])
		}
		out[i] = float32(-differ)
	}
}

// planes compares with a question of 4 bits for each component.
func (o *oneBit) planes(q []float32, out []float32) {
	most, sum := 0.0, 0.0
	for _, x := range q {
		most, sum = max(most, math.Abs(float64(x))), sum+float64(x)
	}
	step := 2 * most / 15
	planes := make([][4]uint64, (len(q)+63)/64)
	for j, x := range q {
		code := int(math.Round((float64(x) + most) / step))
		for p := range 4 {
			planes[j/64][p] |= uint64(code>>p&1) << (j % 64)
		}
	}
	for i, signs := range o.signs {
		s, n := 0, 0
		for w, x := range signs {
			p := &planes[w]
			n += bits.OnesCount64(x)
			s += bits.OnesCount64(x&p[0]) + 2*bits.OnesCount64(x&p[1]) + 4*bits.OnesCount64(x&p[2]) + 8*bits.OnesCount64(x&p[3])
		}
		out[i] = o.factors[i] * float32(2*(float64(s)*step-most*float64(n))-sum)
	}
}

// tables compares with the question as it is, by a table for each 8 of its components.
func (o *oneBit) tables(q []float32, out []float32) {
	tables := make([][256]float32, (len(q)+7)/8)
	for at := range tables {
		for v := range 256 {
			for bit, x := range q[8*at : min(8*at+8, len(q))] {
				if v>>bit&1 == 1 {
					tables[at][v] += x
				} else {
					tables[at][v] -= x
				}
			}
		}
	}
	for i, signs := range o.signs {
		s := float32(0)
		for at := range tables {
			s += tables[at][byte(signs[at/8]>>(8*(at%8)))]
		}
		out[i] = o.factors[i] * s
	}
}

func bytesOf(all []float32, dims, cut int) func(q, out []float32) {
	c := newCodes(cut)
	for v := range slices.Chunk(all, dims) {
		c.add(v[:cut])
	}
	return func(vector, out []float32) {
		q := newQuestion(vector[:cut])
		sums, slots := make([]int32, batchLength), make([]uint32, batchLength)
		for from := 0; from < len(out); from += batchLength {
			n := min(batchLength, len(out)-from)
			for i := range n {
				slots[i] = uint32(from + i)
			}
			scan.Sums(sums, slots[:n], c.rows, q.codes)
			for i, sum := range sums[:n] {
				out[from+i] = float32(sum) * c.scales[from+i]
			}
		}
	}
}

// BenchmarkCodes compares codes on QUARRY_PASSAGES vectors (20,000 unless given): how
// many of the best by code must be scored exactly for 99 % of the true best 50, and
// what comparing costs beside reading the vectors.
func BenchmarkCodes(b *testing.B) {
	const dims, k, questions = 384, 50, 20
	n := 20_000
	if given, err := strconv.Atoi(os.Getenv("QUARRY_PASSAGES")); err == nil {
		n = given
	}
	m := newMixture(b, dims)
	rnd := rand.New(rand.NewPCG(31, 32))
	all := make([]float32, n*dims)
	for v := range slices.Chunk(all, dims) {
		m.draw(rnd, v)
	}
	signs := newOneBit(all, dims)
	var asked [][]float32
	var best [][]int
	scores := make([]float32, n)
	order := make([]int, n)
	sorted := func() []int {
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		return order
	}
	for range questions {
		q := m.question(rnd)
		for i := range scores {
			scores[i] = float32(dot(q, all[i*dims:][:dims]))
		}
		asked, best = append(asked, q), append(best, slices.Clone(sorted()[:k]))
	}
	for _, c := range []struct {
		name    string
		compare func(q, out []float32)
	}{
		{"one bit, question of one bit", signs.symmetric},
		{"one bit, question of 4 bits", signs.planes},
		{"one bit, question as it is", signs.tables},
		{"8 bits", bytesOf(all, dims, dims)},
		{"8 bits, 256 dimensions", bytesOf(all, dims, 256)},
		{"8 bits, 192 dimensions", bytesOf(all, dims, 192)},
	} {
		b.Run(c.name, func(b *testing.B) {
			var ranks []int // by code, of the true best
			var comparing, reading []time.Duration
			for range b.N {
				ranks = ranks[:0]
				for i, q := range asked {
					began := time.Now()
					c.compare(q, scores)
					comparing = append(comparing, time.Since(began))
					began = time.Now()
					readOnce(all, 1)
					reading = append(reading, time.Since(began))
					at := make(map[int]int, k)
					for rank, row := range sorted() {
						at[row] = rank
					}
					for _, row := range best[i] {
						ranks = append(ranks, at[row]+1)
					}
				}
			}
			slices.Sort(ranks)
			slices.Sort(comparing)
			slices.Sort(reading)
			b.ReportMetric(float64(ranks[(len(ranks)*99+99)/100-1]), "best-for-0.99")
			b.ReportMetric(float64(ranks[len(ranks)-1]), "best-for-all")
			b.ReportMetric(comparing[len(comparing)/2].Seconds()/reading[len(reading)/2].Seconds(), "compare/read")
			within := 0
			for _, r := range ranks {
				if r <= 2*k {
					within++
				}
			}
			b.ReportMetric(float64(within)/float64(len(ranks)), fmt.Sprintf("recall-of-%d", 2*k))
		})
	}
}
