package quarry

import (
	"context"
	"fmt"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/answer"
	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// AskFrom is Ask without retrieval: it answers from the given passages, best
// first, through the same evidence and answer. It shows what an answer would be if
// retrieval had found exactly these. A passage that the scope does not see is
// document.ErrNotFound.
func (c *Corpus) AskFrom(ctx context.Context, question string, scope document.Scope, passages []document.PassageID) (Asked, error) {
	return recorded(ctx, c, AuditRecord{Call: "ask_from", About: question}, scope, func(scope document.Scope) (Asked, error) {
		return c.askFrom(ctx, question, scope, passages)
	}, Asked.shown)
}

func (c *Corpus) askFrom(ctx context.Context, question string, scope document.Scope, passages []document.PassageID) (Asked, error) {
	t := &trace.Trace{}
	s, err := c.settle(ctx, question, scope)
	if err != nil {
		return Asked{}, err
	}
	if s.asOf.Then != 0 { // the passages are of one view
		s = s.on(s.asOf.Then)
	}
	view, err := c.store.View(ctx, s.scope)
	if err != nil {
		return Asked{}, fmt.Errorf("opening a view of the store: %w", err)
	}
	defer view.Close()
	plan, err := plan(ctx, view, s.question, s.scope, t)
	if err != nil {
		return Asked{}, err
	}
	given, err := retrieve.Given(ctx, view, plan, passages)
	if err != nil {
		return Asked{}, err
	}
	found, err := evidence.Gather(ctx, view, given, c.options.evidence(plan), t)
	if err != nil {
		return Asked{}, err
	}
	quoted, err := answer.Quote(ctx, view, plan, given, found, c.options.answering())
	if err != nil {
		return Asked{}, err
	}
	a, err := answer.Write(ctx, plan, found, quoted, c.options.writing(), nil, t)
	if err != nil {
		return Asked{}, err
	}
	if err := s.asOf.seenBy(ctx, view); err != nil {
		return Asked{}, err
	}
	return Asked{Question: question, AsOf: s.asOf, Answer: a, Evidence: found.ByRank(), Candidates: given, Trace: t}, nil
}
