package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
)

// TestZipfMandelbrot fits expected frequencies and finds what they were made of.
func TestZipfMandelbrot(t *testing.T) {
	const vocabulary, tokens = 10_000, 5e6
	for _, c := range []struct{ exponent, offset float64 }{{1.1, 2}, {1.25, 9}, {1.6, 40}} {
		var norm float64
		for r := range vocabulary {
			norm += math.Pow(c.offset+float64(r), -c.exponent)
		}
		var observed []float64
		for r := range vocabulary {
			observed = append(observed, tokens*math.Pow(c.offset+float64(r), -c.exponent)/norm)
		}
		exponent, offset := zipfMandelbrot(observed, vocabulary)
		if math.Abs(exponent-c.exponent) > 0.005 || math.Abs(offset/c.offset-1) > 0.03 {
			t.Errorf("%v is fitted as %.4f, %.3f", c, exponent, offset)
		}
	}
}

// TestConcentration fits documents that were made with a known one.
func TestConcentration(t *testing.T) {
	made := corpus.Terms{Exponent: 1.2, Offset: 5, Vocabulary: 100_000, Concentration: 300}
	var texts [][]string
	for d := range 150 {
		var words []string
		for _, r := range made.Document(rand.New(rand.NewPCG(9, uint64(d))), longWords) {
			words = append(words, strconv.Itoa(int(r)))
		}
		texts = append(texts, words)
	}
	if got := concentration(texts, made); math.Abs(got/300-1) > 0.1 {
		t.Errorf("a concentration of 300 is fitted as %.0f", got)
	}
}

// TestKMeans finds groups that stand apart.
func TestKMeans(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	const groups, dims = 5, 16
	var all [][]float32
	var of []int
	for i := range 500 {
		v := make([]float32, dims)
		group := i % groups
		v[group] = 10
		for d := range v {
			v[d] += float32(rnd.NormFloat64())
		}
		all, of = append(all, v), append(of, group)
	}
	_, member := kMeans(all, groups)
	together := map[int]int{}
	for i, k := range member {
		if before, seen := together[of[i]]; seen && before != k {
			t.Fatalf("vector %d of group %d is in %d, others in %d", i, of[i], k, before)
		}
		together[of[i]] = k
	}
}

// TestLeading holds eigenvectors to their definition.
func TestLeading(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	const n = 12
	var matrix [n][]float64
	for i := range matrix {
		matrix[i] = make([]float64, n)
		for j := range i + 1 {
			// Powers on the diagonal, so that the eigenvalues are positive and apart.
			matrix[i][j] = 0.1 * rnd.NormFloat64()
			if i == j {
				matrix[i][j] = math.Pow(2, float64(i))
			}
			matrix[j][i] = matrix[i][j]
		}
	}
	values, vectors := leading(matrix[:], 3)
	for r, v := range vectors {
		for i, row := range matrix {
			if got := dot(row, v); math.Abs(got-values[r]*v[i]) > 1e-3 {
				t.Errorf("eigenvector %d: the matrix makes %.5f of %.5f times %.5f", r, got, values[r], v[i])
			}
		}
		if r > 0 && values[r] > values[r-1] {
			t.Errorf("the eigenvalues are %v", values)
		}
	}
}

// TestMixture fits vectors drawn from a mixture, and draws some that have neighbours as near.
func TestMixture(t *testing.T) {
	p, err := corpus.Fitted()
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	var runs [][][]float32
	for range 60 {
		runs = append(runs, p.Mixture.Document(rnd, corpus.PassagesPerDocument))
	}
	m := mixture(runs)
	var weights float64
	for _, w := range m.Weights {
		weights += w
	}
	if math.Abs(weights-1) > 1e-9 || len(m.Centres) != components || len(m.Loadings) != rank || m.Dims != 384 {
		t.Fatalf("%d centres of weight %v, %d loadings, %d dimensions", len(m.Centres), weights, len(m.Loadings), m.Dims)
	}
	var again [][]float32
	for range runs {
		again = append(again, m.Document(rnd, corpus.PassagesPerDocument)...)
	}
	places := []int{20, 300}
	given, made := neighbours(slices.Concat(runs...), places), neighbours(again, places)
	for i, n := range places {
		if math.Abs(given[i]-made[i]) > 0.08 {
			t.Errorf("the mean cosine to the %d. nearest is %.3f, of those that were fitted %.3f", n, made[i], given[i])
		}
	}
}

func TestRuns(t *testing.T) {
	text := func(words int) (s string) {
		for i := range words {
			s += " w" + strconv.Itoa(i)
		}
		return s
	}
	all := runs([]string{text(99), text(100), text(350), text(5000)}, 1000, 10)
	if len(all) != 3 || len(all[0]) != 1 || len(all[1]) != 3 || len(all[2]) != 10 {
		t.Fatalf("the runs have %d texts", len(all))
	}
	some := runs([]string{text(300), text(300), text(300), text(300)}, 6, 10)
	if len(some) != 2 {
		t.Fatalf("of four runs of 3 for 6 passages %d were taken", len(some))
	}
}
