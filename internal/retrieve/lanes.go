package retrieve

import (
	"context"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store"
)

// Said is what one lane says of given passages.
type Said struct {
	Lane trace.Stage
	// Off: the lane is not in use. Scores and Hits are then empty.
	Off bool
	// Scores are in the order of the passages; 0 or NaN where it has none.
	Scores []float64
	// Hits are its best, as many as were asked for.
	Hits store.Hits
	Err  error
}

// Lanes runs the lanes alone, as Candidates does, and asks each for its score of
// the given passages: for a diagnosis of what they did not find. k is how many of
// its best a lane gives.
func Lanes(ctx context.Context, view store.View, plan query.Plan, embedder embedding.Embedder, o Options, k int, ids []document.PassageID) []Said {
	o.PerLane = k
	if respelt, _, err := respell(ctx, view, plan); err == nil {
		plan = respelt
	}
	lanes := lanesOf(ctx, view, plan, embedder, o)
	results := run(lanes)
	out := make([]Said, len(lanes))
	for i, l := range lanes {
		r, ran := results[l.name]
		out[i] = Said{Lane: l.name, Off: !ran, Hits: r.hits, Err: r.err}
		if ran && r.err == nil {
			out[i].Scores, out[i].Err = l.score(ids)
		}
	}
	return out
}
