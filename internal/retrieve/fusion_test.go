package retrieve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

var none = math.NaN()

func TestWeighted(t *testing.T) {
	for _, c := range []struct {
		name  string
		lanes []Lane
		want  []float64
	}{
		{"one lane is its normalised scores", []Lane{{Weight: 3, Scores: []float64{2, 4, 0}, Min: 0, Max: 4}}, []float64{0.5, 1, 0}},
		{"(0.4*1 + 0.6*0.5)/1 and (0.4*0.5 + 0.6*1)/1", []Lane{
			{Weight: 0.4, Scores: []float64{4, 2}, Min: 0, Max: 4},
			{Weight: 0.6, Scores: []float64{0.2, 0.6}, Min: -0.2, Max: 0.6}}, []float64{0.7, 0.8}},
		{"weights are shares", []Lane{
			{Weight: 1, Scores: []float64{1, 0}, Min: 0, Max: 1},
			{Weight: 3, Scores: []float64{0, 1}, Min: 0, Max: 1}}, []float64{0.25, 0.75}},
		{"bounds come from all that the lane scored", []Lane{{Weight: 1, Scores: []float64{5, 6}, Min: 0, Max: 10}}, []float64{0.5, 0.6}},
		{"no score counts as the least", []Lane{
			{Weight: 1, Scores: []float64{none, 1}, Min: 0, Max: 1},
			{Weight: 1, Scores: []float64{1, 1}, Min: 0, Max: 1}}, []float64{0.5, 1}},
		{"equal positive scores are full", []Lane{{Weight: 1, Scores: []float64{2, 2}, Min: 2, Max: 2}}, []float64{1, 1}},
		{"a lane without matches is nothing", []Lane{{Weight: 1, Scores: []float64{0, 0}}}, []float64{0, 0}},
		{"no lane", nil, []float64{0, 0}},
	} {
		got := Weighted(len(c.want), c.lanes)
		for i := range c.want {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

func TestRRF(t *testing.T) {
	for _, c := range []struct {
		name  string
		lanes []Lane
		want  []float64
	}{
		{"1/(60+rank)", []Lane{{Weight: 1, Scores: []float64{9, 7, 8}}}, []float64{1. / 61, 1. / 63, 1. / 62}},
		{"ranks of two lanes add", []Lane{{Weight: 1, Scores: []float64{9, 7}}, {Weight: 1, Scores: []float64{1, 2}}},
			[]float64{1./61 + 1./62, 1./62 + 1./61}},
		{"weights multiply", []Lane{{Weight: 2, Scores: []float64{9, 7}}}, []float64{2. / 61, 2. / 62}},
		{"ties share the better rank", []Lane{{Weight: 1, Scores: []float64{5, 5, 3}}}, []float64{1. / 61, 1. / 61, 1. / 63}},
		{"no match and no score have no rank", []Lane{{Weight: 1, Scores: []float64{0, none, 3}}}, []float64{0, 0, 1. / 61}},
		{"a negative cosine has a rank", []Lane{{Weight: 1, Scores: []float64{-0.5, 0.5}}}, []float64{1. / 62, 1. / 61}},
	} {
		got := RRF(len(c.want), c.lanes, 60)
		for i := range c.want {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

// A linear change of a lane's scale changes neither fusion, and a higher score
// in a lane never lowers a candidate.
func TestFusionProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		n := 1 + r.IntN(20)
		lanes := make([]Lane, 1+r.IntN(3))
		for i := range lanes {
			lanes[i] = Lane{Weight: r.Float64(), Min: 0, Max: 1, Scores: make([]float64, n)}
			for j := range lanes[i].Scores {
				if lanes[i].Scores[j] = r.Float64(); r.IntN(5) == 0 {
					lanes[i].Scores[j] = none
				}
			}
		}
		scaled := make([]Lane, len(lanes))
		for i, l := range lanes {
			scaled[i] = Lane{Weight: l.Weight, Min: 0, Max: 8, Scores: make([]float64, n)}
			for j, s := range l.Scores {
				scaled[i].Scores[j] = 8 * s
			}
		}
		at := r.IntN(n)
		raised := make([]Lane, len(lanes))
		for i, l := range lanes {
			raised[i] = Lane{Weight: l.Weight, Min: l.Min, Max: l.Max, Scores: append([]float64(nil), l.Scores...)}
			if !math.IsNaN(l.Scores[at]) {
				raised[i].Scores[at] = 1
			}
		}
		for name, fuse := range map[string]func([]Lane) []float64{
			"weighted": func(l []Lane) []float64 { return Weighted(n, l) },
			"rrf":      func(l []Lane) []float64 { return RRF(n, l, 60) },
		} {
			a, b, c := fuse(lanes), fuse(scaled), fuse(raised)
			for i := range a {
				if math.Abs(a[i]-b[i]) > 1e-9 {
					t.Fatalf("%s depends on the scale of a lane: %g, %g", name, a[i], b[i])
				}
			}
			if c[at] < a[at]-1e-12 {
				t.Fatalf("%s: a higher score lowered a candidate from %g to %g", name, a[at], c[at])
			}
		}
	}
}

func candidates(scores ...float64) []Candidate {
	out := make([]Candidate, len(scores))
	for i, s := range scores {
		out[i] = Candidate{Score: s, Located: store.Located{Passage: document.Passage{ID: document.PassageID(rune('a' + i))}}}
	}
	return out
}

func order(c []Candidate) string {
	s := ""
	for _, x := range c {
		s += string(x.ID)
	}
	return s
}

func TestRank(t *testing.T) {
	exact := func(c []Candidate, at ...int) []Candidate {
		for _, i := range at {
			c[i].Exact = true
		}
		return c
	}
	for _, c := range []struct {
		name string
		in   []Candidate
		n    int
		want string // that go on, and behind the stroke the others
	}{
		{"by score", candidates(1, 3, 2), 5, "bca|"},
		{"ties by id", candidates(1, 1, 1), 5, "abc|"},
		{"the best n", candidates(1, 3, 2), 2, "bc|a"},
		{"an exact identifier keeps its place", exact(candidates(1, 3, 2), 0), 2, "ba|c"},
		{"exact ones push out the last others", exact(candidates(5, 4, 3, 1, 2), 3, 4), 3, "aed|bc"},
		{"more exact ones than places", exact(candidates(5, 4, 3), 0, 1, 2), 2, "ab|c"},
		{"none", nil, 2, "|"},
	} {
		found := rank(c.in, c.n)
		if got := order(found.Ranked) + "|" + order(found.Beyond); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		for i, x := range append(found.Ranked, found.Beyond...) {
			if x.Rank != i+1 || x.Fused != i+1 {
				t.Errorf("%s: rank %d at place %d", c.name, x.Rank, i+1)
			}
		}
	}
}

func TestAuthorityPrior(t *testing.T) {
	c := candidates(0.5, 0.5, 0.9)
	c[0].Authority, c[1].Authority = 100, 0
	authorityPrior(c, 0.2)
	if !(c[0].Score > c[1].Score && c[2].Score > c[0].Score) {
		t.Errorf("authority must decide between equals and not lift what fits less: %v %v %v", c[0].Score, c[1].Score, c[2].Score)
	}
	plain := candidates(0.5, 0.4)
	authorityPrior(plain, 0.2)
	if plain[0].Score != 0.5 || plain[1].Score != 0.4 {
		t.Error("without any authority scores must stay")
	}
}
