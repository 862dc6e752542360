// Package retrieve finds candidates: the lanes run at once over one view, every
// candidate gets a score from every lane, and fusion ranks them.
package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
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
	Authority  float64     // see authorityPrior
	Attributes float64     // see attributePrior
	Document   float64     // see documentPrior
	Related    float64     // see relate
	Spread     float64     // see spread
	Order      float64     // see orderPrior
	Coverage   float64     // see coverage
	Model      store.Model // under which the embedder's vectors are kept
}

// Candidate is a passage with its scores and ranks.
type Candidate struct {
	store.Located
	Keyword    LaneScore
	Identifier LaneScore
	Vector     LaneScore
	// Exact is set where the passage holds an identifier that the question gives whole.
	Exact bool
	// Quoted says how it holds the quoted text of the question, if any.
	Quoted Quoted
	Score  float64 // fused; later stages may replace it
	Rank   int     // from 1; later stages may replace it
	Fused  int     // the rank that fusion gave, from 1; it goes on behind those that are kept
}

// LaneScore is what one lane says of a candidate.
type LaneScore struct {
	Score float64 // NaN: the lane has no score for it
	Rank  int     // among the candidates, from 1; 0: none
	// Place is where it stands in the list that the lane gave, from 1; 0: the
	// lane did not give it, another did.
	Place int
}

// Found is what the stage gives.
type Found struct {
	// Ranked are the candidates that go on, best first.
	Ranked []Candidate
	// Beyond are the others that a lane gave, best first: what fusion dropped.
	Beyond []Candidate
}

// lane is one way of finding candidates: find gives its best, score what it says of
// given passages, and set writes that into a candidate.
type lane struct {
	name   trace.Stage
	weight float64
	shared float64 // see documentPrior
	asked  bool    // the question holds what it looks for
	find   func() (store.Hits, error)
	score  func([]document.PassageID) ([]float64, error)
	set    func(*Candidate, LaneScore)
}

// laneResult is what a lane hands back to Candidates.
type laneResult struct {
	hits   store.Hits
	record trace.Record
	err    error
}

// Candidates runs the stage: the best of all lanes, ranked by fusion. A lane
// that fails is named in the trace and left out; only when no lane answers is
// it an error. embedder may be nil: then there is no vector lane.
func Candidates(ctx context.Context, view store.View, plan query.Plan, embedder embedding.Embedder, o Options, t *trace.Trace) (Found, error) {
	if o.Fusion == "rrf" { // which knows ranks alone
		o.Document, o.Related, o.Spread, o.Order, o.Coverage = 0, 0, 0, 0, 0
	}
	began := time.Now()
	plan, respelt, err := respell(ctx, view, plan)
	spelling := time.Since(began)
	if err != nil {
		respelt = []string{"terms stand as they were asked: " + err.Error()}
	}
	lanes := lanesOf(ctx, view, plan, embedder, o)
	results := run(lanes)
	quoted := lookUp(ctx, view, plan.Quotes)
	if err := ctx.Err(); err != nil {
		return Found{}, err
	}
	if r, ok := results[trace.Keyword]; ok {
		r.hits.Hits = quoted.among(r.hits.Hits, o.PerLane)
		r.record.Out = len(r.hits.Hits)
		r.record.Notes, r.record.Took = append(respelt, quoted.notes...), r.record.Took+spelling
		results[trace.Keyword] = r
	}
	if err := report(lanes, results, t); err != nil {
		return Found{}, err
	}
	start := time.Now()
	candidates, err := pool(ctx, view, plan, results)
	if err != nil {
		return Found{}, err
	}
	fused, err := scoreLanes(lanes, results, candidates)
	if err != nil {
		return Found{}, err
	}
	words := wordingOf(plan)
	notes := []string{fmt.Sprintf("%s over %d lanes", o.Fusion, len(fused))}
	if note := words.weigh(candidates, fused, o.Coverage); note != "" {
		notes = append(notes, note)
	}
	scores := Weighted(len(candidates), fused)
	if o.Fusion == "rrf" {
		scores = RRF(len(candidates), fused, o.RRFK)
	}
	for i := range candidates {
		candidates[i].Score, candidates[i].Quoted = scores[i], quoted.of[candidates[i].ID]
	}
	authorityPrior(candidates, o.Authority)
	attributePrior(candidates, plan.Where, plan.Named, o.Attributes)
	unrelated := ""
	if _, ok := results[trace.Vector]; ok {
		related, err := relate(ctx, view, candidates, o)
		if err != nil {
			unrelated = err.Error()
		}
		if related {
			notes = append(notes, fmt.Sprintf("behind place %d by nearness to the first as well", settled))
		}
	}
	words.orderPrior(candidates, o.Order)
	spread(candidates, o.Spread)
	if len(quoted.of) > 0 {
		notes = append(notes, "what holds quoted text first")
	}
	found := rank(candidates, o.Candidates)
	record := trace.Record{Stage: trace.Fuse, Took: time.Since(start), In: len(candidates), Out: len(found.Ranked), Notes: notes, Error: unrelated}
	for _, c := range found.Beyond {
		record.Drops = append(record.Drops, trace.Drop{Passage: string(c.ID), Reason: fmt.Sprintf("fused rank below %d", o.Candidates)})
	}
	t.Add(record)
	return found, nil
}

