package retrieve

import (
	"math"
	"sort"

	"github.com/seed-d3156d19/quarry/internal/trace"
)

// Lane is what one lane says of the candidates: Scores[i] is its score of
// candidate i, NaN where it has none. Min and Max bound the scores over all
// that the lane scored, candidates or not.
type Lane struct {
	Name     trace.Stage
	Weight   float64
	Scores   []float64
	Min, Max float64
}

// Normalised maps a score of the lane onto [0, 1] by the lane's bounds; 0 where it has none
// or where all scores are equal and none is positive.
func (l Lane) Normalised(i int) float64 {
	s := l.Scores[i]
	switch {
	case math.IsNaN(s):
		return 0
	case l.Max > l.Min:
		return min(1, max(0, (s-l.Min)/(l.Max-l.Min)))
	case s > 0:
		return 1
	}
	return 0
}

// Weighted is the weighted sum of normalised scores (Bruch, Gai, Ingber, "An
// Analysis of Fusion Functions for Hybrid Retrieval", ACM TOIS 2023), divided by
// the sum of the weights.
func Weighted(n int, lanes []Lane) []float64 {
	out := make([]float64, n)
	var total float64
	for _, l := range lanes {
		total += l.Weight
		for i := range out {
			out[i] += l.Weight * l.Normalised(i)
		}
	}
	if total > 0 {
		for i := range out {
			out[i] /= total
		}
	}
	return out
}

// RRF is reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009): the
// sum over lanes of weight / (k + rank), rank from 1. A candidate that a lane did not
// score, or scored at 0 or less where 0 means no match, has no rank there.
func RRF(n int, lanes []Lane, k float64) []float64 {
	out := make([]float64, n)
	for _, l := range lanes {
		for i, rank := range l.Ranks() {
			if rank > 0 {
				out[i] += l.Weight / (k + float64(rank))
			}
		}
	}
	return out
}

// Ranks gives each candidate's rank in the lane, from 1, ties sharing the
// better one; 0 for candidates without a score.
func (l Lane) Ranks() []int {
	order := make([]int, 0, len(l.Scores))
	for i, s := range l.Scores {
		if !math.IsNaN(s) && s != 0 {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return l.Scores[order[a]] > l.Scores[order[b]] })
	ranks := make([]int, len(l.Scores))
	for at, i := range order {
		ranks[i] = at + 1
		if at > 0 && l.Scores[i] == l.Scores[order[at-1]] {
			ranks[i] = ranks[order[at-1]]
		}
	}
	return ranks
}
