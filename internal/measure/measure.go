// Package measure lets evaluate put questions to a corpus: the adapters between
// evaluate's narrow interfaces and the two flows.
package measure

import (
	"context"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
)

// Corpus asks a corpus; it is an evaluate.Searcher and an evaluate.Asker.
type Corpus struct {
	Corpus *quarry.Corpus
	// Base is narrowed by each question's own scope: what a question does not
	// say is taken from here.
	Base document.Scope
}

// Search implements evaluate.Searcher.
func (c Corpus) Search(ctx context.Context, q evaluate.Query) ([]evaluate.Hit, error) {
	result, err := c.Corpus.Search(ctx, q.Text, c.scope(q.Scope))
	if err != nil {
		return nil, err
	}
	hits := make([]evaluate.Hit, len(result.Candidates))
	for i, h := range result.Candidates {
		hits[i] = evaluate.Hit{Document: h.Document.Path, Title: h.Title, Heading: h.Heading, Span: h.Span,
			Text: h.Text, Tokens: h.Tokens, Score: h.Score}
	}
	return hits, nil
}

// Ask implements evaluate.Asker.
func (c Corpus) Ask(ctx context.Context, q evaluate.Query) (evaluate.Answer, error) {
	asked, err := c.Corpus.Ask(ctx, q.Text, c.scope(q.Scope))
	if err != nil {
		return evaluate.Answer{}, err
	}
	a := evaluate.Answer{Status: string(asked.Answer.Status)}
	for _, cited := range asked.Answer.Citations {
		a.Citations = append(a.Citations, evaluate.Citation{Document: cited.Document.Path, Heading: cited.Heading, Quote: cited.Quote})
	}
	return a, nil
}

func (c Corpus) scope(q document.Scope) document.Scope {
	s := c.Base
	if q.Tenant != "" {
		s.Tenant = q.Tenant
	}
	if len(q.Principals) > 0 {
		s.Principals = q.Principals
	}
	if q.AsOf != 0 {
		s.AsOf = q.AsOf
	}
	if len(q.Where) > 0 {
		s.Where = q.Where
	}
	s.Drafts = s.Drafts || q.Drafts
	return s
}
