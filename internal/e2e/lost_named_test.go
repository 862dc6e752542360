package e2e

import (
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/measure"
)

// names checks that why and eval name a stage, and why says so much of it.
func (w *world) names(stage string, e expectation, says string) {
	w.Helper()
	scope := document.Scope{Principals: e.as}
	d, err := w.corpus.Why(w.Context(), e.question, scope, quarry.Expected{Document: e.document, Heading: e.heading, Quote: e.quote, Reader: e.reader})
	if err != nil {
		w.Fatal(err)
	}
	if string(d.LostAt) != stage {
		w.Errorf("why says that it was lost at %q, not %q:\n%s", d.LostAt, stage, told(d))
	}
	lost := 0
	for _, s := range d.Steps {
		if s.Outcome != "lost" {
			continue
		}
		lost++
		if string(s.Stage) != stage || !strings.Contains(s.Detail, says) {
			w.Errorf("%s lost it: %q, not %q", s.Stage, s.Detail, says)
		}
	}
	if want := min(1, len(stage)); lost != want || len(d.Steps) != 14 {
		w.Errorf("%d of %d stages lost it:\n%s", lost, len(d.Steps), told(d))
	}

	q := evaluate.Question{ID: "q", Text: e.question, Scope: scope, Sources: []evaluate.Source{{Document: e.document, Heading: e.heading, Grade: 1}}}
	if e.quote != "" {
		q.Passages = []string{e.quote}
	}
	tested := measure.New(w.corpus, document.Scope{}).Reader(e.reader)
	report, err := evaluate.Run(w.Context(), evaluate.Set{Questions: []evaluate.Question{q}}, tested,
		evaluate.Options{Asker: tested, Stager: tested, FailAt: 1})
	if err != nil {
		w.Fatal(err)
	}
	if len(report.Failures) != min(1, len(stage)) && stage != "" {
		w.Errorf("eval reports %d failures: %+v", len(report.Failures), report.Failures)
	}
	for _, f := range report.Failures {
		if f.LostAt != stage {
			w.Errorf("eval says that it was lost at %q, not %q: %s", f.LostAt, stage, f.Reason)
		}
	}
	for _, row := range report.ByStage {
		if want := map[bool]int{true: 1}[row.Stage == stage]; row.Lost != want {
			w.Errorf("eval counts %d lost at %s", row.Lost, row.Stage)
		}
	}
}

func told(d quarry.Diagnosis) string {
	var b strings.Builder
	for _, s := range d.Steps {
		fmt.Fprintf(&b, "%s: %s: %s\n", s.Stage, s.Outcome, s.Detail)
	}
	return b.String() + d.Suggestion
}
