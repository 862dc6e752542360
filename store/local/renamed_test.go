package local

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// Documents with a past that are renamed again and again, while others come under the paths
// that they had, leave a sound file and an index that is what the record says.
func TestRenamedIsSound(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := open(t, path, Options{})
	now := time.Unix(1_700_000_000, 0)
	make := func(path, text string) store.Revision {
		now = now.Add(time.Hour)
		return storetest.Make(path, text, func(r *store.Revision) { r.Seen, r.Hash = now, fmt.Sprintf("%x", text) })
	}
	apply := func(c store.Change) {
		t.Helper()
		c.Source = &document.Source{Name: "docs"}
		if commit, err := s.Apply(ctx, c); err != nil || !commit.Changed {
			t.Fatalf("%+v, %v", commit, err)
		}
	}
	id := func(path string) document.ID { return document.ID{Source: "docs", Path: path} }
	const first, second = "# Lamp\nthe lamp is red\nit hangs", "# Lamp\nthe lamp is green\nit hangs"
	apply(store.Change{Put: []store.Revision{make("0", first)}})
	apply(store.Change{Put: []store.Revision{make("0", second)}})
	for round := range 12 {
		from, to := fmt.Sprint(round), fmt.Sprint(round+1)
		apply(store.Change{Put: []store.Revision{make(to, second)}, Renamed: []store.Renamed{{From: id(from), To: id(to)}}})
		apply(store.Change{Put: []store.Revision{make(from, first)}})
		apply(store.Change{Put: []store.Revision{make(from, second)}})
		if round%4 == 3 {
			s.Close()
			s = open(t, path, Options{})
		}
		if err := s.Check(ctx); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	v, err := s.View(ctx, document.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	h, err := v.History(ctx, id("12"))
	if err != nil || len(h.Revisions) != 2 || len(h.Revisions[1].Metadata.Formerly) != 12 {
		t.Errorf("its history is %+v, %v", h, err)
	}
	for _, want := range []string{first, second} {
		if r, err := v.Revision(ctx, id("12"), fmt.Sprintf("%x", want)); err != nil || r.Text != want || len(r.Passages) != 2 {
			t.Errorf("%q is %q, %v", want, r.Text, err)
		}
	}
	if list, err := v.Documents(ctx); err != nil || len(list) != 13 {
		t.Errorf("%d documents, %v", len(list), err)
	}
}