// lanesOf are the lanes over a view, in the order in which traces name them; one
// without a find is off.
func lanesOf(ctx context.Context, view store.View, plan query.Plan, embedder embedding.Embedder, o Options) []lane {
	vector := lane{name: trace.Vector, weight: o.Vector, asked: true, set: func(c *Candidate, s LaneScore) { c.Vector = s }}
	if embedder != nil {
		model := o.Model
		question := sync.OnceValues(func() ([]float32, error) {
			v, err := embedder.Question(ctx, plan.Question)
			if err != nil {
				return nil, fmt.Errorf("embedding the question with %s: %w", embedder.Name(), err)
			}
			return v, nil
		})
		vector.find = func() (store.Hits, error) {
			v, err := question()
			if err != nil {
				return store.Hits{}, err
			}
			return view.Vector(ctx, model, v, o.PerLane)
		}
		vector.score = func(ids []document.PassageID) ([]float64, error) {
			v, err := question()
			if err != nil {
				return nil, err
			}
			return view.ScoreVector(ctx, model, v, ids)
		}
	}
	return []lane{
		{name: trace.Keyword, weight: o.Keyword, shared: o.Document, asked: true,
			find:  func() (store.Hits, error) { return view.Keyword(ctx, plan.Terms, o.PerLane) },
			score: func(ids []document.PassageID) ([]float64, error) { return view.ScoreKeyword(ctx, plan.Terms, ids) },
			set:   func(c *Candidate, s LaneScore) { c.Keyword = s }},
		vector,
		{name: trace.Identifier, weight: o.Identifier, asked: len(plan.Identifiers) > 0,
			find: func() (store.Hits, error) { return view.Identifier(ctx, plan.Identifiers, o.PerLane) },
			score: func(ids []document.PassageID) ([]float64, error) {
				return view.ScoreIdentifier(ctx, plan.Identifiers, ids)
			},
			set: func(c *Candidate, s LaneScore) { c.Identifier = s }},
	}
}

// report writes what the lanes did into the trace and takes those that failed out
// of the results. It is an error where none is left that was asked something.
func report(lanes []lane, results map[trace.Stage]laneResult, t *trace.Trace) error {
	var failed error
	answered := false
	for _, l := range lanes {
		r, ran := results[l.name]
		if !ran {
			t.Add(trace.Record{Stage: l.name, Notes: []string{"off: no embedding model is configured"}})
			continue
		}
		t.Add(r.record)
		if r.err != nil {
			failed = fmt.Errorf("every lane failed, the last one with: %w", r.err)
			delete(results, l.name)
			continue
		}
		answered = answered || l.asked
	}
	if answered {
		return nil
	}
	return failed
}

