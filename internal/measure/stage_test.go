package measure

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
)

// counted are flows that find, cite and lose what a test says, and count their runs.
type counted struct {
	Flows
	asked, searched, diagnosed int
	found                      map[string]bool // documents, each the answer to the question of its name
}

func (c *counted) Search(ctx context.Context, question string, scope document.Scope) (quarry.Result, error) {
	asked, err := c.Ask(ctx, question, scope)
	c.asked--
	c.searched++
	return quarry.Result{Question: question, Candidates: asked.Candidates, Trace: asked.Trace}, err
}

func (c *counted) Ask(_ context.Context, question string, _ document.Scope) (quarry.Asked, error) {
	c.asked++
	asked := quarry.Asked{Question: question, Trace: &quarry.Trace{}}
	asked.Answer.Status = "insufficient"
	if c.found[question] {
		var hit quarry.Candidate
		hit.ID, hit.Document = document.PassageID(question), document.ID{Source: "s", Path: question}
		hit.Keyword.Place, hit.Fused, hit.Rank = 1, 1, 1
		asked.Candidates = []quarry.Candidate{hit}
		asked.Evidence = []quarry.Piece{{Candidate: hit}}
		asked.Answer.Status = "answered"
		asked.Answer.Citations = slices.Grow(asked.Answer.Citations, 1)[:1]
		asked.Answer.Citations[0].Document, asked.Answer.Citations[0].N = hit.Document, 1
	}
	asked.Trace.Records = slices.Grow(asked.Trace.Records, 1)[:1]
	asked.Trace.Records[0].Stage, asked.Trace.Records[0].In = "keyword", 1
	return asked, nil
}

func (c *counted) LostAt(_ context.Context, asked quarry.Asked, _ document.Scope, e quarry.Expected) (string, error) {
	c.diagnosed++
	if asked.Question != e.Document {
		return "", fmt.Errorf("%q is diagnosed with the run of %q", e.Document, asked.Question)
	}
	return "keyword", nil
}

// TestOneRun: measuring a question runs the flow once, whatever is measured, and a
// diagnosis is made of failed questions alone.
func TestOneRun(t *testing.T) {
	const questions, failing = 300, 40
	flows := &counted{found: map[string]bool{}}
	var set evaluate.Set
	for i := range questions {
		name := fmt.Sprintf("%03d.md", i)
		flows.found[name] = i >= failing
		set.Questions = append(set.Questions, evaluate.Question{ID: name, Text: name, Sources: []evaluate.Source{{Document: name, Grade: 1}}})
	}
	tested := New(flows, document.Scope{}).Reader(nil)
	report, err := evaluate.Run(t.Context(), set, tested, evaluate.Options{Asker: tested, Stager: tested})
	if err != nil {
		t.Fatal(err)
	}
	if flows.asked != questions || flows.searched != 0 || flows.diagnosed != failing {
		t.Errorf("%d questions, %d of them failed, took %d answers, %d searches and %d diagnoses", questions, failing, flows.asked, flows.searched, flows.diagnosed)
	}
	if len(report.Problems) != 0 || len(report.Failures) != failing {
		t.Errorf("%d failures, problems %v", len(report.Failures), report.Problems)
	}
	for _, row := range report.ByStage {
		switch want := float64(questions-failing) / questions; {
		case row.Recall == nil:
			t.Errorf("%s has no recall", row.Stage)
		case row.Recall.Value != want:
			t.Errorf("recall after %s is %v, not %v", row.Stage, row.Recall.Value, want)
		}
		if want := map[bool]int{true: failing}[row.Stage == "keyword"]; row.Lost != want {
			t.Errorf("%d lost at %s, not %d", row.Lost, row.Stage, want)
		}
	}

	// Where only the search is measured, failed questions alone are answered.
	*flows = counted{found: flows.found}
	tested = New(flows, document.Scope{})
	if _, err = evaluate.Run(t.Context(), set, tested, evaluate.Options{Stager: tested}); err != nil {
		t.Fatal(err)
	}
	if flows.searched != questions || flows.asked != failing || flows.diagnosed != failing {
		t.Errorf("without answers it took %d searches, %d answers and %d diagnoses", flows.searched, flows.asked, flows.diagnosed)
	}
}
