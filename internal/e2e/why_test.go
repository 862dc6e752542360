package e2e

import (
	"testing"

	"github.com/seed-d3156d19/quarry"
)

// TestWhyHoldsTogether: of what the handbook's questions should find, every diagnosis
// has all stages once and in order, at most one loss, and why and eval agree.
func TestWhyHoldsTogether(t *testing.T) {
	corpus := open(t).by(t, "words")
	set := load(t, "../../examples/handbook")
	if _, err := corpus.Sync(t.Context(), "docs", set.Docs, quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	for i, q := range set.Questions {
		if i%12 != 0 {
			continue
		}
		var expected []quarry.Expected
		for _, s := range append(q.Sources, q.Stale...) {
			expected = append(expected, quarry.Expected{Document: s.Document}, quarry.Expected{Document: s.String()})
		}
		for _, p := range q.Passages {
			expected = append(expected, quarry.Expected{Quote: p})
		}
		asked, err := corpus.Ask(t.Context(), q.Text, q.Scope)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range expected {
			d, err := corpus.Why(t.Context(), q.Text, q.Scope, e)
			if err != nil {
				t.Errorf("%s %+v: %v", q.ID, e, err)
				continue
			}
			order, lost := "", 0
			for _, s := range d.Steps {
				order += string(s.Stage) + " "
				if s.Outcome == "lost" {
					lost++
				}
			}
			if order != "source extract chunk index scope route keyword vector identifier fuse rerank cut budget cite " || (lost == 1) != (d.LostAt != "") || lost > 1 || d.Suggestion == "" {
				t.Errorf("%s %+v: lost at %q:\n%s", q.ID, e, d.LostAt, told(d))
			}
			if stage, err := corpus.LostAt(t.Context(), asked, q.Scope, e); err != nil || stage != string(d.LostAt) {
				t.Errorf("%s %+v: eval says %q (%v), and why %q", q.ID, e, stage, err, d.LostAt)
			}
		}
	}
}
