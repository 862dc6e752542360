package evaluate

import (
	"math"
	"math/rand/v2"
	"slices"
)

const (
	defaultResamples = 2000
	confidence       = 0.95
)

// mean sums in the order of the questions, so that equal runs give equal bits.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// summarise gives the mean with its percentile interval: the bounds of the
// middle 95 % of the means of resamples drawn with replacement (Efron and
// Tibshirani 1993, section 13.3). values must not be empty.
func summarise(values []float64, resamples int, r *rand.Rand) Value {
	return summariseAll([][]float64{values}, resamples, r)[0]
}

// summariseAll is summarise of several lists of one length over the same
// resamples: to draw is most of the work, and figures of the same questions are then
// resampled together.
func summariseAll(lists [][]float64, resamples int, r *rand.Rand) []Value {
	n := len(lists[0])
	rows := make([]float64, n*len(lists)) // what one draw needs lies together
	for l, list := range lists {
		for i, v := range list {
			rows[i*len(lists)+l] = v
		}
	}
	means := make([][]float64, len(lists))
	for l := range means {
		means[l] = make([]float64, resamples)
	}
	sums := make([]float64, len(lists))
	for i := range resamples {
		clear(sums)
		for range n {
			at := r.IntN(n) * len(lists)
			for l, v := range rows[at : at+len(lists)] {
				sums[l] += v
			}
		}
		for l, sum := range sums {
			means[l][i] = sum / float64(n)
		}
	}
	values := make([]Value, len(lists))
	for l, list := range lists {
		low, high := bounds(means[l])
		values[l] = Value{Value: mean(list), Low: low, High: high, N: n}
	}
	return values
}

func interval(values []float64, resamples int, r *rand.Rand) (low, high float64) {
	v := summarise(values, resamples, r)
	return v.Low, v.High
}

// bounds are those of the middle 95 % of the means, which it sorts.
func bounds(means []float64) (low, high float64) {
	slices.Sort(means)
	tail := int(math.Floor(float64(len(means)) * (1 - confidence) / 2))
	return means[tail], means[len(means)-1-tail]
}

// source gives the random numbers of one figure. All figures of a report draw
// from the same ones, so that metrics with equal values have equal intervals,
// whichever other metrics are asked for.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
