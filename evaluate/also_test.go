package evaluate

import (
	"context"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// shown gives one list for every question.
type shown []Hit

func (s shown) Search(context.Context, Query) ([]Hit, error) { return s, nil }

// A text that stands in several places is one entry of the list, and holds what is judged in
// any of them.
func TestAlso(t *testing.T) {
	place := func(document string, heading ...string) Place { return Place{Document: document, Heading: heading} }
	hit := func(tokens int, at Place, also ...Place) Hit {
		return Hit{Document: at.Document, Heading: at.Heading, Text: at.Document + " text", Tokens: tokens, Also: also}
	}
	for _, c := range []struct {
		about   string
		sources []string
		hits    []Hit
		metric  string
		want    float64
	}{
		{"the copy's document is the judged one", []string{"b.md"}, []Hit{hit(1, place("x.md")), hit(1, place("a.md"), place("b.md"))}, "mrr", 0.5},
		{"a path is cleaned there too", []string{"b.md"}, []Hit{hit(1, place("a.md"), place("./b.md"))}, "mrr", 1},
		{"copies take no places", []string{"c.md"}, []Hit{hit(1, place("a.md"), place("x.md"), place("y.md"), place("z.md")), hit(1, place("c.md"))}, "mrr", 0.5},
		{"nor tokens", []string{"c.md"}, []Hit{hit(60, place("a.md"), place("x.md"), place("y.md")), hit(40, place("c.md"))}, "recall@100t", 1},
		{"one hit may hold two documents", []string{"a.md", "b.md"}, []Hit{hit(1, place("a.md"), place("b.md"))}, "recall@1", 1},
		{"by the heading of the copy", []string{"b.md#Fees"}, []Hit{hit(1, place("a.md", "Other"), place("b.md", "Fees"))}, "recall@1", 1},
		{"not by the first one's heading", []string{"b.md#Fees"}, []Hit{hit(1, place("a.md", "Fees"), place("b.md", "Other"))}, "recall@1", 0},
		{"shown only by a copy of what was shown", []string{"b.md"}, []Hit{hit(1, place("a.md")), hit(1, place("a.md"), place("b.md"))}, "mrr", 0.5},
	} {
		t.Run(c.about, func(t *testing.T) {
			report, err := Run(t.Context(), Set{Name: "also", Questions: []Question{{ID: "q", Text: "?", Sources: sources(c.sources...)}}}, shown(c.hits), Options{Metrics: []string{c.metric}})
			if err != nil {
				t.Fatal(err)
			}
			if got := report.Metrics[c.metric].Value; got != c.want {
				t.Errorf("%s is %v, want %v", c.metric, got, c.want)
			}
		})
	}
}

func TestTokensOfCopies(t *testing.T) {
	ts := texts{read: func(string) (string, error) { return "one two three one two", nil }, cache: map[string]*located{}}
	judged := []judgedSpan{{"a", document.Span{From: 14, To: 21}}}
	for _, c := range []struct {
		about string
		hit   Hit
		want  tokenCount
	}{
		{"within the document", Hit{Document: "a", Span: document.Span{From: 0, To: 7}, Text: "one two", Also: []Place{{Document: "a", Span: document.Span{From: 14, To: 21}}}}, tokenCount{2, 2, 2}},
		{"in another", Hit{Document: "b", Span: document.Span{From: 0, To: 7}, Text: "one two", Also: []Place{{Document: "a", Span: document.Span{From: 14, To: 21}}}}, tokenCount{2, 2, 2}},
		{"of something else", Hit{Document: "b", Span: document.Span{From: 0, To: 7}, Text: "one two", Also: []Place{{Document: "c", Span: document.Span{From: 14, To: 21}}}}, tokenCount{2, 2, 0}},
	} {
		if got := ts.countTokens(judged, []Hit{c.hit}); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.about, got, c.want)
		}
	}
}

// What a copy shows of a stale source is shown.
func TestStaleCopies(t *testing.T) {
	stale := judgeSources(Question{Sources: sources("old.md")}, sectionLevel)
	hits := prepare([]Hit{{Document: "new.md", Also: []Place{{Document: "old.md"}}}}, nil)
	if !showsStale(hits, stale, 1) {
		t.Error("a copy in a stale source is not seen")
	}
	if showsStale(prepare([]Hit{{Document: "new.md"}}, nil), stale, 1) {
		t.Error("a hit without one is taken for it")
	}
}
