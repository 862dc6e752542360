// Package measure lets evaluate put questions to a corpus: the adapters between
// evaluate's narrow interfaces and the two flows.
package measure

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/store"
)

// Flows are what is measured of a corpus: its two flows, and what shows which part of
// them is to blame.
type Flows interface {
	Search(ctx context.Context, question string, scope document.Scope) (quarry.Result, error)
	Ask(ctx context.Context, question string, scope document.Scope) (quarry.Asked, error)
	LostAt(ctx context.Context, asked quarry.Asked, scope document.Scope, e quarry.Expected) (string, error)
	AskFrom(ctx context.Context, question string, scope document.Scope, passages []document.PassageID) (quarry.Asked, error)
	Documents(ctx context.Context, scope document.Scope) ([]store.Listed, error)
	Document(ctx context.Context, id document.ID, scope document.Scope) (document.Revision, error)
}

// Corpus is a corpus as evaluate asks it: an evaluate.Searcher, Asker,
// GoldAsker, Library and Stager. A question that is asked again gets what it got before,
// and one that was answered is not searched again: its list is that of the
// answer. It is used by one goroutine at a time, as evaluate does.
type Corpus struct {
	flows     Flows
	base      document.Scope
	found     map[string]found
	answers   map[string]evaluate.Answer
	gold      map[string]evaluate.Answer
	listed    map[string]map[string]placed // by scope, then path
	revisions map[placed]document.Revision
	reader    []string // see Reader
	last      run
}

// found is what Search gives.
type found struct {
	hits []evaluate.Hit
	err  error
}

// New adapts a corpus. What a question's own scope leaves out is taken from
// base, and base's sources always hold.
func New(flows Flows, base document.Scope) *Corpus {
	return &Corpus{flows: flows, base: base, found: map[string]found{}, answers: map[string]evaluate.Answer{}, gold: map[string]evaluate.Answer{},
		listed: map[string]map[string]placed{}, revisions: map[placed]document.Revision{}}
}

// Search implements evaluate.Searcher. A stage that failed, though the flow went
// on without it, is an error: a measurement must not hide it.
func (c *Corpus) Search(ctx context.Context, q evaluate.Query) ([]evaluate.Hit, error) {
	key := keyOf(q)
	if f, ok := c.found[key]; ok {
		return f.hits, f.err
	}
	result, err := c.flows.Search(ctx, q.Text, c.scope(q.Scope))
	if err != nil {
		return nil, err
	}
	c.last = run{key: key, asked: quarry.Asked{Question: result.Question, Candidates: result.Candidates, Beyond: result.Beyond, Trace: result.Trace}}
	f := foundOf(result.Candidates, result.Trace)
	c.found[key] = f
	return f.hits, f.err
}

func foundOf(candidates []quarry.Candidate, t *quarry.Trace) found {
	if failed := t.Failed(); len(failed) > 0 {
		return found{err: fmt.Errorf("a stage failed, which a measurement must not hide: %s", strings.Join(failed, "; "))}
	}
	var hits []evaluate.Hit
	for _, h := range (quarry.Result{Candidates: candidates}).Distinct() {
		hits = append(hits, hitOf(h.Candidate, h.Span, h.Text, h.Tokens, h.Also))
	}
	return found{hits: hits}
}

func hitOf(c quarry.Candidate, span document.Span, text string, tokens int, also []quarry.Location) evaluate.Hit {
	h := evaluate.Hit{Document: c.Document.Path, Title: c.Title, Heading: c.Heading, Span: span, Text: text, Tokens: tokens, Score: c.Score}
	for _, l := range also {
		h.Also = append(h.Also, evaluate.Place{Document: l.Document.Path, Heading: l.Heading, Span: l.Span})
	}
	return h
}

// Ask implements evaluate.Asker.
func (c *Corpus) Ask(ctx context.Context, q evaluate.Query) (evaluate.Answer, error) {
	key := keyOf(q)
	if a, ok := c.answers[key]; ok {
		return a, nil
	}
	asked, err := c.flows.Ask(ctx, q.Text, c.scope(q.Scope))
	if err != nil {
		return evaluate.Answer{}, err
	}
	c.last = run{key: key, asked: asked, answered: true}
	c.found[key] = foundOf(asked.Candidates, asked.Trace)
	a := answerOf(asked)
	c.answers[key] = a
	return a, nil
}

func answerOf(asked quarry.Asked) evaluate.Answer {
	a := evaluate.Answer{Status: string(asked.Answer.Status), Text: asked.Answer.Text}
	for _, cited := range asked.Answer.Citations {
		a.Citations = append(a.Citations, evaluate.Citation{N: cited.N, Document: cited.Document.Path, Heading: cited.Heading, Quote: cited.Quote})
	}
	for _, p := range asked.Evidence {
		a.Evidence = append(a.Evidence, hitOf(p.Candidate, p.Span, p.Text, p.Tokens, p.Also))
		a.Tokens += p.Tokens
	}
	for _, r := range asked.Trace.Records {
		a.Calls += r.Calls
	}
	return a
}

