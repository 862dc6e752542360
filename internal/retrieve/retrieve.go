// Package retrieve finds candidates: the lanes run at once over one view, every
// candidate gets a score from every lane, and fusion ranks them.
package retrieve

import (
	"context"
	"fmt"
	"math"
	"sort"
	"sync"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store"
)

// Options of the stage; the root package documents and checks them.
type Options struct {
	PerLane    int
	Candidates int
	Fusion     string // "weighted" or "rrf"
	RRFK       float64
	Keyword    float64 // weights of the lanes
	Identifier float64
	Vector     float64
	Authority  float64 // see authorityPrior
}

// Candidate is a passage with its scores and ranks.
type Candidate struct {
	store.Located
	Keyword    LaneScore
	Identifier LaneScore
	Vector     LaneScore
	// Exact is set where the passage holds an identifier that the question gives whole.
	Exact bool
	Score float64 // fused; later stages may replace it
	Rank  int     // from 1
}

// LaneScore is what one lane says of a candidate.
type LaneScore struct {
	Score float64 // NaN: the lane has no score for it
	Rank  int     // among the candidates, from 1; 0: none
}

// laneResult is what a lane hands back to Candidates.
type laneResult struct {
	hits   store.Hits
	record trace.Record
}

// Candidates runs the stage: the best of all lanes, ranked by fusion. A lane
// that fails is named in the trace and left out; only when no lane answers is
// it an error. embedder may be nil: then there is no vector lane.
func Candidates(ctx context.Context, view store.View, plan query.Plan, embedder embedding.Embedder, o Options, t *trace.Trace) ([]Candidate, error) {
	var model store.Model
	var vector []float32
	lanes := map[trace.Stage]func() (store.Hits, error){
		trace.Keyword:    func() (store.Hits, error) { return view.Keyword(ctx, plan.Terms, o.PerLane) },
		trace.Identifier: func() (store.Hits, error) { return view.Identifier(ctx, plan.Identifiers, o.PerLane) },
	}
	if embedder != nil {
		model = store.Model{Name: embedder.Name(), Dims: embedder.Dims()}
		lanes[trace.Vector] = func() (hits store.Hits, err error) {
			if vector, err = embedder.Question(ctx, plan.Question); err != nil {
				return hits, fmt.Errorf("embedding the question with %s: %w", model.Name, err)
			}
			return view.Vector(ctx, model, vector, o.PerLane)
		}
	}
	results := run(lanes)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	order := []trace.Stage{trace.Keyword, trace.Vector, trace.Identifier}
	var failed error
	answered := 0
	for _, name := range order {
		r, ran := results[name]
		if !ran {
			t.Add(trace.Record{Stage: name, Notes: []string{"off: no embedding model is configured"}})
			continue
		}
		t.Add(r.record)
		if r.record.Error != "" {
			failed = fmt.Errorf("every lane failed, the last one with: %s", r.record.Error)
			delete(results, name)
			continue
		}
		answered++
	}
	if answered == 0 {
		return nil, failed
	}

	start := time.Now()
	ids, exact, err := pool(ctx, view, plan, results)
	if err != nil {
		return nil, err
	}
	located, err := view.Passages(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("reading %d candidates: %w", len(ids), err)
	}
	candidates := make([]Candidate, len(ids))
	for i := range candidates {
		candidates[i] = Candidate{Located: located[i], Exact: exact[ids[i]]}
	}

	var fused []Lane
	add := func(name trace.Stage, weight float64, score func() ([]float64, error), set func(*Candidate, LaneScore)) error {
		r, ok := results[name]
		if !ok {
			for i := range candidates {
				set(&candidates[i], LaneScore{Score: math.NaN()})
			}
			return nil
		}
		scores, err := score()
		if err != nil {
			return fmt.Errorf("scoring candidates in the %s lane: %w", name, err)
		}
		lane := Lane{Weight: weight, Scores: scores, Min: r.hits.Min, Max: r.hits.Max}
		ranks := lane.Ranks()
		for i := range candidates {
			set(&candidates[i], LaneScore{Score: scores[i], Rank: ranks[i]})
		}
		if r.hits.Matched > 0 {
			fused = append(fused, lane)
		}
		return nil
	}
	if err := add(trace.Keyword, o.Keyword, func() ([]float64, error) { return view.ScoreKeyword(ctx, plan.Terms, ids) },
		func(c *Candidate, s LaneScore) { c.Keyword = s }); err != nil {
		return nil, err
	}
	if err := add(trace.Identifier, o.Identifier, func() ([]float64, error) { return view.ScoreIdentifier(ctx, plan.Identifiers, ids) },
		func(c *Candidate, s LaneScore) { c.Identifier = s }); err != nil {
		return nil, err
	}
	if err := add(trace.Vector, o.Vector, func() ([]float64, error) { return view.ScoreVector(ctx, model, vector, ids) },
		func(c *Candidate, s LaneScore) { c.Vector = s }); err != nil {
		return nil, err
	}

	var scores []float64
	if o.Fusion == "rrf" {
		scores = RRF(len(candidates), fused, o.RRFK)
	} else {
		scores = Weighted(len(candidates), fused)
	}
	for i := range candidates {
		candidates[i].Score = scores[i]
	}
	authorityPrior(candidates, o.Authority)
	ranked := rank(candidates, o.Candidates)
	record := trace.Record{Stage: trace.Fuse, Took: time.Since(start), In: len(candidates), Out: len(ranked),
		Notes: []string{fmt.Sprintf("%s over %d lanes", o.Fusion, len(fused))}}
	for _, c := range candidates[len(ranked):] {
		record.Drops = append(record.Drops, trace.Drop{Passage: string(c.ID), Reason: fmt.Sprintf("fused rank below %d", o.Candidates)})
	}
	t.Add(record)
	return ranked, nil
}

