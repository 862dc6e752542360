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
)

// Flows are the two flows of a corpus.
type Flows interface {
	Search(ctx context.Context, question string, scope document.Scope) (quarry.Result, error)
	Ask(ctx context.Context, question string, scope document.Scope) (quarry.Asked, error)
}

// Corpus is a corpus as evaluate asks it: an evaluate.Searcher and an
// evaluate.Asker. A question that is asked again gets what it got before. It is
// used by one goroutine at a time, as evaluate does.
type Corpus struct {
	flows   Flows
	base    document.Scope
	found   map[string][]evaluate.Hit
	answers map[string]evaluate.Answer
}

// New adapts a corpus. What a question's own scope leaves out is taken from
// base, and base's sources always hold.
func New(flows Flows, base document.Scope) *Corpus {
	return &Corpus{flows: flows, base: base, found: map[string][]evaluate.Hit{}, answers: map[string]evaluate.Answer{}}
}

// Search implements evaluate.Searcher. A stage that failed, though the flow went
// on without it, is an error: a measurement must not hide it.
func (c *Corpus) Search(ctx context.Context, q evaluate.Query) ([]evaluate.Hit, error) {
	key := keyOf(q)
	if hits, ok := c.found[key]; ok {
		return hits, nil
	}
	result, err := c.flows.Search(ctx, q.Text, c.scope(q.Scope))
	if err != nil {
		return nil, err
	}
	if failed := result.Trace.Failed(); len(failed) > 0 {
		return nil, fmt.Errorf("a stage failed, which a measurement must not hide: %s", strings.Join(failed, "; "))
	}
	hits := make([]evaluate.Hit, len(result.Candidates))
	for i, h := range result.Candidates {
		hits[i] = evaluate.Hit{Document: h.Document.Path, Title: h.Title, Heading: h.Heading, Span: h.Span,
			Text: h.Text, Tokens: h.Tokens, Score: h.Score}
	}
	c.found[key] = hits
	return hits, nil
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
	a := evaluate.Answer{Status: string(asked.Answer.Status)}
	for _, cited := range asked.Answer.Citations {
		a.Citations = append(a.Citations, evaluate.Citation{Document: cited.Document.Path, Heading: cited.Heading, Quote: cited.Quote})
	}
	c.answers[key] = a
	return a, nil
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
