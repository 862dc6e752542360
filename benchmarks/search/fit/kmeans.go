package main

import (
	"math/rand/v2"
)

// kMeans groups vectors about k centres: Lloyd's algorithm from the seeds of
// k-means++ (Arthur and Vassilvitskii, SODA 2007). member[i] is the group of all[i].
func kMeans(all [][]float32, k int) (centres [][]float32, member []int) {
	rnd := rand.New(rand.NewPCG(1, 2))
	centres = seeds(rnd, all, k)
	member = make([]int, len(all))
	for range 12 {
		for i, v := range all {
			member[i] = nearest(centres, v)
		}
		sums, size := make([][]float64, k), make([]float64, k)
		for j := range sums {
			sums[j] = make([]float64, len(all[0]))
		}
		for i, v := range all {
			size[member[i]]++
			for d, x := range v {
				sums[member[i]][d] += float64(x)
			}
		}
		for j := range centres {
			if size[j] == 0 {
				continue // stays where it was
			}
			for d := range sums[j] {
				centres[j][d] = float32(sums[j][d] / size[j])
			}
		}
	}
	return centres, member
}

// seeds draws each centre with probability proportional to the squared distance from
// those before it.
func seeds(rnd *rand.Rand, all [][]float32, k int) [][]float32 {
	centres := [][]float32{append([]float32(nil), all[rnd.IntN(len(all))]...)}
	least := make([]float64, len(all))
	for len(centres) < k {
		var sum float64
		for i, v := range all {
			d := distance(v, centres[len(centres)-1])
			if len(centres) == 1 || d < least[i] {
				least[i] = d
			}
			sum += least[i]
		}
		at := rnd.Float64() * sum
		chosen := len(all) - 1
		for i, d := range least {
			if at -= d; at < 0 {
				chosen = i
				break
			}
		}
		centres = append(centres, append([]float32(nil), all[chosen]...))
	}
	return centres
}

func nearest(centres [][]float32, v []float32) int {
	best, least := 0, distance(v, centres[0])
	for j, c := range centres[1:] {
		if d := distance(v, c); d < least {
			best, least = j+1, d
		}
	}
	return best
}

func distance(a, b []float32) float64 {
	var sum float32
	for i, x := range a {
		d := x - b[i]
		sum += d * d
	}
	return float64(sum)
}
