package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store"
)

// lanesView is a view that gives the scores that a test says: for every lane a
// score of each passage; 0 is none in the keyword and identifier lanes, a passage
// left out has no vector.
type lanesView struct {
	store.View
	keyword, identifier, vector map[string]float64
	similar                     map[string]float64 // by both passages; one left out is NaN
	in                          map[string]string  // the document of a passage
	failing                     map[trace.Stage]error
	scoring                     map[trace.Stage]error
}

// Statistics says that every term is known.
func (v *lanesView) Statistics(_ context.Context, terms []string) (store.Statistics, error) {
	s := store.Statistics{Frequent: map[string]int{}}
	for _, t := range terms {
		s.Frequent[t] = 1
	}
	return s, nil
}

func (v *lanesView) lane(name trace.Stage, scores map[string]float64, k int) (store.Hits, error) {
	if err := v.failing[name]; err != nil {
		return store.Hits{}, err
	}
	var h store.Hits
	h.Min, h.Max = math.Inf(1), math.Inf(-1)
	for id, s := range scores {
		h.Min, h.Max = min(h.Min, s), max(h.Max, s)
		if s != 0 || name == trace.Vector {
			h.Matched++
			h.Hits = append(h.Hits, store.Hit{Passage: document.PassageID(id), Score: s})
		}
	}
	if name != trace.Vector {
		h.Min = 0
	}
	slices.SortFunc(h.Hits, func(a, b store.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Passage, b.Passage))
	})
	h.Hits = h.Hits[:min(k, len(h.Hits))]
	return h, nil
}

func (v *lanesView) score(name trace.Stage, scores map[string]float64, ids []document.PassageID, missing float64) ([]float64, error) {
	out := make([]float64, len(ids))
	for i, id := range ids {
		s, ok := scores[string(id)]
		if out[i] = s; !ok {
			out[i] = missing
		}
	}
	return out, v.scoring[name]
}

func (v *lanesView) Keyword(_ context.Context, _ []store.QueryTerm, k int) (store.Hits, error) {
	return v.lane(trace.Keyword, v.keyword, k)
}

func (v *lanesView) Identifier(_ context.Context, ids []store.QueryTerm, k int) (store.Hits, error) {
	if len(ids) == 0 {
		return store.Hits{}, v.failing[trace.Identifier]
	}
	return v.lane(trace.Identifier, v.identifier, k)
}

func (v *lanesView) Vector(_ context.Context, _ store.Model, _ []float32, k int) (store.Hits, error) {
	return v.lane(trace.Vector, v.vector, k)
}

func (v *lanesView) ScoreKeyword(_ context.Context, _ []store.QueryTerm, ids []document.PassageID) ([]float64, error) {
	return v.score(trace.Keyword, v.keyword, ids, 0)
}

func (v *lanesView) ScoreIdentifier(_ context.Context, _ []store.QueryTerm, ids []document.PassageID) ([]float64, error) {
	return v.score(trace.Identifier, v.identifier, ids, 0)
}

func (v *lanesView) ScoreVector(_ context.Context, _ store.Model, _ []float32, ids []document.PassageID) ([]float64, error) {
	return v.score(trace.Vector, v.vector, ids, math.NaN())
}

// Near says that every term is held.
func (v *lanesView) Near(_ context.Context, term string, _, _ int) ([]store.NearTerm, error) {
	return []store.NearTerm{{Term: term, Passages: 1}}, nil
}

func (v *lanesView) Similar(_ context.Context, _ store.Model, to document.PassageID, ids []document.PassageID) ([]float64, error) {
	out := make([]float64, len(ids))
	for i, id := range ids {
		cosine, ok := v.similar[string(to)+" "+string(id)]
		if out[i] = cosine; !ok {
			out[i] = math.NaN()
		}
	}
	return out, v.failing[trace.Fuse]
}

func (v *lanesView) Passages(_ context.Context, ids []document.PassageID) ([]store.Located, error) {
	out := make([]store.Located, len(ids))
	for i, id := range ids {
		out[i].ID = id
		out[i].Document.Path = v.in[string(id)]
	}
	return out, nil
}

// model is an embedder whose question fails on demand.
type model struct {
	embedding.Embedder
	err error
}

func (model) Name() string { return "model" }
func (model) Dims() int    { return 2 }
func (m model) Question(context.Context, string) ([]float32, error) {
	return []float32{1, 0}, m.err
}

var options = Options{PerLane: 100, Candidates: 50, Fusion: "weighted", RRFK: 60, Keyword: 0.4, Vector: 0.6, Identifier: 0.5}

func find(t *testing.T, v store.View, question string, e embedding.Embedder, o Options) ([]Candidate, *trace.Trace, error) {
	t.Helper()
	tr := &trace.Trace{}
	plan, err := query.Understand(question, tr)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Candidates(t.Context(), v, plan, e, o, tr)
	return got.Ranked, tr, err
}