// scoreLanes gives every candidate the score and rank of every lane, NaN and 0 where
// the lane is off or failed, and returns the lanes that fusion counts: those
// that matched something.
func scoreLanes(lanes []lane, results map[trace.Stage]laneResult, candidates []Candidate) ([]Lane, error) {
	ids := make([]document.PassageID, len(candidates))
	for i, c := range candidates {
		ids[i] = c.ID
	}
	all := make([][]float64, len(lanes))
	failed := make([]error, len(lanes))
	var wg sync.WaitGroup // what a service works out does not wait for what is worked out here
	for n, l := range lanes {
		if _, ok := results[l.name]; ok {
			wg.Go(func() { all[n], failed[n] = l.score(ids) })
		}
	}
	wg.Wait()
	var fused []Lane
	for n, l := range lanes {
		r, ok := results[l.name]
		if !ok {
			for i := range candidates {
				l.set(&candidates[i], LaneScore{Score: math.NaN()})
			}
			continue
		}
		scores, err := all[n], failed[n]
		if err != nil {
			return nil, fmt.Errorf("scoring candidates in the %s lane: %w", l.name, err)
		}
		// A score of 0 says nothing for a passage: no word in common, or a vector at a right angle. The
		// least of a few passages, of one document, may say much.
		scored := Lane{Name: l.name, Weight: l.weight, Scores: scores, Min: min(0, r.hits.Min), Max: r.hits.Max}
		ranks := scored.Ranks()
		places := make(map[document.PassageID]int, len(r.hits.Hits))
		for i, h := range r.hits.Hits {
			places[h.Passage] = i + 1
		}
		for i := range candidates {
			l.set(&candidates[i], LaneScore{Score: scores[i], Rank: ranks[i], Place: places[ids[i]]})
		}
		if r.hits.Matched > 0 {
			fused = append(fused, documentPrior(candidates, scored, l.shared))
		}
	}
	return fused, nil
}

// run runs the lanes at once and measures each.
func run(lanes []lane) map[trace.Stage]laneResult {
	results := make(map[trace.Stage]laneResult, len(lanes))
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, l := range lanes {
		if l.find == nil {
			continue
		}
		wg.Go(func() {
			start := time.Now()
			hits, err := l.find()
			record := trace.Record{Stage: l.name, Took: time.Since(start), In: hits.Matched, Out: len(hits.Hits)}
			if err != nil {
				record.Error = err.Error()
			}
			mu.Lock()
			results[l.name] = laneResult{hits, record, err}
			mu.Unlock()
		})
	}
	wg.Wait()
	return results
}

// pool reads the union of what the lanes gave, in the order of ids.
func pool(ctx context.Context, view store.View, plan query.Plan, results map[trace.Stage]laneResult) ([]Candidate, error) {
	exact, err := exactly(ctx, view, plan, results[trace.Identifier].hits.Hits)
	if err != nil {
		return nil, err
	}
	var ids []document.PassageID
	for _, r := range results {
		for _, h := range r.hits.Hits {
			ids = append(ids, h.Passage)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	located, err := view.Passages(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("reading %d candidates: %w", len(ids), err)
	}
	candidates := make([]Candidate, len(ids))
	for i := range candidates {
		candidates[i] = Candidate{Located: located[i], Exact: exact[ids[i]]}
	}
	return candidates, nil
}

// exactly tells which hits hold an identifier that the question gives whole.
func exactly(ctx context.Context, view store.View, plan query.Plan, hits []store.Hit) (map[document.PassageID]bool, error) {
	exact := map[document.PassageID]bool{}
	if len(plan.Whole) == 0 || len(hits) == 0 {
		return exact, nil
	}
	ids := make([]document.PassageID, len(hits))
	for i, h := range hits {
		ids[i] = h.Passage
	}
	whole := make([]store.QueryTerm, len(plan.Whole))
	for i, w := range plan.Whole {
		whole[i] = store.QueryTerm{Term: w, Weight: 1}
	}
	scores, err := view.ScoreIdentifier(ctx, whole, ids)
	if err != nil {
		return nil, fmt.Errorf("finding exact identifiers: %w", err)
	}
	for i, s := range scores {
		exact[ids[i]] = s > 0
	}
	return exact, nil
}

// rank sorts by score, ties by passage id, and keeps the best n; a passage that
// holds an identifier asked for has a sure place among them.
func rank(candidates []Candidate, n int) Found {
	byScore(candidates)
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
		byScore(candidates[:n])
		byScore(candidates[n:])
	}
	for i := range candidates {
		candidates[i].Rank, candidates[i].Fused = i+1, i+1
	}
	n = min(n, len(candidates))
	found := Found{Ranked: candidates[:n:n], Beyond: candidates[n:]}
	Lift(found.Ranked)
	Lift(found.Beyond)
	return found
}

// byScore sorts the best first: what holds quoted text, then by score, ties by passage id.
func byScore(candidates []Candidate) {
	slices.SortFunc(candidates, func(a, b Candidate) int {
		return cmp.Or(b.Quoted.Compare(a.Quoted), cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
}
