package quarry

import (
	"context"
	"fmt"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/answer"
	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/rerank"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store"
)

// Candidate is a passage as retrieval ranked it.
type Candidate = retrieve.Candidate

// Piece is a passage of the evidence.
type Piece = evidence.Piece

// Answer is what Ask gives: status, text, citations, what is missing, conflicts.
type Answer = answer.Answer

// Result is what Search gives: the fused and reranked list, before cut and budget.
type Result struct {
	Question   string
	Candidates []Candidate
	Trace      *Trace
}

// Asked is what Ask gives: the answer, the evidence it was made from, the list
// that the evidence was taken from, which is the one that Search gives, and the
// trace.
type Asked struct {
	Question   string
	Answer     Answer
	Evidence   []Piece // best first
	Candidates []Candidate
	Trace      *Trace
}

// Search finds the passages for a question, best first.
func (c *Corpus) Search(ctx context.Context, question string, scope document.Scope) (Result, error) {
	t := &trace.Trace{}
	view, _, ranked, err := c.find(ctx, question, scope, t)
	if err != nil {
		return Result{}, err
	}
	defer view.Close()
	return Result{Question: question, Candidates: ranked, Trace: t}, nil
}

// Ask answers a question from the evidence, or says what is missing.
func (c *Corpus) Ask(ctx context.Context, question string, scope document.Scope) (Asked, error) {
	t := &trace.Trace{}
	view, plan, ranked, err := c.find(ctx, question, scope, t)
	if err != nil {
		return Asked{}, err
	}
	defer view.Close()
	found, err := evidence.Gather(ctx, view, ranked, c.options.evidence(), t)
	if err != nil {
		return Asked{}, err
	}
	a, err := answer.Compose(ctx, view, plan, found, c.options.answering(), t)
	if err != nil {
		return Asked{}, err
	}
	return Asked{Question: question, Answer: a, Evidence: found.ByRank(), Candidates: ranked, Trace: t}, nil
}

// find runs the stages that Search and Ask share, from the question to the
// ranked candidates. The caller closes the view.
func (c *Corpus) find(ctx context.Context, question string, scope document.Scope, t *trace.Trace) (store.View, query.Plan, []Candidate, error) {
	plan, err := query.Understand(question, t)
	if err != nil {
		return nil, plan, nil, err
	}
	plan.Where = scope.Where
	view, err := c.store.View(ctx, scope)
	if err != nil {
		return nil, plan, nil, fmt.Errorf("opening a view of the store: %w", err)
	}
	ranked, err := c.ranked(ctx, view, plan, t)
	if err != nil {
		view.Close()
		return nil, plan, nil, err
	}
	return view, plan, ranked, nil
}

func (c *Corpus) ranked(ctx context.Context, view store.View, plan query.Plan, t *trace.Trace) ([]Candidate, error) {
	counts, err := view.Counts(ctx)
	if err != nil {
		return nil, err
	}
	t.Add(trace.Record{Stage: trace.Scope, In: counts.Passages, Out: counts.Passages,
		Notes: []string{fmt.Sprintf("%d documents in force on %s", counts.Documents, view.Day())}})
	candidates, err := retrieve.Candidates(ctx, view, plan, c.options.Embedder, c.options.retrieval(), t)
	if err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	return rerank.Candidates(ctx, plan.Question, candidates, c.options.Reranker, t), nil
}
