package quarry

import (
	"context"
	"fmt"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
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

// Location is another place in which a text stands, and Stated a candidate with all of its.
type (
	Location = evidence.Location
	Stated   = evidence.Stated
)

// Answer is what Ask gives: status, text, citations, what is missing, conflicts.
type Answer = answer.Answer

// Conflict is what documents of an Answer disagree on.
type Conflict = answer.Conflict

// Citation is a quote of an Answer and where it stands.
type Citation = answer.Citation

// Errors of Search and Ask about the question itself.
var (
	ErrEmptyQuestion = query.ErrEmpty
	ErrLongQuestion  = query.ErrTooLong
)

// Result is what Search gives: the fused and reranked list, before cut and budget.
type Result struct {
	Question   string
	AsOf       AsOf
	Candidates []Candidate
	// Beyond are the passages that a lane found and fusion left out, best first.
	Beyond []Candidate
	Trace  *Trace
}

// Asked is what Ask gives: the answer, the evidence it was made from, the
// candidates that Search would have given, and the trace.
type Asked struct {
	Question   string
	AsOf       AsOf
	Answer     Answer
	Evidence   []Piece // best first
	Candidates []Candidate
	Beyond     []Candidate // as in Result
	Trace      *Trace
}

// Distinct gives each text among the candidates once, where it ranks best, with the other
// places in which it stands.
func (r Result) Distinct() []Stated { return evidence.Distinct(r.Candidates) }

// Search finds the passages for a question, best first.
func (c *Corpus) Search(ctx context.Context, question string, scope document.Scope) (Result, error) {
	return recorded(ctx, c, AuditRecord{Call: "search", About: question}, scope, func(scope document.Scope) (Result, error) {
		return c.search(ctx, question, scope)
	}, Result.shown)
}

func (c *Corpus) search(ctx context.Context, question string, scope document.Scope) (Result, error) {
	c = c.asking()
	t := &trace.Trace{}
	s, err := c.settle(ctx, question, scope)
	if err != nil {
		return Result{}, err
	}
	if s.asOf.Then != 0 {
		return c.searchChange(ctx, question, s, t)
	}
	view, _, found, err := c.find(ctx, s, t)
	if err != nil {
		return Result{}, err
	}
	defer view.Close()
	if err := s.asOf.seenBy(ctx, view); err != nil {
		return Result{}, err
	}
	return Result{Question: question, AsOf: s.asOf, Candidates: found.Ranked, Beyond: found.Beyond, Trace: t}, nil
}

// Said is a part of an answer, told while the rest is still made.
type Said = answer.Said

// Ask answers a question from the evidence, or says what is missing.
func (c *Corpus) Ask(ctx context.Context, question string, scope document.Scope) (Asked, error) {
	return c.AskTelling(ctx, question, scope, nil)
}

// AskTelling is Ask that tells the answer sentence by sentence, each once it has held against
// the evidence: nothing that was not checked is told. A sentence that was repaired is told when
// it is, so what was told can stand in another order in the answer. Where nothing may be shown
// unless it was recorded (see Options.AuditFailed), all is told when it was. An error of tell
// ends it and is returned. tell may be nil.
func (c *Corpus) AskTelling(ctx context.Context, question string, scope document.Scope, tell func(Said) error) (Asked, error) {
	var held []Said
	at := tell
	if tell != nil && c.opened() == nil && c.options.Auditor != nil && c.options.AuditFailed == nil {
		at = func(s Said) error {
			held = append(held, s)
			return nil
		}
	}
	asked, err := recorded(ctx, c, AuditRecord{Call: "ask", About: question}, scope, func(scope document.Scope) (Asked, error) {
		return c.ask(ctx, question, scope, at)
	}, Asked.shown)
	if err != nil {
		return asked, err
	}
	for _, s := range held {
		if err := tell(s); err != nil {
			return asked, err
		}
	}
	return asked, nil
}

func (c *Corpus) ask(ctx context.Context, question string, scope document.Scope, tell func(Said) error) (Asked, error) {
	c = c.asking()
	t := &trace.Trace{}
	s, err := c.settle(ctx, question, scope)
	if err != nil {
		return Asked{}, err
	}
	if s.asOf.Then != 0 {
		asked, err := c.askChange(ctx, question, s, t)
		if err == nil && tell != nil && asked.Answer.Text != "" { // as one part, like what is quoted of one day
			err = tell(Said{Text: asked.Answer.Text, Citations: asked.Answer.Citations})
		}
		if err != nil {
			return Asked{}, err
		}
		return asked, nil
	}
	view, plan, found, err := c.find(ctx, s, t)
	if err != nil {
		return Asked{}, err
	}
	defer view.Close()
	gathered, err := evidence.Gather(ctx, view, found.Ranked, c.options.evidence(plan), t)
	if err != nil {
		return Asked{}, err
	}
	quoted, err := answer.Quote(ctx, view, plan, found.Ranked, gathered, c.options.answering())
	if err != nil {
		return Asked{}, err
	}
	a, err := answer.Write(ctx, plan, gathered, quoted, c.options.writing(), tell, t)
	if err != nil {
		return Asked{}, err
	}
	if err := s.asOf.seenBy(ctx, view); err != nil {
		return Asked{}, err
	}
	return Asked{Question: question, AsOf: s.asOf, Answer: a, Evidence: gathered.ByRank(), Candidates: found.Ranked, Beyond: found.Beyond, Trace: t}, nil
}

// find runs the stages that Search and Ask share, from the question to the
// ranked candidates. The caller closes the view.
func (c *Corpus) find(ctx context.Context, s settled, t *trace.Trace) (store.View, query.Plan, retrieve.Found, error) {
	view, err := c.store.View(ctx, s.scope)
	if err != nil {
		return nil, query.Plan{}, retrieve.Found{}, fmt.Errorf("opening a view of the store: %w", err)
	}
	if err := c.viewFits(ctx, view); err != nil {
		view.Close()
		return nil, query.Plan{}, retrieve.Found{}, err
	}
	plan, err := plan(ctx, view, s.question, s.scope, t)
	if err != nil {
		view.Close()
		return nil, plan, retrieve.Found{}, err
	}
	found, err := c.ranked(ctx, view, plan, t, s.asOf.notes()...)
	if err != nil {
		view.Close()
		return nil, plan, found, err
	}
	return view, plan, found, nil
}

// plan understands a question in the languages that the view's passages have.
func plan(ctx context.Context, view store.View, question string, scope document.Scope, t *trace.Trace) (query.Plan, error) {
	languages, err := analyze.Present(ctx, view)
	if err != nil {
		return query.Plan{}, fmt.Errorf("asking for the languages of the passages: %w", err)
	}
	plan, err := query.Understand(question, t, languages...)
	if err != nil {
		return plan, err
	}
	attributes, err := view.Attributes(ctx)
	if err != nil {
		return plan, fmt.Errorf("asking for the attributes of the documents: %w", err)
	}
	plan.Where, plan.Named = scope.Where, query.NamedIn(plan.Question, attributes)
	return plan, nil
}

func (c *Corpus) ranked(ctx context.Context, view store.View, plan query.Plan, t *trace.Trace, notes ...string) (retrieve.Found, error) {
	counts, err := view.Counts(ctx)
	if err != nil {
		return retrieve.Found{}, err
	}
	notes = append([]string{fmt.Sprintf("%d documents in force on %s", counts.Documents, view.Day())}, notes...)
	if counts.Forgotten > 0 {
		notes = append(notes, fmt.Sprintf("of %d documents the revision of that day is not kept any more (sources.revisions)", counts.Forgotten))
	}
	left, err := filters(ctx, view, plan, counts.Documents)
	if err != nil {
		return retrieve.Found{}, err
	}
	t.Add(trace.Record{Stage: trace.Scope, In: counts.Passages, Out: counts.Passages, Notes: append(notes, left.notes...), Filtered: left.counts})
	t.Notices = append(t.Notices, left.notices...)
	found, err := retrieve.Candidates(ctx, view, plan, c.options.Embedder, c.options.retrieval(), t)
	if err != nil {
		return retrieve.Found{}, fmt.Errorf("searching: %w", err)
	}
	found.Ranked = rerank.Candidates(ctx, plan.Question, found.Ranked, c.options.Reranker, t)
	return found, nil
}
