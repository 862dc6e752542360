package quarry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/series"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store"
)

// AsOf is the day that a question was answered for, and why that one.
type AsOf struct {
	Day document.Day
	// Then is the second day of a question about a change; 0 else.
	Then document.Day
	// Why is "today", "asked for", or a sentence about the question's words.
	Why string
	// Words are those of the question that say a day; "" where none do.
	Words string
	// Note says in a sentence where the words and the day do not agree.
	Note string

	// As it was searched for, so that a diagnosis need not settle it again.
	question string
	scope    document.Scope
}

// Why a day is the one.
const (
	whyToday = "today"
	whyAsked = "asked for"
)

// ByWords reports whether the question's words decided the day.
func (a AsOf) ByWords() bool { return a.Why != whyToday && a.Why != whyAsked }

// seenBy fills in the day of a view, and says where it is one of which not all is kept.
func (a *AsOf) seenBy(ctx context.Context, view store.View) error {
	a.Day = view.Day()
	return a.noteForgotten(ctx, view)
}

func (a *AsOf) noteForgotten(ctx context.Context, view store.View) error {
	counts, err := view.Counts(ctx)
	if err == nil && counts.Forgotten > 0 {
		a.Note = strings.TrimSpace(fmt.Sprintf("%s Of %d documents the revision of %s is not kept any more (sources.revisions), so what it said cannot be found.", a.Note, counts.Forgotten, view.Day()))
	}
	return err
}

// notes are for the trace.
func (a AsOf) notes() []string {
	var out []string
	if a.Why != whyToday && a.Why != "" {
		out = append(out, "the day is "+a.Day.String()+": "+a.Why)
	}
	if a.Note != "" {
		out = append(out, a.Note)
	}
	return out
}

// settled is a question whose day is decided.
type settled struct {
	question string // without the words that only set the day
	scope    document.Scope
	asOf     AsOf
}

// settled is what was settled.
func (a AsOf) settled() settled { return settled{a.question, a.scope, a} }

// on is the question on one of the two days of a change.
func (s settled) on(day document.Day) settled {
	s.scope.AsOf, s.asOf.Day, s.asOf.Then = day, day, 0
	return s
}

// settle decides for which day a question is answered: that of the scope where it names
// one, else what the question's words say and the documents that are found bear out, else
// today.
func (c *Corpus) settle(ctx context.Context, question string, scope document.Scope) (settled, error) {
	s, err := c.decide(ctx, question, scope)
	s.asOf.question, s.asOf.scope = s.question, s.scope
	return s, err
}

func (c *Corpus) decide(ctx context.Context, question string, scope document.Scope) (settled, error) {
	if err := c.opened(); err != nil {
		return settled{}, err
	}
	if len(question) > query.MaxQuestion {
		return settled{}, query.ErrTooLong
	}
	w := query.WhenOf(question, document.DayOf(c.options.Clock()))
	s := settled{question: question, scope: scope, asOf: AsOf{Day: scope.AsOf, Why: whyToday, Words: w.Words}}
	if w.Draft && !scope.Drafts {
		s.scope.Drafts = true
		s.asOf.Note = "The question asks for drafts, so they are seen too."
	}
	switch {
	case scope.AsOf != 0:
		s.asOf.Why = whyAsked
		if w.Words != "" {
			s.explicit(w)
		}
		return s, nil
	case w.Words == "":
		return s, nil
	}
	p, err := c.probe(ctx, s.scope)
	if err != nil {
		return s, err
	}
	defer p.view.Close()
	err = c.byWords(ctx, &s, p, w)
	return s, err
}

// explicit says where the words of a question are about another day than the one that was
// asked for, which counts.
func (s *settled) explicit(w query.When) {
	if w.Then == 0 && !w.Previous {
		s.question = w.Without
		if w.Since <= s.scope.AsOf && s.scope.AsOf <= w.Day {
			return
		}
	}
	s.asOf.Note = fmt.Sprintf("The question says “%s”, and %s was asked for, which counts.", w.Words, s.scope.AsOf)
}

// byWords has the documents that are found on today decide what the words mean.
func (c *Corpus) byWords(ctx context.Context, s *settled, p probe, w query.When) error {
	top, err := p.top(ctx, c, w.Without)
	if err != nil {
		return err
	}
	today, day, then := p.view.Day(), w.Day, document.Day(0)
	switch {
	case w.Then != 0 && w.Previous:
		day, err = p.previous(ctx, top)
		then = w.Then
	case w.Then != 0:
		if fits, err := p.date(ctx, top, w.Day); err != nil {
			return err
		} else if fits {
			then = w.Then
		} else {
			day = 0
		}
	case w.Previous && w.Day != 0:
		day, err = c.beforeChange(ctx, s.scope, p, w)
	case w.Previous:
		day, err = p.previous(ctx, top)
	case w.Day > today:
		day, err = c.coming(ctx, s.scope, w, today)
	default:
		day, err = c.past(ctx, s.scope, p, top, w)
	}
	if err != nil {
		return err
	}
	if day == 0 {
		s.asOf.Note = fmt.Sprintf("The question says “%s”, but the documents that were found do not say what was in force then, so it is answered for today.", w.Words)
		return nil
	}
	s.question, s.scope.AsOf = w.Without, day
	s.asOf.Day, s.asOf.Then, s.asOf.Why = day, then, fmt.Sprintf("the question says “%s”", w.Words)
	return nil
}

// probe is a view that a question is put to, to see of what kind the documents are.
type probe struct {
	view  store.View
	scope document.Scope
}

func (c *Corpus) probe(ctx context.Context, scope document.Scope) (probe, error) {
	view, err := c.store.View(ctx, scope)
	if err != nil {
		return probe{}, fmt.Errorf("opening a view of the store: %w", err)
	}
	return probe{view, scope}, nil
}

