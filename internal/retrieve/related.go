package retrieve

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// settled is how many of the first places stand as fusion gave them.
const settled = 5

// relate lets the best candidate say what else belongs to the question: behind the
// settled places a score becomes that of fusion and weight times the cosine to the
// best candidate, divided by 1 + weight. A question whose answer is spread names
// often only its first part; the passage that holds it names the next (feedback from
// the first hit: Rocchio, 1971). The settled places count as if the cosine were 1, so
// that no candidate passes them. It reports whether it did something: not without a
// vector of the best candidate. One without a vector counts as the farthest.
func relate(ctx context.Context, view store.View, candidates []Candidate, o Options) (bool, error) {
	byScore(candidates)
	if o.Related == 0 || len(candidates) <= settled {
		return false, nil
	}
	rest := candidates[settled:]
	ids := make([]document.PassageID, len(rest))
	for i, c := range rest {
		ids[i] = c.ID
	}
	near, err := view.Similar(ctx, o.Model, candidates[0].ID, ids)
	if err != nil {
		return false, fmt.Errorf("comparing candidates with the best: %w", err)
	}
	farthest := math.Inf(1)
	for _, n := range near {
		if !math.IsNaN(n) {
			farthest = min(farthest, n)
		}
	}
	if math.IsInf(farthest, 1) {
		return false, nil
	}
	for i := range candidates {
		cosine := 1.0
		if i >= settled {
			if cosine = near[i-settled]; math.IsNaN(cosine) {
				cosine = farthest
			}
		}
		candidates[i].Score = (candidates[i].Score + o.Related*min(1, cosine)) / (1 + o.Related)
	}
	return true, nil
}
