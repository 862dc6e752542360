package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/standard"
)

// tested is the corpus as evaluate asks it. A question that is asked again gets
// what it got before.
type tested struct {
	corpus  *standard.Corpus
	scope   document.Scope // for what a question does not say
	found   map[string][]evaluate.Hit
	answers map[string]evaluate.Answer
}

func (t *tested) Search(ctx context.Context, q evaluate.Query) ([]evaluate.Hit, error) {
	key := keyOf(q)
	if hits, ok := t.found[key]; ok {
		return hits, nil
	}
	result, err := t.corpus.Search(ctx, q.Text, t.scopeOf(q))
	if err != nil {
		return nil, err
	}
	if failed := result.Trace.Failed(); len(failed) > 0 {
		return nil, fmt.Errorf("a stage failed, which a measurement must not hide: %s", strings.Join(failed, "; "))
	}
	hits := make([]evaluate.Hit, len(result.Candidates))
	for i, c := range result.Candidates {
		hits[i] = evaluate.Hit{Document: c.Document.Path, Title: c.Title, Heading: c.Heading, Span: c.Span, Text: c.Text, Tokens: c.Tokens, Score: c.Score}
	}
	t.found[key] = hits
	return hits, nil
}

func (t *tested) Ask(ctx context.Context, q evaluate.Query) (evaluate.Answer, error) {
	key := keyOf(q)
	if a, ok := t.answers[key]; ok {
		return a, nil
	}
	asked, err := t.corpus.Ask(ctx, q.Text, t.scopeOf(q))
	if err != nil {
		return evaluate.Answer{}, err
	}
	a := evaluate.Answer{Status: string(asked.Answer.Status)}
	for _, c := range asked.Answer.Citations {
		a.Citations = append(a.Citations, evaluate.Citation{Document: c.Document.Path, Heading: c.Heading, Quote: c.Quote})
	}
	t.answers[key] = a
	return a, nil
}

func keyOf(q evaluate.Query) string { return fmt.Sprintf("%q %+v", q.Text, q.Scope) }

// scopeOf is the question's scope, with that of the command line for what it
// leaves out.
func (t *tested) scopeOf(q evaluate.Query) document.Scope {
	s := q.Scope
	if s.Tenant == "" {
		s.Tenant = t.scope.Tenant
	}
	if len(s.Principals) == 0 {
		s.Principals = t.scope.Principals
	}
	if s.AsOf == 0 {
		s.AsOf = t.scope.AsOf
	}
	if len(s.Where) == 0 {
		s.Where = t.scope.Where
	}
	s.Drafts = s.Drafts || t.scope.Drafts
	s.Sources = t.scope.Sources
	return s
}

// printParts sets what may be tuned on beside what is held out.
func (a *app) printParts(report evaluate.Report, parts map[string]evaluate.Group) {
	a.printf("\n")
	t := tabwriter.NewWriter(&a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	tuning, held := parts[evaluate.Tuning], parts[evaluate.HeldOut]
	fmt.Fprintf(t, "metric\ttuning (%d)\tn\theld out (%d)\tn\t\n", tuning.Questions, held.Questions)
	for _, name := range slices.Sorted(maps.Keys(report.Metrics)) {
		fmt.Fprintf(t, "%s\t%s\t%s\t\n", name, cells(tuning, name), cells(held, name))
	}
	t.Flush()
}

func cells(g evaluate.Group, name string) string {
	v, ok := g.Metrics[name]
	if !ok {
		return "-\t0"
	}
	return fmt.Sprintf("%.3f\t%d", v.Value, v.N)
}
