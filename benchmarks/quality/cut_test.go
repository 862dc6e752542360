package main

import (
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/evaluate"
)

// cutReport makes a report of questions, each of recall and tokens.
func cutReport(questions ...[2]float64) evaluate.Report {
	r := evaluate.Report{Cost: &evaluate.Cost{}}
	sum := 0.0
	for i, q := range questions {
		r.ByQuestion = append(r.ByQuestion, evaluate.Result{ID: string(rune('a' + i)), Tokens: int(q[1]), Metrics: map[string]float64{inEvidence: q[0]}})
		r.Cost.Tokens += q[1] / float64(len(questions))
		sum += q[0]
	}
	r.Metrics = map[string]evaluate.Value{inEvidence: {Value: sum / float64(len(questions)), N: len(questions)}}
	return r
}

// Of each question the fewest passages that hold what all of them do, even where fewer
// happen to hold more.
func TestFewest(t *testing.T) {
	one := cutReport([2]float64{1, 10}, [2]float64{0, 10}, [2]float64{0.5, 10})
	two := cutReport([2]float64{1, 20}, [2]float64{0.5, 20}, [2]float64{0.5, 20})
	all := cutReport([2]float64{1, 30}, [2]float64{1, 30}, [2]float64{0.5, 30})
	got := fewest([]evaluate.Report{one, two, all})
	if want := (10 + 30 + 10) / 3.0; got.Cost.Tokens != want || all.Cost.Tokens != 30 || all.ByQuestion[0].Tokens != 30 {
		t.Errorf("%g tokens, want %g; and of all %g", got.Cost.Tokens, want, all.Cost.Tokens)
	}

	var b strings.Builder
	writeCuts(&b, []cutFigures{figuresOf("two", two, all), figuresOf("three", all, all)})
	for _, want := range []string{"| two | 0.667 [0.000, 0.000] | -0.167 [-0.500, +0.000] | 20 | 0.67 |\n", "| three | 0.833 [0.000, 0.000] | +0.000 [+0.000, +0.000] | 30 | 1.00 |\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no line %q in\n%s", want, b.String())
		}
	}
}
