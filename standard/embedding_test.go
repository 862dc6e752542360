package standard

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/config"
)

// With the built-in model a passage is found by its meaning: no word of the
// question stands in it.
func TestBuiltInModelFindsParaphrases(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"leave.md":   "# Leave\n\nStaff may stay at home with pay when their child is ill.\n",
		"parking.md": "# Garage\n\nThe garage closes at ten in the evening.\n",
		"printer.md": "# Printer\n\nToner is kept in the cupboard on floor two.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := config.Defaults()
	s.Embedding = config.BuiltIn
	corpus, err := Open(t.Context(), filepath.Join(t.TempDir(), "q.db"), s)
	if err != nil {
		t.Fatal(err)
	}
	defer corpus.Close()
	report, err := corpus.Sync(t.Context(), "docs", dir, quarry.Progress{})
	if err != nil || report.Vectors != 3 {
		t.Fatalf("%d vectors, %v", report.Vectors, err)
	}
	result, err := corpus.Search(t.Context(), "My son has a fever, must I come to work?", document.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Candidates) == 0 || result.Candidates[0].Document.Path != "leave.md" {
		t.Errorf("found %+v", result.Candidates)
	}
	again, err := corpus.Sync(t.Context(), "docs", dir, quarry.Progress{})
	if err != nil || again.Vectors != 0 {
		t.Errorf("an unchanged folder was embedded again: %d vectors, %v", again.Vectors, err)
	}
}

func TestUnknownModelIsRefused(t *testing.T) {
	s := config.Defaults()
	s.Embedding = "gpt"
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "q.db"), s); err == nil {
		t.Error("an unknown model was accepted")
	}
}
