package standard_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/standard"
)

func TestOpen(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	path := filepath.Join(dir, "quarry.db")
	if _, err := standard.OpenExisting(ctx, path, standard.Settings{}); !errors.Is(err, standard.ErrNoStore) {
		t.Fatalf("a store that is not there: %v", err)
	}
	_, err := standard.Open(ctx, "postgres://user:secret@host/db", standard.Settings{})
	if err == nil || !strings.Contains(err.Error(), "postgres") || strings.Contains(err.Error(), "secret") {
		t.Fatalf("a store of another kind: %v", err)
	}
	bad := standard.Settings{}
	bad.Quarry.Chunk.Max = 3
	if _, err := standard.Open(ctx, path, bad); err == nil || !strings.HasPrefix(err.Error(), "chunk.max is 3") {
		t.Fatalf("bad settings: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Fatalf("refused settings left %v behind", entries)
	}

	// An empty file is no store: it is read by nobody and made one by who writes.
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := standard.OpenExisting(ctx, path, standard.Settings{}); !errors.Is(err, standard.ErrNoStore) || !strings.Contains(err.Error(), "empty file and not a Quarry store") {
		t.Fatalf("an empty file: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Fatalf("it was made a store: %v, %v", info, err)
	}
	corpus, err := standard.Open(ctx, path, standard.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	docs := t.TempDir()
	if err := os.WriteFile(filepath.Join(docs, "fee.md"), []byte("# Fees\n\nThe handling fee is 5 % of the amount.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := corpus.Sync(ctx, "docs", docs, quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	if err := corpus.Close(); err != nil {
		t.Fatal(err)
	}

	if corpus, err = standard.OpenExisting(ctx, path, standard.Settings{}); err != nil {
		t.Fatal(err)
	}
	defer corpus.Close()
	asked, err := corpus.Ask(ctx, "What is the handling fee?", document.Scope{})
	if err != nil || asked.Answer.Status != "answered" {
		t.Fatalf("answer %+v, error %v", asked.Answer, err)
	}
}
