package evaluate

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// broken fails at everything but the search.
type broken struct{ lostAt bool }

var errBroken = errors.New("it is broken")

func (broken) Ask(context.Context, Query) (Answer, error) {
	return Answer{Status: StatusAnswered, Text: "no"}, nil
}
func (broken) AskFrom(context.Context, Query, []Unit) (Answer, error) { return Answer{}, errBroken }
func (broken) Has(context.Context, Query, string) (bool, error)       { return false, errBroken }
func (broken) Content(context.Context, Query, string) (Content, error) {
	return Content{}, document.ErrNotFound
}
func (broken) LostAt(context.Context, Query, Unit) (string, error) { return "", errBroken }
func (b broken) Stages(context.Context, Query, []string) ([]Stage, error) {
	if b.lostAt {
		return nil, nil
	}
	return nil, errBroken
}

// Whatever goes wrong with a question, its file and line are said.
func TestProblemsNameTheLine(t *testing.T) {
	set, _, err := Load(folder(t, "questions.jsonl", `
{"id":"q","question":"Q?","answer":"yes","sources":["a.md"],"passages":["a quote"],"spans":[[900,901]]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		system broken
		search error
		want   []string
	}{
		{broken{}, nil, []string{"cannot be read", "no revision in force holds", "token metrics leave the question out", "has no verdict", "answer from gold evidence failed", "its stages are not known"}},
		{broken{lostAt: true}, nil, []string{"the stage that lost it is not known"}},
	} {
		r, err := Run(t.Context(), set, searcherFunc(func(Query) ([]Hit, error) { return nil, c.search }),
			Options{Asker: c.system, Gold: c.system, Library: c.system, Stager: c.system, Judge: &fakeJudge{}})
		if err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, p := range r.Problems {
			all += p.String() + "\n"
			if p.File != "questions.jsonl" || p.Line != 2 || p.ID != "q" {
				t.Errorf("no line is named by %+v", p)
			}
		}
		for _, want := range c.want {
			if !strings.Contains(all, want) {
				t.Errorf("no problem %q among\n%s", want, all)
			}
		}
	}
}
