package storetest

import (
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

func testSynced(t *testing.T, f Factory) {
	at := time.Date(2026, 6, 15, 10, 30, 0, 5, time.UTC)
	note := store.Sync{Whole: at, At: at.Add(-time.Minute), Added: 1, Changed: 2, Renamed: 3, Removed: 4, Unchanged: 5, Failed: 6,
		Unreached: 7, Withheld: 8, Skipped: 9, Error: "the disk is gone"}
	sub(t, f, "Synced tells how the last syncs of a source went, and is no commit", func(b *bench) {
		b.apply(store.Change{Source: &document.Source{Name: "web", Kind: "folder", Root: "/web"}})
		before := b.view(everyone).Commit().Sequence
		b.ok(b.store.MarkSynced(b.ctx, "docs", store.Sync{Whole: at.Add(-time.Hour), Failed: 1}), "MarkSynced")
		b.ok(b.store.MarkSynced(b.ctx, "docs", note), "MarkSynced")
		b.is(b.store.MarkSynced(b.ctx, "none", note), store.ErrInvalid, "MarkSynced of a source that was not added")
		b.reopen()
		b.wantSynced(map[string]store.Sync{"docs": note})
		if after := b.view(everyone).Commit().Sequence; after != before {
			b.Errorf("the sequence went from %d to %d", before, after)
		}
		b.apply(store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/elsewhere"}})
		b.wantSynced(map[string]store.Sync{"docs": note}) // moved
		b.apply(store.Change{RemoveSource: "docs"})
		b.wantSynced(map[string]store.Sync{})
	})
	sub(t, f, "a source that was never compared whole says so", func(b *bench) {
		never := store.Sync{At: at, Error: "the server is down"}
		b.ok(b.store.MarkSynced(b.ctx, "docs", never), "MarkSynced")
		b.wantSynced(map[string]store.Sync{"docs": never})
	})
}

func (b *bench) wantSynced(want map[string]store.Sync) {
	b.Helper()
	got, err := b.store.Synced(b.ctx)
	b.ok(err, "Synced")
	for name, w := range want {
		if g := got[name]; !g.Whole.Equal(w.Whole) || !g.At.Equal(w.At) {
			b.Errorf("%s was synced at %v and %v, want %v and %v", name, g.Whole, g.At, w.Whole, w.At)
		} else if g.Whole, g.At, w.Whole, w.At = (time.Time{}), (time.Time{}), (time.Time{}), (time.Time{}); g != w {
			b.Errorf("of %s is noted %+v, want %+v", name, g, w)
		}
	}
	if len(got) != len(want) {
		b.Errorf("%d sources were synced, want %d", len(got), len(want))
	}
}
