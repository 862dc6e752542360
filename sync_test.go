package quarry_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/local"
)

// A folder that has become empty, as an unmounted disk does, removes nothing.
func TestEmptiedFolderRemovesNothing(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	file := filepath.Join(dir, "policy.md")
	if err := os.WriteFile(file, []byte("# Policy\n\nThe lamp is red.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := local.Open(ctx, filepath.Join(t.TempDir(), "q.db"), local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	corpus, err := quarry.Open(quarry.Options{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := corpus.Sync(ctx, "docs", dir, quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := corpus.Sync(ctx, "docs", dir, quarry.Progress{}); err == nil || !strings.Contains(err.Error(), "quarry remove docs") {
		t.Errorf("an emptied folder gives %v", err)
	}
	list, err := corpus.Documents(ctx, document.Scope{})
	if err != nil || len(list) != 1 {
		t.Errorf("%d documents are left, %v", len(list), err)
	}
}
