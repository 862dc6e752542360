package evaluate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

type searcherFunc func(Query) ([]Hit, error)

func (f searcherFunc) Search(_ context.Context, q Query) ([]Hit, error) { return f(q) }

type askerFunc func(Query) (Answer, error)

func (f askerFunc) Ask(_ context.Context, q Query) (Answer, error) { return f(q) }

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update rewrites it); got\n%s", name, got)
	}
}

// small is a set with a question of each kind, and lists and answers for it.
func small() (Set, searcherFunc, askerFunc) {
	set := Set{Name: "small", Problems: []Problem{{File: "questions.jsonl", Line: 9, Text: "is no JSON object"}}, Questions: []Question{
		{ID: "quote", Text: "fee?", Type: "lookup", Sources: sources("fees.md"), Passages: []string{"The fee is forty."}},
		{ID: "section", Text: "leave?", Type: "lookup", Sources: sources("leave.md#Sick leave", "leave.md#Pay"), HeldOut: true},
		{ID: "old", Text: "fee 2019?", Type: "as_of", Sources: sources("fees-2019.md"), Stale: sources("fees.md")},
		{ID: "none", Text: "moon?", Unanswerable: true},
		{ID: "who", Text: "my plan?", Type: TypeNeedsInfo},
		{ID: "broken", Text: "broken?", Type: "lookup", Sources: sources("x.md")},
	}}
	lists := map[string][]Hit{
		"fee?":      hitsOf("other.md=No.~300", "fees.md=In 2020: The fee is *forty*.~300"),
		"leave?":    hitsOf("leave.md#Leave/Sick leave~900", "x.md#Pay~900"),
		"fee 2019?": hitsOf("fees.md", "fees-2019.md"),
		"moon?":     hitsOf("moon.md"),
		"my plan?":  hitsOf("plan.md"),
	}
	answers := map[string]Answer{
		"fee?":      {Status: StatusAnswered, Citations: []Citation{{Document: "fees.md", Quote: "The fee is forty."}}},
		"leave?":    {Status: StatusInsufficient},
		"fee 2019?": {Status: StatusAnswered, Citations: []Citation{{Document: "fees.md"}, {Document: "fees-2019.md"}}},
		"moon?":     {Status: StatusAnswered},
		"my plan?":  {Status: StatusNeedsInformation},
	}
	search := func(q Query) ([]Hit, error) {
		if l, ok := lists[q.Text]; ok {
			return l, nil
		}
		return nil, errors.New("index is closed")
	}
	ask := func(q Query) (Answer, error) {
		if a, ok := answers[q.Text]; ok {
			return a, nil
		}
		return Answer{}, errors.New("no model")
	}
	return set, search, ask
}