// looked is how many documents decide what the words of a question mean.
const looked = 3

// top gives the best passage of each of the best documents.
func (p probe) top(ctx context.Context, c *Corpus, question string) ([]Candidate, error) {
	t := &trace.Trace{}
	plan, err := plan(ctx, p.view, question, p.scope, t)
	if err != nil {
		return nil, err
	}
	found, err := c.ranked(ctx, p.view, plan, t)
	if err != nil {
		return nil, err
	}
	var top []Candidate
	for _, candidate := range found.Ranked {
		if len(top) < looked && !slices.ContainsFunc(top, func(have Candidate) bool { return have.Document == candidate.Document }) {
			top = append(top, candidate)
		}
	}
	return top, nil
}

// date reports whether most of the documents say on which days they hold, or the best one
// does: stated, inferred, or because a revision of theirs was there on the day.
// What was merely seen on some day says nothing of the days before.
func (p probe) date(ctx context.Context, top []Candidate, day document.Day) (bool, error) {
	n := 0
	for i, candidate := range top {
		dated, err := p.dated(ctx, candidate, day)
		if err != nil {
			return false, err
		}
		if dated && i == 0 {
			return true, nil
		}
		if dated {
			n++
		}
	}
	return n > looked/2, nil
}

func (p probe) dated(ctx context.Context, c Candidate, day document.Day) (bool, error) {
	if c.Inferred == series.FileNames { // of all versions that there are; a history may begin later than its files
		return true, nil
	}
	r, err := p.view.Document(ctx, c.Document, false)
	if err != nil {
		return false, err
	}
	if r.Metadata.Effective != (document.Interval{}) {
		return true, nil
	}
	history, err := p.view.History(ctx, c.Document)
	if errors.Is(err, document.ErrNotFound) { // a failure that not all may see
		return false, nil
	}
	return slices.ContainsFunc(history.Revisions, func(h store.Held) bool {
		return h.Valid.From != 0 && h.Valid.Holds(day)
	}), err
}

// past is the day that the words say, if documents of today say when they hold, or those of
// that day do, hold no more and fit the question as well; else 0.
func (c *Corpus) past(ctx context.Context, scope document.Scope, p probe, top []Candidate, w query.When) (document.Day, error) {
	if dated, err := p.date(ctx, top, w.Day); dated || err != nil {
		return w.Day, err
	}
	scope.AsOf = w.Day
	then, err := c.probe(ctx, scope)
	if err != nil {
		return 0, err
	}
	defer then.view.Close()
	best, err := then.top(ctx, c, w.Without)
	if err != nil || len(best) == 0 {
		return 0, err
	}
	gone := best[0].Valid.To != 0 && best[0].Valid.To <= p.view.Day()
	if gone && (len(top) == 0 || best[0].Keyword.Score >= top[0].Keyword.Score) {
		return w.Day, nil
	}
	return 0, nil
}

// coming is a day to come, if something that is found then holds from after today; else 0.
func (c *Corpus) coming(ctx context.Context, scope document.Scope, w query.When, today document.Day) (document.Day, error) {
	scope.AsOf = w.Day
	then, err := c.probe(ctx, scope)
	if err != nil {
		return 0, err
	}
	defer then.view.Close()
	top, err := then.top(ctx, c, w.Without)
	if slices.ContainsFunc(top, func(c Candidate) bool { return c.Valid.From > today }) {
		return w.Day, err
	}
	return 0, err
}

// previous is the day before the best dated document began to hold; 0 where none says it.
func (p probe) previous(ctx context.Context, top []Candidate) (document.Day, error) {
	for _, candidate := range top {
		from := candidate.Valid.From
		if from <= document.DayMin {
			continue
		}
		if dated, err := p.dated(ctx, candidate, from-1); dated || err != nil {
			return from - 1, err
		}
	}
	return 0, nil
}

// beforeChange is the day before a change that a document of the period's end says was made
// in it; where none does, the day before the period.
func (c *Corpus) beforeChange(ctx context.Context, scope document.Scope, p probe, w query.When) (document.Day, error) {
	scope.AsOf = min(w.Day, p.view.Day())
	then, err := c.probe(ctx, scope)
	if err != nil {
		return 0, err
	}
	defer then.view.Close()
	top, err := then.top(ctx, c, w.Without)
	if err != nil {
		return 0, err
	}
	for _, candidate := range top {
		from := candidate.Valid.From
		if from < w.Since || from > w.Day {
			continue
		}
		if dated, err := then.dated(ctx, candidate, from-1); dated || err != nil {
			return from - 1, err
		}
	}
	if dated, err := then.date(ctx, top, w.Since-1); dated || err != nil {
		return w.Since - 1, err
	}
	return 0, nil
}

// asking is the corpus for one call that may search several times: a question is embedded
// once, whatever views it is put to.
func (c *Corpus) asking() *Corpus {
	if c == nil || c.options.Embedder == nil {
		return c
	}
	once := *c
	once.options.Embedder = &askedOnce{Embedder: c.options.Embedder, vectors: map[string][]float32{}}
	return &once
}

// askedOnce remembers the vectors of questions.
type askedOnce struct {
	embedding.Embedder
	mu      sync.Mutex
	vectors map[string][]float32
}

// Question implements embedding.Embedder.
func (e *askedOnce) Question(ctx context.Context, text string) ([]float32, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if v, ok := e.vectors[text]; ok {
		return v, nil
	}
	v, err := e.Embedder.Question(ctx, text)
	if err == nil {
		e.vectors[text] = v
	}
	return v, err
}
