// Package rerank reorders candidates with a model that reads question and
// passage together. Without one the fused order stands.
package rerank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// Reranker scores passages for a question, higher is better, one score for each
// passage in order. It may be called concurrently.
type Reranker interface {
	Name() string
	Rerank(ctx context.Context, question string, passages []string) ([]float64, error)
}

// Candidates reorders by the reranker's scores, which replace the fused ones; what holds
// quoted text of the question stays before what does not.
// A reranker that fails, or gives scores that are no numbers, leaves the fused
// order and is named in the trace.
func Candidates(ctx context.Context, question string, candidates []retrieve.Candidate, r Reranker, t *trace.Trace) []retrieve.Candidate {
	record := trace.Record{Stage: trace.Rerank, In: len(candidates), Out: len(candidates)}
	defer func() { t.Add(record) }()
	if r == nil {
		record.Notes = []string{"off: no reranker is configured, the fused order stands"}
		return candidates
	}
	if len(candidates) == 0 {
		return candidates
	}
	start := time.Now()
	texts := make([]string, len(candidates))
	for i, c := range candidates {
		texts[i] = c.Context + "\n" + c.Text
	}
	scores, err := r.Rerank(ctx, question, texts)
	record.Took, record.Calls = time.Since(start), 1
	if err == nil {
		err = check(scores, len(candidates))
	}
	if err != nil {
		record.Error = fmt.Sprintf("%s failed and the fused order stands: %v", r.Name(), err)
		return candidates
	}
	out := make([]retrieve.Candidate, len(candidates))
	copy(out, candidates)
	for i := range out {
		out[i].Score = scores[i]
	}
	slices.SortStableFunc(out, func(a, b retrieve.Candidate) int {
		return cmp.Or(b.Quoted.Compare(a.Quoted), cmp.Compare(b.Score, a.Score))
	})
	retrieve.Lift(out)
	for i := range out {
		out[i].Rank = i + 1
	}
	record.Notes = []string{r.Name()}
	return out
}

func check(scores []float64, want int) error {
	if len(scores) != want {
		return fmt.Errorf("it gave %d scores for %d passages", len(scores), want)
	}
	for _, s := range scores {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return fmt.Errorf("a score is not a number")
		}
	}
	return nil
}
