// Package measure holds what is measured of an engine, in the form in which the
// process that measured it hands it on, and what is computed of it.
package measure

import (
	"math"
	"slices"
	"time"
)

// Summary is what is reported of a cell.
type Summary struct {
	Questions int // that were measured
	PerSecond float64
	P50, P99  time.Duration
}

// Summarise computes it. Questions a second are of all threads together.
func (c Cell) Summarise() Summary {
	sorted := slices.Sorted(slices.Values(c.Latencies))
	return Summary{
		Questions: len(sorted),
		PerSecond: float64(len(sorted)) / c.Wall.Seconds(),
		P50:       Quantile(sorted, 0.50),
		P99:       Quantile(sorted, 0.99),
	}
}

// Quantile is the q-quantile, 0 < q <= 1, of sorted times by the nearest rank: the
// least of them that at least a share q of them do not exceed (Hyndman and Fan,
// "Sample quantiles in statistical packages", 1996, definition 1). Of none it is 0.
func Quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(q * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// Recall is the share of the wanted passages that were found; of none it is 1.
func Recall(found, wanted []Hit) float64 {
	if len(wanted) == 0 {
		return 1
	}
	in := map[int]bool{}
	for _, h := range found {
		in[h.Passage] = true
	}
	n := 0
	for _, h := range wanted {
		if in[h.Passage] {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}

// Mean is the arithmetic mean; of none it is not a number.
func Mean(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
