package answer

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// What a question asks beyond the title of a passage must be said in it; a nearer passage that
// stands out more promises more; and without vectors words alone decide.
func TestPromise(t *testing.T) {
	const question = "Who designed the logo of the Harbour Line?"
	says := doc{path: "a.md", title: "Harbour Line", text: "The logo of the line was designed by Ada Holt in the year of its foundation."}
	aside := doc{path: "b.md", title: "Harbour Line", text: "The line runs from the harbour to the airport in less than an hour."}
	of := func(d doc, near, second float64) float64 {
		t.Helper()
		plan, err := query.Understand(question, &trace.Trace{})
		if err != nil {
			t.Fatal(err)
		}
		other := doc{path: "c.md", title: "Canteen", text: "The canteen opens at noon."}
		ranked := []retrieve.Candidate{d.piece(1, 2).Candidate, other.piece(2, 2).Candidate}
		for i, cosine := range []float64{near, second} {
			if ranked[i].Vector.Score = cosine; !math.IsNaN(cosine) {
				ranked[i].Vector.Rank = i + 1
			}
		}
		s, err := SignalsOf(t.Context(), corpus{docs: []doc{d, other}}, plan, ranked)
		if err != nil {
			t.Fatal(err)
		}
		p := s.Promise()
		if p <= 0 || p >= 1 {
			t.Errorf("the promise is %g", p)
		}
		return p
	}
	nan := math.NaN()
	for _, c := range []struct {
		name          string
		greater, less float64
	}{
		{"it says what is asked", of(says, 0.6, 0.3), of(aside, 0.6, 0.3)},
		{"by words alone", of(says, nan, nan), of(aside, nan, nan)},
		{"it is nearer", of(says, 0.7, 0.3), of(says, 0.5, 0.3)},
		{"it stands out", of(says, 0.6, 0.2), of(says, 0.6, 0.55)},
	} {
		if c.greater <= c.less {
			t.Errorf("%s: %.3f, and without that %.3f", c.name, c.greater, c.less)
		}
	}
	if p := signalsOf(query.Plan{Question: question}, nil, terms{}).Promise(); p != 0 {
		t.Errorf("no candidate promises %g", p)
	}
}

// Below answer.promise nothing is quoted, and it is said why.
func TestRefrains(t *testing.T) {
	says := doc{path: "a.md", title: "Harbour Line", text: "The logo of the line was designed by Ada Holt."}
	plan, err := query.Understand("Who designed the logo of the line?", &trace.Trace{})
	if err != nil {
		t.Fatal(err)
	}
	found := evidence.Evidence{Pieces: []evidence.Piece{says.piece(1, 1)}}
	for promise, want := range map[float64]Status{0: Answered, 1: Insufficient} {
		o := defaults
		o.Promise = promise
		q, err := Quote(t.Context(), corpus{docs: []doc{says}}, plan, rankedOf(found), found, o)
		if err != nil || q.Answer.Status != want {
			t.Fatalf("at %g: %s, %v", promise, q.Answer.Status, err)
		}
		if drops := q.record.Drops; want == Insufficient && (len(drops) != 1 || !strings.Contains(drops[0].Reason, "below answer.promise 1.00") || len(q.Answer.Missing) != 1) {
			t.Errorf("missing %q, drops %v", q.Answer.Missing, drops)
		}
	}
}
