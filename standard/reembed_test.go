package standard

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/config"
)

// From the model in the binary to one in a folder.
func TestReembedToFolder(t *testing.T) {
	folder := bertFolder(t)("BertModel")
	path, from := filepath.Join(t.TempDir(), "q.db"), docs(t)
	with := func(s Settings) *Corpus {
		t.Helper()
		corpus, err := Open(t.Context(), path, s)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { corpus.Close() })
		return corpus
	}
	former := with(Settings{})
	if _, err := former.Sync(t.Context(), "docs", from, quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	next := with(Settings{Embedding: config.Folder, EmbeddingFolder: folder})
	const question = "What does the railway do?"
	if _, err := next.Search(t.Context(), question, document.Scope{}); !errors.Is(err, quarry.ErrModel) {
		t.Errorf("before: %v", err)
	}
	done, err := next.Reembed(t.Context(), quarry.ReembedOptions{})
	if err != nil || done.Vectors != 2 {
		t.Fatalf("%+v, %v", done, err)
	}
	r, err := next.Search(t.Context(), question, document.Scope{})
	if err != nil || len(r.Candidates) != 2 || math.IsNaN(r.Candidates[0].Vector.Score) || math.IsNaN(r.Candidates[1].Vector.Score) {
		t.Errorf("after: %+v, %v", r.Candidates, err)
	}
	if _, err := former.Search(t.Context(), question, document.Scope{}); !errors.Is(err, quarry.ErrModel) {
		t.Errorf("with the former model: %v", err)
	}
}
