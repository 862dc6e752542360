package local

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/store"
)

// allWhole is all that a store gives of its documents, as text.
func allWhole(t *testing.T, s *Store) (text string, documents int) {
	t.Helper()
	ctx := context.Background()
	sources, err := s.Sources(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range sources {
		states, err := s.States(ctx, src.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, st := range states {
			if err := s.Whole(ctx, src.Name, []string{st.Path}, func(w store.Whole) error {
				documents++
				data, err := json.Marshal(w)
				text += string(data) + "\n"
				return err
			}); err != nil {
				t.Fatalf("%s: %v", st.Path, err)
			}
		}
	}
	return text, documents
}

// A store of an older format gives what it does once the first write has brought it to
// the newest.
func TestWholeOfOlderFormats(t *testing.T) {
	for _, name := range []string{"format2.db", "format3.db", "format3_scopes.db", "format4.db", "format5.db", "vectors3.db"} {
		s := open(t, older(t, name), Options{})
		before, documents := allWhole(t, s)
		if err := s.MarkSynced(context.Background(), "docs", store.Sync{Whole: time.Date(2026, 7, 1, 8, 0, 0, 0, time.UTC)}); err != nil {
			t.Fatal(err)
		}
		if after, _ := allWhole(t, s); after != before || documents == 0 {
			t.Errorf("%s gives of %d documents\n%.500s\nand then\n%.500s", name, documents, before, after)
		}
		t.Logf("%s: %d documents", name, documents)
	}
}
