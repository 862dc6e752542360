package local

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// older unpacks a store that an older version wrote.
func older(t *testing.T, name string) string {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "quarry.db")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func paths(t *testing.T, s *Store) []string {
	t.Helper()
	v, err := s.View(context.Background(), document.Scope{AsOf: document.DayOf(time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC))})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	list, err := v.Documents(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range list {
		out = append(out, l.Document.Path)
	}
	return out
}

// A store of format 2 is read without a change, and brought to the newest by the
// first write: it keeps what it holds, and documents of a ring are in force again.
func TestFormat2(t *testing.T) {
	ctx := context.Background()
	path := older(t, "format2.db")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, path, Options{})
	if got := paths(t, s); !slices.Equal(got, []string{"new", "plain"}) {
		t.Errorf("read as it is, it holds %v", got)
	}
	if synced, err := s.Synced(ctx); err != nil || len(synced) != 0 {
		t.Errorf("it was synced at %v, %v", synced, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("reading changed it, %v", err)
	}

	s = open(t, path, Options{})
	paths(t, s) // with the index in memory
	now := time.Date(2026, 7, 1, 8, 0, 0, 0, time.UTC)
	if err := s.MarkSynced(ctx, "none", now); err == nil {
		t.Error("an unknown source was synced")
	}
	if err := s.MarkSynced(ctx, "docs", now); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Apply(ctx, store.Change{Put: []store.Revision{storetest.Make("more", "more words", func(r *store.Revision) { r.Seen = now })}}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := paths(t, s); !slices.Equal(got, []string{"more", "new", "plain", "v1", "v2"}) {
			t.Errorf("brought to the newest format, it holds %v", got)
		}
		if synced, err := s.Synced(ctx); err != nil || !synced["docs"].Equal(now) {
			t.Errorf("it was synced at %v, %v", synced, err)
		}
		if err := s.Check(ctx); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, path, Options{})
	}
}

// A store of format 3 has no checksums of rows: it is checked as far as it goes, and
// the first write seals all of it.
func TestFormat3(t *testing.T) {
	ctx := context.Background()
	path := older(t, "format3.db")
	s := open(t, path, Options{})
	if err := s.Check(ctx); err != nil {
		t.Errorf("read as it is: %v", err)
	}
	if got := paths(t, s); !slices.Equal(got, []string{"new", "plain"}) {
		t.Errorf("read as it is, it holds %v", got)
	}
	if err := s.MarkSynced(ctx, "docs", time.Date(2026, 7, 1, 8, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(ctx); err != nil {
		t.Errorf("brought to the newest format: %v", err)
	}
	s.Close()
	s = edited(t, path, "UPDATE revision SET title = 'other' WHERE title = 'plain'")
	damage, err := s.Inspect(ctx)
	if err != nil || len(damage) != 1 || damage[0].What != "document docs:plain" {
		t.Errorf("another title gives %v, %v", damage, err)
	}
}
