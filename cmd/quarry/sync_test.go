package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestSync brings every source up to date, and holds back a removal that is no
// clean-up.
func TestSync(t *testing.T) {
	s := newSandbox(t)
	s.write("quarry.yaml", "embedding:\n  model: none\n")
	contains(t, s.want(1, "sync").err, "there is no store")
	for i := range 8 {
		s.write(fmt.Sprintf("rules/d%d.md", i), fmt.Sprintf("# Rule %d\n\nThe fee is %d EUR.\n", i, i))
	}
	s.write("notes/a.md", "# A\n\nThe lamp is red.\n")
	s.want(0, "add", "rules", "notes")

	s.write("notes/b.md", "# B\n\nThe lamp is green.\n")
	contains(t, s.want(0, "sync").out, "notes: 1 added", "rules: 0 added, 0 changed, 0 removed, 8 unchanged")

	for i := range 5 {
		if err := os.Remove(filepath.Join(s.dir, "rules", fmt.Sprintf("d%d.md", i))); err != nil {
			t.Fatal(err)
		}
	}
	held := s.want(4, "sync")
	contains(t, held.out, "rules: 0 added, 0 changed, 0 removed, 3 unchanged", "withheld d0.md: it is gone from the source and still indexed")
	contains(t, held.err, "5 of the 8 documents of rules are gone", "--confirm-removals")
	if report := s.object(4, "add", "rules"); len(report["withheld"].([]any)) != 5 || len(report["removed"].([]any)) != 0 {
		t.Errorf("the report is %v", report)
	}
	contains(t, s.want(0, "ask", "--docs", "rules", "What is the fee of rule 7?").out, "7 EUR") // in a store of its own
	contains(t, s.want(0, "add", "rules", "--confirm-removals").out, "5 removed, 3 unchanged")

	if err := os.Rename(filepath.Join(s.dir, "rules"), filepath.Join(s.dir, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	s.write("notes/a.md", "# A\n\nThe lamp is blue.\n")
	lost := s.want(1, "sync")
	contains(t, lost.out, "notes: 0 added, 1 changed")
	contains(t, lost.err, "quarry: rules: source ", "1 of 2 sources could not be synced")
}
