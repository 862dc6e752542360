package e2e

import (
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
)

// TestLanguages asks a corpus of ten languages, some mixed in one document, by words
// alone: testdata/languages/questions.txt says which document must come first.
func TestLanguages(t *testing.T) {
	corpus := openWords(t, quarry.Options{})
	if _, err := corpus.Sync(t.Context(), "docs", "testdata/languages/docs", quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	asked := 0
	for question, want := range expectations(t, "testdata/languages/questions.txt") {
		asked++
		found := search(t, corpus, question, document.Scope{})
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
