package evaluate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// fakeJudge gives the verdict of a question, and fails where it has none.
type fakeJudge struct {
	verdicts map[string]Verdict
	asked    []Case
}

func (j *fakeJudge) About() JudgedBy {
	return JudgedBy{Model: "fake-1", PromptVersion: "7", Prompt: "Judge."}
}

func (j *fakeJudge) Judge(_ context.Context, c Case) (Verdict, error) {
	j.asked = append(j.asked, c)
	v, ok := j.verdicts[c.Question]
	if !ok {
		return Verdict{Tokens: 5}, errors.New("no verdict")
	}
	return v, nil
}

// askAll answers every question with yes, but those that are called silent.
var askAll = askerFunc(func(q Query) (Answer, error) {
	if strings.HasPrefix(q.Text, "silent") {
		return Answer{Status: StatusInsufficient, Text: "yes"}, nil
	}
	return Answer{Status: StatusAnswered, Text: "yes [1]", Citations: []Citation{{N: 1, Document: "a"}}}, nil
})

func judgedRun(t *testing.T, j Judge, questions ...Question) Report {
	t.Helper()
	r, err := Run(t.Context(), Set{Questions: questions}, searcherFunc(func(Query) ([]Hit, error) { return hitsOf("a"), nil }), Options{
		Asker: askAll, Judge: j, Gold: goldFunc(func(Query, []Unit) (Answer, error) {
			return Answer{Status: StatusAnswered, Text: "gold yes [1]"}, nil
		})})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func asked(text, answer string) Question {
	return Question{ID: text, Text: text, Answers: []string{answer}, Sources: sources("a"), file: "questions.jsonl", line: 4}
}

// The verdict is a metric beside those that follow rules, which stay as they are. A question
// whose judge fails has none, and its line says so.
func TestJudgeIsAMetricOfItsOwn(t *testing.T) {
	j := &fakeJudge{verdicts: map[string]Verdict{
		"right":       {Correct: true, Reason: "It says so.", Tokens: 20},
		"wrong":       {Correct: false, Reason: "It does not.", Tokens: 30},
		"silent gold": {Correct: true},
	}}
	unanswerable := Question{ID: "none", Text: "none", Unanswerable: true}
	open := Question{ID: "open", Text: "open", Sources: sources("a")}
	r := judgedRun(t, j, asked("right", "something else"), asked("wrong", "yes"), asked("broken", "yes"), asked("silent gold", "yes"), unanswerable, open)

	for i, want := range []struct {
		judged, gold, correct float64 // -1: absent
	}{
		{1, 1, 0}, {0, 0, 1}, {-1, -1, 1}, {0, 1, 0}, {-1, -1, -1}, {-1, -1, -1},
	} {
		q := r.ByQuestion[i]
		for name, want := range map[string]float64{"answer_judged": want.judged, "gold:answer_judged": want.gold, "answer_correct": want.correct} {
			if v, ok := q.Metrics[name]; ok != (want >= 0) || ok && v != want {
				t.Errorf("%s: %s is %v (there: %v), want %v", q.ID, name, v, ok, want)
			}
		}
	}
	if v := r.ByQuestion[1].Verdict; v == nil || v.Correct || v.Reason != "It does not." || r.ByQuestion[3].Verdict != nil || r.ByQuestion[3].GoldVerdict == nil {
		t.Errorf("verdicts %+v", r.ByQuestion)
	}
	if r.Metrics["answer_judged"].N != 3 || r.Metrics["answer_correct"].N != 4 {
		t.Errorf("%+v and %+v", r.Metrics["answer_judged"], r.Metrics["answer_correct"])
	}
	// right and wrong twice, silent gold once; broken failed twice.
	if want := (JudgedBy{Model: "fake-1", PromptVersion: "7", Prompt: "Judge.", Answers: 5, Failed: 2, Tokens: 110}); r.Judge == nil || *r.Judge != want {
		t.Errorf("recorded %+v, want %+v", r.Judge, want)
	}
	if len(r.Problems) != 2 || r.Problems[0].String() != "questions.jsonl:4: broken: the answer has no verdict, as the judge fake-1 failed: no verdict" {
		t.Errorf("problems %v", r.Problems)
	}
	if want := (Case{Question: "right", Expected: []string{"something else"}, Given: "yes"}); j.asked[0].Question != want.Question || j.asked[0].Given != want.Given || !slices.Equal(j.asked[0].Expected, want.Expected) {
		t.Errorf("it was asked %+v, want %+v", j.asked[0], want)
	}
	for _, f := range r.Failures {
		if strings.Contains(f.Reason, "judge") {
			t.Errorf("a verdict decides a failure: %+v", f)
		}
	}
}

// A judge that is out of order is not asked again and again.
func TestJudgeIsGivenUp(t *testing.T) {
	j := &fakeJudge{verdicts: map[string]Verdict{"good": {Correct: true}}}
	// Each is judged twice, from its evidence and from gold evidence.
	r := judgedRun(t, j, asked("a", "yes"), asked("good", "yes"), asked("b", "yes"), asked("c", "yes"), asked("d", "yes"), asked("good", "yes"))
	if len(j.asked) != 7 || r.Judge.Answers != 2 || r.Judge.Failed != 10 {
		t.Errorf("asked %d times, recorded %+v", len(j.asked), r.Judge)
	}
	if last := r.Problems[len(r.Problems)-1].Text; last != "the judge fake-1 failed 3 times in a row and was asked no more: 10 answers without a verdict" {
		t.Errorf("problem %q", last)
	}
	if r.Metrics["answer_judged"].N != 1 || r.Metrics["answer_correct"].N != 6 {
		t.Errorf("the rest is measured otherwise: %+v", r.Metrics)
	}
}

// Figures of two judges, or of two prompts, are not compared.
func TestVerdictsOfTwoJudgesAreNotCompared(t *testing.T) {
	with := func(j *JudgedBy) Report {
		return Report{Judge: j, ByQuestion: []Result{{ID: "q", Metrics: map[string]float64{"answer_judged": 1, "gold:answer_judged": 1, "mrr": 1}}}}
	}
	one := with(&JudgedBy{Model: "a", PromptVersion: "1", Answers: 3})
	for _, c := range []struct {
		name string
		of   *JudgedBy
		want int
	}{
		{"the same", &JudgedBy{Model: "a", PromptVersion: "1", Answers: 9}, 3},
		{"another model", &JudgedBy{Model: "b", PromptVersion: "1"}, 1},
		{"another prompt", &JudgedBy{Model: "a", PromptVersion: "2"}, 1},
		{"unknown", nil, 1},
	} {
		if got := Compare(one, with(c.of), 0).Metrics; len(got) != c.want || got["mrr"].N != 1 {
			t.Errorf("%s: %v are compared", c.name, got)
		}
	}
}

func TestJudgeIsShown(t *testing.T) {
	r := judgedRun(t, &fakeJudge{verdicts: map[string]Verdict{"a": {Correct: true, Tokens: 9}}}, asked("a", "yes"))
	var table, markdown, page strings.Builder
	w := Written{Report: r}
	if r.WriteTable(&table) != nil || w.WriteMarkdown(&markdown) != nil || w.WriteHTML(&page) != nil {
		t.Fatal("not written")
	}
	for name, c := range map[string][2]string{
		"table":    {table.String(), "2 answers judged by fake-1, prompt version 7: 0 failed, 18 tokens"},
		"Markdown": {markdown.String(), "answer_judged is the word of fake-1, prompt version 7: 2 answers, 0 failed, 18 tokens."},
		"HTML":     {page.String(), "answer_judged is the word of fake-1, prompt version 7: 2 answers, 0 failed, 18 tokens."},
	} {
		if !strings.Contains(c[0], c[1]) {
			t.Errorf("the %s lacks %q:\n%s", name, c[1], c[0])
		}
	}
}