// AskFrom implements evaluate.GoldAsker.
func (c *Corpus) AskFrom(ctx context.Context, q evaluate.Query, units []evaluate.Unit) (evaluate.Answer, error) {
	key := fmt.Sprintf("%s %q", keyOf(q), units)
	if a, ok := c.gold[key]; ok {
		return a, nil
	}
	scope := c.scope(q.Scope)
	var passages []document.PassageID
	seen := map[document.PassageID]bool{}
	for _, u := range units {
		held, err := c.holding(ctx, scope, u)
		if err != nil {
			return evaluate.Answer{}, err
		}
		for _, id := range held {
			if !seen[id] {
				seen[id] = true
				passages = append(passages, id)
			}
		}
	}
	if len(passages) == 0 {
		return evaluate.Answer{}, evaluate.ErrNoEvidence
	}
	asked, err := c.flows.AskFrom(ctx, q.Text, scope, passages)
	if err != nil {
		return evaluate.Answer{}, err
	}
	a := answerOf(asked)
	c.gold[key] = a
	return a, nil
}

// holding gives the passages that hold a unit. A quote whose document is not known
// is not looked for: that would mean to read the whole corpus.
func (c *Corpus) holding(ctx context.Context, scope document.Scope, u evaluate.Unit) ([]document.PassageID, error) {
	r, ok, err := c.revision(ctx, scope, u.Document)
	if err != nil || !ok {
		return nil, err
	}
	hits := make([]evaluate.Hit, len(r.Passages))
	for i, p := range r.Passages {
		hits[i] = evaluate.Hit{Document: u.Document, Span: p.Span, Text: p.Text, Tokens: p.Tokens}
		if p.Section > 0 && p.Section < len(r.Sections) {
			hits[i].Heading = r.Sections[p.Section].Path
		}
	}
	var ids []document.PassageID
	for _, i := range evaluate.Holding(u, hits) {
		ids = append(ids, r.Passages[i].ID)
	}
	return ids, nil
}

// Content implements evaluate.Library.
func (c *Corpus) Content(ctx context.Context, q evaluate.Query, path string) (evaluate.Content, error) {
	r, ok, err := c.revision(ctx, c.scope(q.Scope), path)
	if err != nil {
		return evaluate.Content{}, err
	}
	if !ok {
		return evaluate.Content{}, document.ErrNotFound
	}
	content := evaluate.Content{Revision: r.Hash, Text: r.Text}
	for _, s := range r.Sections[min(1, len(r.Sections)):] {
		if n := len(s.Path); n > 0 { // as hits show it, numbering and all
			content.Headings = append(content.Headings, s.Path[n-1])
		}
	}
	return content, nil
}

// Has implements evaluate.Library.
func (c *Corpus) Has(ctx context.Context, q evaluate.Query, path string) (bool, error) {
	_, ok, err := c.place(ctx, c.scope(q.Scope), path)
	return ok, err
}

// placed is a document and the revision of it that a scope sees.
type placed struct {
	id       document.ID
	revision string
}

// place finds a path, in whichever source it is; the list of a scope's documents is
// read once.
func (c *Corpus) place(ctx context.Context, scope document.Scope, path string) (placed, bool, error) {
	of := fmt.Sprintf("%+v", scope)
	places := c.listed[of]
	if places == nil {
		list, err := c.flows.Documents(ctx, scope)
		if err != nil {
			return placed{}, false, fmt.Errorf("listing the documents: %w", err)
		}
		places = make(map[string]placed, len(list))
		for _, d := range list {
			if _, twice := places[d.Document.Path]; d.Error == "" && !twice {
				places[d.Document.Path] = placed{d.Document, d.Revision}
			}
		}
		c.listed[of] = places
	}
	p, ok := places[path]
	return p, ok, nil
}

// revision is that of a path, read once for all who see the same; ok is false where
// the scope does not see it.
func (c *Corpus) revision(ctx context.Context, scope document.Scope, path string) (r document.Revision, ok bool, err error) {
	p, ok, err := c.place(ctx, scope, path)
	if err != nil || !ok {
		return r, false, err
	}
	if r, ok := c.revisions[p]; ok {
		return r, true, nil
	}
	if r, err = c.flows.Document(ctx, p.id, scope); err != nil {
		return r, false, fmt.Errorf("reading %s: %w", path, err)
	}
	c.revisions[p] = r
	return r, true, nil
}

func keyOf(q evaluate.Query) string { return fmt.Sprintf("%q %+v", q.Text, q.Scope) }

func (c *Corpus) scope(s document.Scope) document.Scope {
	if s.Tenant == "" {
		s.Tenant = c.base.Tenant
	}
	if len(s.Principals) == 0 {
		s.Principals = c.base.Principals
	}
	if s.AsOf == 0 {
		s.AsOf = c.base.AsOf
	}
	if len(s.Where) == 0 {
		s.Where = c.base.Where
	}
	s.Drafts = s.Drafts || c.base.Drafts
	s.Sources = c.base.Sources
	return s
}

// Uploads are the documents of a BEIR corpus: public plain texts. One that is
// all title is searched by it.
func Uploads(set evaluate.Set) iter.Seq2[quarry.Upload, error] {
	return func(yield func(quarry.Upload, error) bool) {
		for d := range set.Corpus {
			if d.Err != nil {
				yield(quarry.Upload{}, d.Err)
				return
			}
			text := d.Text
			if text == "" {
				text = d.Title
			}
			if !yield(quarry.Upload{Path: d.Path, Data: []byte(text), Format: "text",
				Metadata: document.Metadata{Title: d.Title, Access: document.Public()}}, nil) {
				return
			}
		}
	}
}