func TestLanes(t *testing.T) {
	broken := errors.New("the index is broken")
	all := func() *lanesView {
		return &lanesView{
			keyword:    map[string]float64{"a": 8, "b": 4, "c": 0},
			identifier: map[string]float64{"c": 2},
			vector:     map[string]float64{"a": 0.1, "b": 0.9},
		}
	}
	for _, c := range []struct {
		name     string
		question string
		embedder embedding.Embedder
		failing  []trace.Stage
		want     string // the candidates in order
		failed   string // stages that the trace names as failed
		err      bool
	}{
		// a: 0.4*1, b: 0.4*0.5 + 0.6*1, c: 0.5*1, each of 1.5
		{"three lanes rank together", "refund INV-4471", model{}, nil, "bca", "", false},
		{"without a model two do", "refund INV-4471", nil, nil, "cab", "", false},
		{"a failing vector lane leaves the others", "refund INV-4471", model{}, []trace.Stage{trace.Vector}, "cab", "vector", false},
		{"so does a model that fails", "refund INV-4471", model{err: broken}, nil, "cab", "vector", false},
		{"a failing keyword lane", "refund INV-4471", model{}, []trace.Stage{trace.Keyword}, "bca", "keyword", false},
		{"a failing identifier lane", "refund INV-4471", model{}, []trace.Stage{trace.Identifier}, "ba", "identifier", false},
		{"all lanes fail", "refund INV-4471", model{}, []trace.Stage{trace.Keyword, trace.Vector, trace.Identifier}, "", "keyword vector identifier", true},
		{"an identifier lane that is asked nothing answers for none", "refund", model{}, []trace.Stage{trace.Keyword, trace.Vector}, "", "keyword vector", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := all()
			v.failing = map[trace.Stage]error{}
			for _, s := range c.failing {
				v.failing[s] = broken
			}
			got, tr, err := find(t, v, c.question, c.embedder, options)
			if (err != nil) != c.err || err != nil && !errors.Is(err, broken) {
				t.Fatalf("error %v", err)
			}
			if order(got) != c.want {
				t.Errorf("order %s, want %s", order(got), c.want)
			}
			var failed []string
			for _, r := range tr.Records {
				if r.Error != "" {
					failed = append(failed, string(r.Stage))
					if !strings.Contains(r.Error, broken.Error()) {
						t.Errorf("the trace says %q", r.Error)
					}
				}
			}
			if got := strings.Join(failed, " "); got != c.failed {
				t.Errorf("the trace names %q as failed, want %q", got, c.failed)
			}
		})
	}
}

// Every candidate has real scores of all lanes, whichever lane found it.
func TestScoresOfAllLanes(t *testing.T) {
	v := &lanesView{keyword: map[string]float64{"a": 8, "b": 4}, vector: map[string]float64{"b": 0.9, "c": -0.5, "d": 0.95}, identifier: map[string]float64{"a": 1}}
	o := options
	o.PerLane = 1 // a by keyword and identifier, d by vector
	got, _, err := find(t, v, "refund INV-4471", model{}, o)
	if err != nil || len(got) != 2 {
		t.Fatalf("%d candidates, %v", len(got), err)
	}
	a, d := got[0], got[1]
	if a.ID != "a" {
		a, d = d, a
	}
	if a.Keyword != (LaneScore{8, 1, 1}) || !math.IsNaN(a.Vector.Score) || a.Vector.Rank != 0 || a.Identifier != (LaneScore{1, 1, 1}) || !a.Exact {
		t.Errorf("a: %+v %+v %+v exact %v", a.Keyword, a.Vector, a.Identifier, a.Exact)
	}
	if d.Keyword != (LaneScore{}) || d.Vector != (LaneScore{0.95, 1, 1}) || d.Identifier != (LaneScore{}) || d.Exact {
		t.Errorf("d: %+v %+v %+v exact %v", d.Keyword, d.Vector, d.Identifier, d.Exact)
	}

	got, _, err = find(t, v, "refund", nil, options)
	if err != nil || !math.IsNaN(got[0].Vector.Score) || got[0].Vector.Rank != 0 {
		t.Errorf("without a model: %+v, %v", got[0].Vector, err)
	}
}

// An exact identifier keeps its place among the candidates, however many passages
// fit better by their words.
func TestExactIdentifierAmongMany(t *testing.T) {
	v := &lanesView{keyword: map[string]float64{}, identifier: map[string]float64{"the-one": 0.1}}
	for i := range 300 {
		v.keyword[fmt.Sprintf("p%03d", i)] = float64(100 + i)
	}
	for _, fusion := range []string{"weighted", "rrf"} {
		o := options
		o.Fusion, o.Identifier = fusion, 0.0001
		got, tr, err := find(t, v, "what about INV-4471 and the refund", nil, o)
		if err != nil || len(got) != 50 {
			t.Fatalf("%s: %d candidates, %v", fusion, len(got), err)
		}
		if !slices.ContainsFunc(got, func(c Candidate) bool { return c.ID == "the-one" && c.Exact }) {
			t.Errorf("%s: the passage that holds the identifier is not among the 50", fusion)
		}
		fuse := tr.Records[len(tr.Records)-1]
		if fuse.Stage != trace.Fuse || fuse.In != 101 || fuse.Out != 50 || len(fuse.Drops) != 51 {
			t.Errorf("%s: the trace says %d in, %d out and %d dropped", fusion, fuse.In, fuse.Out, len(fuse.Drops))
		}
	}
}

// A lane that cannot score what others found is an error: half the scores would
// rank as if the lane had said no.
func TestScoringFails(t *testing.T) {
	broken := errors.New("the index is broken")
	v := &lanesView{keyword: map[string]float64{"a": 1}, scoring: map[trace.Stage]error{trace.Keyword: broken}}
	if _, _, err := find(t, v, "refund", nil, options); !errors.Is(err, broken) || !strings.Contains(err.Error(), "keyword lane") {
		t.Errorf("error %v", err)
	}
}

// A question that was given up is not answered by what came in before.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	plan, _ := query.Understand("refund", &trace.Trace{})
	_, err := Candidates(ctx, &lanesView{keyword: map[string]float64{"a": 1}}, plan, nil, options, &trace.Trace{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
