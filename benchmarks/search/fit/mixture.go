package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
)

const (
	components = 200
	rank       = 64 // of the shared covariance's part of low rank
	// shrink is how many passages' worth of the common spread is mixed into a
	// component's own: some components have few passages.
	shrink = 10
)

// mixture fits the components by k-means, then the covariance that they share as the
// leading eigenvectors of the covariance about the centres, and what these leave as
// a diagonal.
func mixture(runs [][][]float32) corpus.Mixture {
	all := slices.Concat(runs...)
	dims := len(all[0])
	centres, member := kMeans(all, components)

	size, square := make([]float64, components), make([]float64, components)
	for i, v := range all {
		size[member[i]]++
		square[member[i]] += distance(v, centres[member[i]])
	}
	var total float64
	for _, s := range square {
		total += s
	}
	common := total / float64(len(all))
	m := corpus.Mixture{Dims: dims, Stay: stay(runs, member)}
	for k := range components {
		m.Weights = append(m.Weights, size[k]/float64(len(all)))
		m.Spread = append(m.Spread, math.Sqrt((square[k]+shrink*common)/(size[k]+shrink)/common))
		m.Centres = append(m.Centres, corpus.NewRow(centres[k]))
	}

	// A centre is fitted to its own passages, which takes one degree of freedom each.
	covariance := about(all, centres, member, m.Spread, float64(len(all)-components))
	values, vectors := leading(covariance, rank)
	rest := make([]float32, dims)
	for i := range rest {
		left := covariance[i][i]
		for r := range values {
			left -= values[r] * vectors[r][i] * vectors[r][i]
		}
		rest[i] = float32(math.Sqrt(max(0, left)))
	}
	m.Residual = corpus.NewRow(rest)
	for r, v := range vectors {
		loading := make([]float32, dims)
		for i := range loading {
			loading[i] = float32(math.Sqrt(max(0, values[r])) * v[i])
		}
		m.Loadings = append(m.Loadings, corpus.NewRow(loading))
	}
	return m
}

// stay is the share of passages that are of the component of the passage before them,
// beyond those that would be by chance.
func stay(runs [][][]float32, member []int) float64 {
	size := make([]float64, components)
	for _, k := range member {
		size[k]++
	}
	var chance, same, pairs float64
	for _, n := range size {
		chance += n / float64(len(member)) * n / float64(len(member))
	}
	at := 0
	for _, r := range runs {
		for i := at + 1; i < at+len(r); i++ {
			pairs++
			if member[i] == member[i-1] {
				same++
			}
		}
		at += len(r)
	}
	return (same/pairs - chance) / (1 - chance)
}

// about is the covariance of vectors about their centres, each measured in its
// component's spread.
func about(all, centres [][]float32, member []int, spread []float64, degrees float64) [][]float64 {
	dims := len(all[0])
	c := make([][]float64, dims)
	for i := range c {
		c[i] = make([]float64, dims)
	}
	d := make([]float64, dims)
	for n, v := range all {
		for i := range d {
			d[i] = float64(v[i]-centres[member[n]][i]) / spread[member[n]]
		}
		for i, x := range d {
			for j, y := range d[:i+1] {
				c[i][j] += x * y
			}
		}
	}
	for i := range c {
		for j := range i + 1 {
			c[i][j] /= degrees
			c[j][i] = c[i][j]
		}
	}
	return c
}

// leading gives the n largest eigenvalues of a symmetric matrix with their vectors, by
// orthogonal iteration (Golub and Van Loan, "Matrix Computations", 8.2).
func leading(matrix [][]float64, n int) (values []float64, vectors [][]float64) {
	rnd := rand.New(rand.NewPCG(1, 3))
	vectors = make([][]float64, n)
	for r := range vectors {
		vectors[r] = make([]float64, len(matrix))
		for i := range vectors[r] {
			vectors[r][i] = rnd.NormFloat64()
		}
	}
	values = make([]float64, n)
	for range 30 {
		for r, v := range vectors {
			next := make([]float64, len(v))
			for i, row := range matrix {
				next[i] = dot(row, v)
			}
			for _, earlier := range vectors[:r] {
				along := dot(next, earlier)
				for i := range next {
					next[i] -= along * earlier[i]
				}
			}
			values[r] = math.Sqrt(dot(next, next))
			for i := range next {
				next[i] /= values[r]
			}
			vectors[r] = next
		}
	}
	return values, vectors
}

func dot(a, b []float64) float64 {
	var sum float64
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
