package storetest

import (
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// testRemains: what is left of a document is counted, and after a removal it is nothing.
func testRemains(t *testing.T, f Factory) {
	counts := func(b *bench, path string) store.Remains {
		b.Helper()
		r, err := b.store.Remains(b.ctx, docID(path))
		b.ok(err, "Remains")
		if r.Unowned != 0 {
			b.Errorf("%d things belong to no document", r.Unowned)
		}
		r.Log = 0
		return r
	}
	fill := func(b *bench) {
		first, second := Make("a", "word one\nword two", readers("group:hr")), Make("a", "word one\nword three", readers("group:hr"))
		b.on("2026-06-01").put(first, Make("b", "word one"))
		b.on("2026-06-02").put(second)
		b.fail("a", "broken", document.Access{})
		b.ok(b.store.PutVectors(b.ctx, model, append(b.vectorsOf(first), b.vectorsOf(second)...)), "PutVectors")
		if got, want := counts(b, "a"), (store.Remains{Revisions: 2, Failures: 1, Texts: 2, Passages: 3, Terms: 3, Vectors: 3}); got.Terms < want.Terms ||
			got.Revisions != want.Revisions || got.Failures != want.Failures || got.Texts != want.Texts || got.Passages != want.Passages || got.Vectors != want.Vectors {
			b.Errorf("%+v are there, want %+v", got, want)
		}
	}
	for _, c := range []struct {
		sentence string
		change   store.Change
	}{
		{"of a document that was removed", store.Change{Remove: []document.ID{docID("a")}}},
		{"with its source", store.Change{RemoveSource: "docs"}},
	} {
		sub(t, f, "nothing is left "+c.sentence, func(b *bench) {
			fill(b)
			b.apply(c.change)
			if got := counts(b, "a"); got != (store.Remains{}) {
				b.Errorf("%+v is left", got)
			}
			b.reopen()
			if got := counts(b, "a"); got != (store.Remains{}) {
				b.Errorf("reopened, %+v is left", got)
			}
		})
	}
	sub(t, f, "there is nothing of a document that never was", func(b *bench) {
		fill(b)
		if got := counts(b, "nothing"); got != (store.Remains{}) {
			b.Errorf("%+v", got)
		}
	})
}