// run runs the lanes at once and measures each.
func run(lanes map[trace.Stage]func() (store.Hits, error)) map[trace.Stage]laneResult {
	results := make(map[trace.Stage]laneResult, len(lanes))
	var mu sync.Mutex
	var wg sync.WaitGroup
	for name, lane := range lanes {
		wg.Add(1)
		go func() {
			defer wg.Done()
			start := time.Now()
			hits, err := lane()
			record := trace.Record{Stage: name, Took: time.Since(start), In: hits.Matched, Out: len(hits.Hits)}
			if err != nil {
				record.Error = err.Error()
			}
			mu.Lock()
			results[name] = laneResult{hits, record}
			mu.Unlock()
		}()
	}
	wg.Wait()
	return results
}

// pool is the union of what the lanes gave, in a fixed order, and which of it
// holds an identifier that the question gives whole.
func pool(ctx context.Context, view store.View, plan query.Plan, results map[trace.Stage]laneResult) ([]document.PassageID, map[document.PassageID]bool, error) {
	exact := map[document.PassageID]bool{}
	if r, ok := results[trace.Identifier]; ok && len(plan.Whole) > 0 && len(r.hits.Hits) > 0 {
		ids := make([]document.PassageID, len(r.hits.Hits))
		for i, h := range r.hits.Hits {
			ids[i] = h.Passage
		}
		whole := make([]store.QueryTerm, len(plan.Whole))
		for i, w := range plan.Whole {
			whole[i] = store.QueryTerm{Term: w, Weight: 1}
		}
		scores, err := view.ScoreIdentifier(ctx, whole, ids)
		if err != nil {
			return nil, nil, fmt.Errorf("finding exact identifiers: %w", err)
		}
		for i, s := range scores {
			exact[ids[i]] = s > 0
		}
	}
	seen := map[document.PassageID]bool{}
	var ids []document.PassageID
	for _, r := range results {
		for _, h := range r.hits.Hits {
			if !seen[h.Passage] {
				seen[h.Passage] = true
				ids = append(ids, h.Passage)
			}
		}
	}
	sort.Slice(ids, func(a, b int) bool { return ids[a] < ids[b] })
	return ids, exact, nil
}

// authorityPrior lets authority decide between passages that fit about equally
// well, and never lifts one that does not fit: a score is multiplied by
// 1 + weight * authority / (greatest authority among the candidates).
func authorityPrior(candidates []Candidate, weight float64) {
	greatest := 0
	for _, c := range candidates {
		greatest = max(greatest, c.Authority)
	}
	if greatest <= 0 || weight == 0 {
		return
	}
	for i := range candidates {
		share := max(0, float64(candidates[i].Authority)/float64(greatest))
		candidates[i].Score *= (1 + weight*share) / (1 + weight)
	}
}

// rank sorts by score, ties by passage id, and keeps the best n; a passage that
// holds an identifier asked for has a sure place among them.
func rank(candidates []Candidate, n int) []Candidate {
	better := func(a, b Candidate) bool {
		if a.Score != b.Score {
			return a.Score > b.Score
		}
		return a.ID < b.ID
	}
	sort.Slice(candidates, func(i, j int) bool { return better(candidates[i], candidates[j]) })
	if len(candidates) > n {
		// Exact ones from behind the cut change places with the last others.
		next := n
		for at := n - 1; at >= 0 && next < len(candidates); at-- {
			for next < len(candidates) && !candidates[next].Exact {
				next++
			}
			if next == len(candidates) {
				break
			}
			if !candidates[at].Exact {
				candidates[at], candidates[next] = candidates[next], candidates[at]
				next++
			}
		}
		kept := candidates[:n]
		sort.Slice(kept, func(i, j int) bool { return better(kept[i], kept[j]) })
	}
	kept := candidates[:min(n, len(candidates))]
	for i := range kept {
		kept[i].Rank = i + 1
	}
	return kept
}
