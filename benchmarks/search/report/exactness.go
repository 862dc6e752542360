package report

import (
	"fmt"
	"math"

	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// sameScore is how far a score may be from the formula's, and scores of two passages
// from each other for either to come first.
const sameScore = 1e-5

// Differences tells how hits differ from the exact ones: place by place the scores must
// be the same, and so must the passages but for those whose scores are equal.
func Differences(found, wanted [][]measure.Hit) (largest float64, wrong []string) {
	for q := range min(len(found), len(wanted)) {
		if len(found[q]) != len(wanted[q]) {
			wrong = append(wrong, fmt.Sprintf("question %d has %d hits, not %d", q, len(found[q]), len(wanted[q])))
			continue
		}
		for i, h := range found[q] {
			difference := math.Abs(h.Score - wanted[q][i].Score)
			largest = max(largest, difference)
			if difference > sameScore {
				wrong = append(wrong, fmt.Sprintf("question %d has the score %v at %d, not %v", q, h.Score, i+1, wanted[q][i].Score))
				break
			}
			if !tiedWith(h.Passage, wanted[q], wanted[q][i].Score) {
				wrong = append(wrong, fmt.Sprintf("question %d has passage %d at %d", q, h.Passage, i+1))
				break
			}
		}
	}
	return largest, wrong
}

// tiedWith reports whether a passage may stand where the score is: it has that score
// among the exact hits, or is not among them while the score is that of the last,
// which others may share.
func tiedWith(passage int, wanted []measure.Hit, score float64) bool {
	for _, w := range wanted {
		if w.Passage == passage {
			return math.Abs(w.Score-score) <= sameScore
		}
	}
	return math.Abs(wanted[len(wanted)-1].Score-score) <= sameScore
}
