package rerank

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// fake is a reranker that gives what a test says and keeps what it was asked.
type fake struct {
	score func(passages []string) ([]float64, error)
	asked []string
}

func (f *fake) Name() string { return "fake" }

func (f *fake) Rerank(_ context.Context, _ string, passages []string) ([]float64, error) {
	f.asked = passages
	return f.score(passages)
}

func gives(scores ...float64) *fake {
	return &fake{score: func([]string) ([]float64, error) { return scores, nil }}
}

// abc are three candidates in fused order, scored 0.9, 0.5 and 0.1.
func abc() []retrieve.Candidate {
	out := make([]retrieve.Candidate, 3)
	for i, text := range []string{"a", "b", "c"} {
		out[i].Text, out[i].Context = text, "Path > "+text
		out[i].Rank, out[i].Score = i+1, []float64{0.9, 0.5, 0.1}[i]
	}
	return out
}

func TestCandidates(t *testing.T) {
	for _, c := range []struct {
		name     string
		reranker Reranker
		want     string  // texts in order
		first    float64 // score of the first
		failed   string  // part of the error in the trace
	}{
		{"none: the fused order stands", nil, "abc", 0.9, ""},
		{"an inverting one turns the order round", gives(1, 2, 3), "cba", 3, ""},
		{"scores may have any scale and sign", gives(-11, -3, -7), "bca", -3, ""},
		{"equal scores keep the fused order", gives(0, 0, 0), "abc", 0, ""},
		{"one that fails leaves the fused order", &fake{score: func([]string) ([]float64, error) { return nil, errors.New("status 503") }}, "abc", 0.9, "status 503"},
		{"too few scores", gives(1, 2), "abc", 0.9, "2 scores for 3 passages"},
		{"too many scores", gives(1, 2, 3, 4), "abc", 0.9, "4 scores for 3 passages"},
		{"NaN", gives(1, math.NaN(), 3), "abc", 0.9, "not a number"},
		{"infinity", gives(1, math.Inf(1), 3), "abc", 0.9, "not a number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, tr := abc(), &trace.Trace{}
			got := Candidates(t.Context(), "q", in, c.reranker, tr)
			order := ""
			for i, x := range got {
				order += x.Text
				if x.Rank != i+1 {
					t.Errorf("rank %d at place %d", x.Rank, i+1)
				}
			}
			if order != c.want || got[0].Score != c.first {
				t.Errorf("order %s with %g first, want %s with %g", order, got[0].Score, c.want, c.first)
			}
			if in[0].Text+in[1].Text+in[2].Text != "abc" || in[0].Score != 0.9 {
				t.Error("the candidates that came in were changed")
			}
			if len(tr.Records) != 1 || tr.Records[0].Stage != trace.Rerank || tr.Records[0].In != 3 || tr.Records[0].Out != 3 {
				t.Fatalf("the trace is %+v", tr.Records)
			}
			if e := tr.Records[0].Error; (e != "") != (c.failed != "") || !strings.Contains(e, c.failed) {
				t.Errorf("the trace says %q, want %q", e, c.failed)
			}
		})
	}
}

func TestNothingToRerank(t *testing.T) {
	r, tr := gives(), &trace.Trace{}
	if got := Candidates(t.Context(), "q", nil, r, tr); len(got) != 0 || r.asked != nil {
		t.Errorf("no candidates give %v and the model was asked about %v", got, r.asked)
	}
	if len(tr.Records) != 1 {
		t.Errorf("the trace is %+v", tr.Records)
	}
}

// A model reads a passage with what it stands under.
func TestContextIsRead(t *testing.T) {
	r := gives(1, 1, 1)
	Candidates(t.Context(), "q", abc(), r, &trace.Trace{})
	if want := []string{"Path > a\na", "Path > b\nb", "Path > c\nc"}; !slices.Equal(r.asked, want) {
		t.Errorf("the model read %q, want %q", r.asked, want)
	}
}

// What holds quoted text of the question stays first, with no less a score than what it is
// before; the reranker orders the rest.
func TestQuotedStaysFirst(t *testing.T) {
	in := abc()
	in[1].Quoted = retrieve.Quoted{Whole: 1, Closeness: 1}
	got := Candidates(t.Context(), "q", in, gives(2, 1, 3), &trace.Trace{})
	for i, want := range []struct {
		text  string
		score float64
	}{{"b", 3}, {"c", 3}, {"a", 2}} {
		if got[i].Text != want.text || got[i].Score != want.score || got[i].Rank != i+1 {
			t.Errorf("rank %d: %s with %g, want %s with %g", got[i].Rank, got[i].Text, got[i].Score, want.text, want.score)
		}
	}
}
