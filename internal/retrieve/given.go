package retrieve

import (
	"context"
	"fmt"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/store"
)

// Given makes candidates of passages that are named and not searched for, in
// their order. All have the score of a best one, so that no later stage holds a
// low score against them, and what the identifier lane says of them, as the
// answer tells by it what is about an identifier and what mentions it. A passage that
// the view does not see is document.ErrNotFound.
func Given(ctx context.Context, view store.View, plan query.Plan, passages []document.PassageID) ([]Candidate, error) {
	located, err := view.Passages(ctx, passages)
	if err != nil {
		return nil, fmt.Errorf("reading %d given passages: %w", len(passages), err)
	}
	hits := make([]store.Hit, len(passages))
	for i, id := range passages {
		hits[i].Passage = id
	}
	exact, err := exactly(ctx, view, plan, hits)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(passages))
	if len(plan.Identifiers) > 0 {
		if scores, err = view.ScoreIdentifier(ctx, plan.Identifiers, passages); err != nil {
			return nil, fmt.Errorf("scoring given passages in the identifier lane: %w", err)
		}
	}
	candidates := make([]Candidate, len(passages))
	for i := range candidates {
		candidates[i] = Candidate{Located: located[i], Exact: exact[passages[i]], Identifier: LaneScore{Score: scores[i]}, Score: 1, Rank: i + 1}
	}
	return candidates, nil
}