func TestReport(t *testing.T) {
	set, search, ask := small()
	o := Options{Asker: ask, Metrics: []string{"recall@5", "all_sources@10", "mrr", "ndcg@10", "doc:recall@1", "recall@1500t", "stale@5",
		"token_iou@5", "abstention_precision", "abstention_recall", "answered_unanswerable", "class_accuracy",
		"citation_precision", "citation_recall"}, Stager: lostIn("rerank")}
	r, err := Run(context.Background(), set, search, o)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Run(context.Background(), set, search, o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := json.MarshalIndent(again, "", " "); !bytes.Equal(b, c) {
		t.Error("two runs with one seed differ")
	}
	golden(t, "report.json", append(b, '\n'))

	better := func(q Query) ([]Hit, error) {
		return hitsOf("leave.md#Sick leave", "leave.md#Pay", "x.md", "fees-2019.md"), nil
	}
	r2, err := Run(context.Background(), set, searcherFunc(better), Options{Metrics: o.Metrics})
	if err != nil {
		t.Fatal(err)
	}
	c := Compare(r, r2, 0)
	r2.ComparedWith = &c
	var table bytes.Buffer
	if err := r.WriteTable(&table); err != nil {
		t.Fatal(err)
	}
	table.WriteString("\n--------\n\n")
	if err := r2.WriteTable(&table); err != nil {
		t.Fatal(err)
	}
	golden(t, "table.txt", table.Bytes())

	var back Report
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if c2 := Compare(back, r2, 0); fmt.Sprint(c2) != fmt.Sprint(c) {
		t.Errorf("a report read from JSON compares differently:\n%+v\n%+v", c2, c)
	}
}

func TestIntervalsDoNotDependOnTheOtherMetrics(t *testing.T) {
	set, search, _ := small()
	all, _ := Run(context.Background(), set, search, Options{Seed: 3})
	one, _ := Run(context.Background(), set, search, Options{Seed: 3, Metrics: []string{"mrr", "mrr"}})
	if len(one.Metrics) != 1 || one.Metrics["mrr"] != all.Metrics["mrr"] {
		t.Errorf("%+v, alone %+v", all.Metrics["mrr"], one.Metrics)
	}
}

func TestChoiceOfQuestions(t *testing.T) {
	set, search, _ := small()
	for only, want := range map[string][]string{
		"": {"quote", "section", "old", "none", "who", "broken"}, All: {"quote", "section", "old", "none", "who", "broken"},
		Tuning: {"quote", "old", "none", "who", "broken"}, HeldOut: {"section"},
	} {
		r, err := Run(context.Background(), set, search, Options{Only: only})
		var ids []string
		for _, q := range r.ByQuestion {
			ids = append(ids, q.ID)
		}
		if err != nil || !slices.Equal(ids, want) || r.Questions != len(want) {
			t.Errorf("only %q: %v, %v", only, ids, err)
		}
	}
}

func TestRunsThatFail(t *testing.T) {
	set, search, _ := small()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	closed := searcherFunc(func(Query) ([]Hit, error) { return nil, errors.New("closed") })
	for _, c := range []struct {
		fault string
		ctx   context.Context
		set   Set
		s     Searcher
		o     Options
	}{
		{"is not known", context.Background(), set, search, Options{Metrics: []string{"accuracy@5"}}},
		{"choose all, tuning or held-out", context.Background(), set, search, Options{Only: "some"}},
		{"no question that is held-out", context.Background(), Set{Name: "x", Questions: set.Questions[:1]}, search, Options{Only: HeldOut}},
		{"has no question", context.Background(), Set{}, search, Options{}},
		{"stopped at question 1 of 6", ended, set, search, Options{}},
		{"every search failed: closed", context.Background(), set, closed, Options{}},
	} {
		if _, err := Run(c.ctx, c.set, c.s, c.o); err == nil || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("error is %v, want %q", err, c.fault)
		}
	}
}

func TestScopeReachesTheSearcher(t *testing.T) {
	dir := folder(t, "docs/a.md", "0é234 678", "questions.jsonl",
		`{"id":"q","question":"x","sources":["a.md"],"spans":[[1,5]],"as_of":"2020-01-02","tenant":"t","as":["u"]}`)
	set, _, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var seen Query
	r, err := Run(context.Background(), set, searcherFunc(func(q Query) ([]Hit, error) {
		seen = q
		h := Hit{Document: "a.md", Text: "0é234"}
		h.Span.To = len(h.Text)
		return []Hit{h}, nil
	}), Options{})
	if err != nil || seen.Text != "x" || seen.Scope.Tenant != "t" || seen.Scope.AsOf.String() != "2020-01-02" || seen.Scope.Principals[0] != "u" {
		t.Errorf("asked %+v, %v", seen, err)
	}
	// The text of a span is a quote where the question gives none.
	if got := r.ByQuestion[0].Ranks; len(got) != 1 || got[0].Quote != "é234" || len(r.Problems) > 0 {
		t.Errorf("units are %+v, problems %v", got, r.Problems)
	}
}

// TestScale: 300 questions with lists of 1,000 hits over 5,183 documents take
// seconds at most, bootstrap and comparison included.
func TestScale(t *testing.T) {
	var set Set
	for i := range 300 {
		q := Question{ID: fmt.Sprint(i), Text: fmt.Sprint(i)}
		for j := range 1 + i%5 {
			q.Sources = append(q.Sources, Source{Document: fmt.Sprint((i*17 + j) % 5183), Grade: 1 + j%3})
		}
		set.Questions = append(set.Questions, q)
	}
	text := strings.Repeat("the quick brown fox jumps over the lazy dog ", 30)
	search := searcherFunc(func(q Query) ([]Hit, error) {
		var hits []Hit
		for i := range 1000 {
			hits = append(hits, Hit{Document: fmt.Sprint((len(q.Text)*31 + i*7) % 5183), Heading: []string{"One", "Two"}, Text: text, Tokens: 270})
		}
		return hits, nil
	})
	start := time.Now()
	r, err := Run(context.Background(), set, search, Options{})
	if err != nil {
		t.Fatal(err)
	}
	Compare(r, r, 0)
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	} else {
		t.Logf("took %v", took)
	}
}

// lostIn is a Stager that blames one stage and knows no lists.
type lostIn string

func (l lostIn) Stages(context.Context, Query, []string) ([]Stage, error) { return nil, nil }
func (l lostIn) LostAt(context.Context, Query, Unit) (string, error)      { return string(l), nil }
