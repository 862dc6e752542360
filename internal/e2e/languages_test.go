package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/local"
)

// TestLanguages asks a corpus of ten languages, some mixed in one document, by words
// alone: testdata/languages/questions.txt says which document must come first.
func TestLanguages(t *testing.T) {
	s, err := local.Open(t.Context(), filepath.Join(t.TempDir(), "quarry.db"), local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	corpus, err := quarry.Open(quarry.Options{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := corpus.Sync(t.Context(), "docs", "testdata/languages/docs", quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	questions, err := os.ReadFile("testdata/languages/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for line := range strings.Lines(string(questions)) {
		question, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		asked++
		found, err := corpus.Search(t.Context(), question, document.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		first := "nothing"
		if len(found.Candidates) > 0 {
			first = found.Candidates[0].Document.Path
		}
		if first != want {
			t.Errorf("%q finds %s first, not %s; terms %q", question, first, want, found.Trace.Terms)
		}
	}
	if asked < 60 {
		t.Errorf("only %d questions were read", asked)
	}
}
