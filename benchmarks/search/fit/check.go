package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
)

// compare prints, for the real vectors and for as many made ones, the mean cosine to
// the n-th nearest other vector: what a search by vectors meets.
func compare(real [][]float32, m corpus.Mixture) {
	rnd := rand.New(rand.NewPCG(1, 4))
	var made [][]float32
	for len(made) < len(real) {
		made = append(made, m.Document(rnd, corpus.PassagesPerDocument)...)
	}
	made = made[:len(real)]
	fmt.Printf("%-28s %8s %8s\n", "mean cosine to the", "real", "made")
	places := []int{1, 10, 50, 500}
	a, b := neighbours(real, places), neighbours(made, places)
	for i, n := range places {
		fmt.Printf("%3d. nearest of %-12d %8.3f %8.3f\n", n, len(real), a[i], b[i])
	}
}

func neighbours(all [][]float32, places []int) []float64 {
	means := make([]float64, len(places))
	const asked = 300
	for q := range asked {
		query := all[q*len(all)/asked]
		var cosines []float64
		for _, v := range all {
			// The distance of vectors of unit length; the query itself is the first.
			cosines = append(cosines, 1-distance(query, v)/2)
		}
		slices.SortFunc(cosines, func(a, b float64) int { return cmp.Compare(b, a) })
		for i, n := range places {
			means[i] += cosines[n] / asked
		}
	}
	return means
}
