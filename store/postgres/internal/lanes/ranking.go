package lanes

import (
	"math"
	"slices"
)

// scoredRow is a row with its score.
type scoredRow struct {
	row   int64
	score float64
}

// ranking keeps the best k rows, those that score as much as the last of them, and what is
// needed to normalise all scores.
type ranking struct {
	k        int
	kept     []scoredRow // those, and others that were among them
	best     []float64   // the k best scores, a heap whose first is the least
	least    float64     // no less is among the best
	full     int         // of kept: prune then
	matched  int
	min, max float64
}

func newRanking(k int) *ranking {
	return &ranking{k: max(k, 0), full: room(min(max(k, 0), 1<<20)), least: math.Inf(-1), min: math.Inf(1), max: math.Inf(-1)}
}

func (r *ranking) add(row int64, score float64) {
	r.matched++
	r.min, r.max = min(r.min, score), max(r.max, score)
	if score < r.least || r.k == 0 {
		return
	}
	r.rank(score)
	if r.kept = append(r.kept, scoredRow{row, score}); len(r.kept) >= r.full {
		r.prune()
		r.full = room(len(r.kept))
	}
}

// rank puts a score among the k best.
func (r *ranking) rank(score float64) {
	switch {
	case len(r.best) < r.k:
		at := len(r.best)
		r.best = append(r.best, score)
		for above := (at - 1) / 2; at > 0 && r.best[at] < r.best[above]; at, above = above, (above-1)/2 {
			r.best[at], r.best[above] = r.best[above], r.best[at]
		}
	case score > r.best[0]:
		at := 0
		for below := 1; below < r.k; below = 2*at + 1 {
			if below+1 < r.k && r.best[below+1] < r.best[below] {
				below++
			}
			if score <= r.best[below] {
				break
			}
			r.best[at], at = r.best[below], below
		}
		r.best[at] = score
	}
	if len(r.best) == r.k {
		r.least = r.best[0]
	}
}

// prune leaves those that are among the best k.
func (r *ranking) prune() {
	r.kept = slices.DeleteFunc(r.kept, func(s scoredRow) bool { return s.score < r.least })
}

// room is how many rows are kept before those that are not among so many best are let go.
func room(kept int) int { return 2*kept + 256 }

// floor is what a score must reach to be among the best, less what sums of the same numbers in another
// order may differ by, and more.
func (r *ranking) floor() float64 { return r.least - 1e-9*math.Abs(r.least) }

// bounds are the least and the greatest score of all that are seen; those that matched
// nothing count as 0.
func (r *ranking) bounds(seen int) (least, greatest float64) {
	least, greatest = r.min, r.max
	if r.matched < seen {
		least, greatest = min(least, 0), max(greatest, 0)
	}
	if math.IsInf(least, 0) {
		return 0, 0
	}
	return least, greatest
}

func (r *ranking) rows() []int64 {
	r.prune()
	out := make([]int64, len(r.kept))
	for i, s := range r.kept {
		out[i] = s.row
	}
	return out
}
