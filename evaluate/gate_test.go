package evaluate

import (
	"slices"
	"strings"
	"testing"
)

func TestParseGate(t *testing.T) {
	for in, want := range map[string]string{
		"recall@5>=0.9":                             "recall@5>=0.9",
		" recall@5 >= 0.9 , all_sources@10>0.8":     "recall@5>=0.9 all_sources@10>0.8",
		"worse<=2,broken=0,failures<10":             "worse<=2 broken==0 failures<10",
		"recall@1500t>=.5,gold:answered>=0,mrr<1e0": "recall@1500t>=0.5 gold:answered>=0 mrr<1",
	} {
		g, err := ParseGate(in)
		var got []string
		for _, c := range g {
			got = append(got, c.String())
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q gives %q, %v", in, got, err)
		}
	}
	for in, fault := range map[string]string{
		"":                     "empty condition",
		"recall@5>=0.9,":       "empty condition",
		"recall@5":             "is not NAME, then one of",
		"recall@5=>0.9":        "is not NAME, then one of",
		"recall@5>=":           "is not NAME, then one of",
		">=0.9":                "is not NAME, then one of",
		"recall@5>=0.9 worse":  "is not NAME, then one of",
		"recall@5>=high":       `"high" is no number`,
		"recall@5>=NaN":        `"NaN" is no number`,
		"recall@5>=+Inf":       "is no number",
		"recall>=0.9":          "needs a cut",
		"accuracy@5>=0.9":      "is not known",
		"worst<=2":             "there are the counts better, broken",
		"recall@5>=90":         "between 0 and 1",
		"recall@5>=0.9;worse":  "is no number",
		"recall@5>=0.9%":       "is no number",
		"gold:recall@5>=0.9":   "not measured of answers",
		"recall@5 > = 0.9":     "is not NAME",
		"recall@5>=0.9,,mrr>0": "empty condition",
	} {
		if g, err := ParseGate(in); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%q gives %v, error %v, want %q", in, g, err, fault)
		}
	}
}

func TestGate(t *testing.T) {
	r := Report{Metrics: map[string]Value{"recall@5": {Value: 0.1 + 0.2 + 0.6}, "mrr": {Value: 0.5}}, Failures: make([]Failure, 3)}
	with := r
	with.ComparedWith = &Comparison{Worse: make([]Change, 3), Better: make([]Change, 1), Broken: []string{"q"}}
	for _, c := range []struct {
		gate   string
		report Report
		passed bool
		reason string
	}{
		{"recall@5>=0.9", r, true, ""}, // 0.8999999999999999
		{"recall@5<=0.9,recall@5==0.9", r, true, ""},
		{"recall@5>0.9", r, false, "recall@5 is 0.9, and recall@5>0.9 was asked for"},
		{"mrr>=0.4,recall@5>=0.95", r, false, "recall@5 is 0.9, and recall@5>=0.95"},
		{"ndcg@10>=0.1", r, false, "ndcg@10 is absent: no question has judgements for it"},
		{"stale@5<=0", r, false, "stale@5 is absent"},
		{"failures<=3,problems<=0", r, true, ""},
		{"worse<=2", r, false, "worse is absent: there is no baseline to compare with"},
		{"worse<=2", with, false, "worse is 3, and worse<=2 was asked for"},
		{"worse<=3,better>=1,broken<2,fixed==0", with, true, ""},
	} {
		g, err := ParseGate(c.gate)
		if err != nil {
			t.Fatal(err)
		}
		got := g.Check(c.report)
		var reasons []string
		for _, check := range got.Checks {
			if check.Passed == (check.Reason != "") {
				t.Errorf("%s: %+v", c.gate, check)
			}
			reasons = append(reasons, check.Reason)
		}
		if got.Passed != c.passed || !strings.Contains(strings.Join(reasons, " "), c.reason) {
			t.Errorf("%s gives %v %q, want %v %q", c.gate, got.Passed, reasons, c.passed, c.reason)
		}
	}
	g, _ := ParseGate("recall@5>=0.9,worse<=2,recall@5<=1,mrr>=0")
	if names := g.Metrics(); !slices.Equal(names, []string{"recall@5", "mrr"}) || !g.Compares() {
		t.Errorf("looks at %v", names)
	}
	if g, _ := ParseGate("failures<=0"); g.Compares() {
		t.Error("failures need no baseline")
	}
}

func TestBetterAndWorse(t *testing.T) {
	result := func(id string, metrics map[string]float64, rank int) Result {
		return Result{ID: id, Question: "what about " + id, Metrics: metrics, Ranks: []UnitRank{{Unit{Document: id}, rank}}}
	}
	m := func(recall, mrr, stale float64) map[string]float64 {
		return map[string]float64{"recall@5": recall, "mrr": mrr, "stale@5": stale}
	}
	before := Report{ByQuestion: []Result{result("lost", m(1, 1, 0), 1), result("found", m(0, 0, 0), 0), result("moved", m(1, 1, 0), 1),
		result("stale", m(1, 1, 0), 1), result("both", m(0, 0, 0), 9), result("same", m(1, 1, 0), 1)}}
	after := Report{ByQuestion: []Result{result("lost", m(0, 0.1, 0), 10), result("found", m(1, 0.5, 0), 2), result("moved", m(1, 0.5, 0), 2),
		result("stale", m(1, 1, 1), 1), result("both", m(1, 1, 1), 1), result("same", m(1, 1, 0), 1)}}
	c := Compare(before, after, 0)
	ids := func(list []Change) string {
		var ids []string
		for _, c := range list {
			ids = append(ids, c.ID)
		}
		return strings.Join(ids, " ")
	}
	if ids(c.Worse) != "both lost stale" || ids(c.Better) != "found" {
		t.Errorf("worse %q, better %q", ids(c.Worse), ids(c.Better))
	}
	lost := c.Worse[1]
	if lost.Question != "what about lost" || lost.Metrics["recall@5"] != [2]float64{1, 0} || len(lost.Ranks) != 1 || lost.Ranks[0].Before != 1 || lost.Ranks[0].After != 10 {
		t.Errorf("%+v", lost)
	}
}
