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
	low, high := interval(values, resamples, r)
	return Value{Value: mean(values), Low: low, High: high, N: len(values)}
}

func interval(values []float64, resamples int, r *rand.Rand) (low, high float64) {
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range values {
			sum += values[r.IntN(len(values))]
		}
		means[i] = sum / float64(len(values))
	}
	slices.Sort(means)
	tail := int(math.Floor(float64(resamples) * (1 - confidence) / 2))
	return means[tail], means[resamples-1-tail]
}

// source gives the random numbers of one figure. All figures of a report draw
// from the same ones, so that metrics with equal values have equal intervals,
// whichever other metrics are asked for.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
