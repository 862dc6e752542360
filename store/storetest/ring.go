package storetest

import (
	"reflect"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// wantRings asserts which documents of source "docs" stand in rings.
func (b *bench) wantRings(want ...[]string) {
	b.Helper()
	got, err := b.store.Rings(b.ctx, "docs")
	b.ok(err, "Rings")
	if !reflect.DeepEqual(got, want) {
		b.Errorf("the rings are %v, want %v", got, want)
	}
}

func testRing(t *testing.T, f Factory) {
	sub(t, f, "of two documents that supersede each other neither ends the other", func(b *bench) {
		b.put(Make("v1", "first words", supersedes("v2")), Make("v2", "second words", supersedes("v1")))
		b.want(everyone, "words", "first words", "second words")
		b.wantRings([]string{"v1", "v2"})
	})
	sub(t, f, "whatever dates they state and whichever comes first", func(b *bench) {
		b.put(Make("v1", "first words", effective("2026-01-01", ""), supersedes("v2")))
		b.wantRings()
		b.put(Make("v2", "second words", effective("2026-03-01", ""), supersedes("v1")))
		b.wantOn("words", onDay{"2026-02-01", []string{"first words"}}, onDay{"2026-03-01", []string{"first words", "second words"}})
		b.wantRings([]string{"v1", "v2"})
	})
	sub(t, f, "nor of a longer ring, which still ends what it supersedes and is ended from without", func(b *bench) {
		b.put(Make("old", "old words"), Make("v1", "first words", supersedes("v3")), Make("v2", "second words", supersedes("v1", "old")))
		b.want(everyone, "words", "second words")
		b.put(Make("v3", "third words", supersedes("v2")))
		b.want(everyone, "words", "first words", "second words", "third words")
		b.put(Make("new", "new words", supersedes("v2")))
		b.want(everyone, "words", "first words", "third words", "new words")
		b.wantRings([]string{"v1", "v2", "v3"})
	})
	sub(t, f, "a ring that is broken ends what is still superseded", func(b *bench) {
		b.put(Make("v1", "first words", supersedes("v3")), Make("v2", "second words", supersedes("v1")), Make("v3", "third words", supersedes("v2")))
		b.want(everyone, "words", "first words", "second words", "third words")
		b.put(Make("v1", "other words"))
		b.want(everyone, "words", "third words")
		b.wantRings()
	})
	sub(t, f, "so does one that lost a document", func(b *bench) {
		b.put(Make("v1", "first words", supersedes("v3")), Make("v2", "second words", supersedes("v1")), Make("v3", "third words", supersedes("v2")))
		b.remove("v1")
		b.want(everyone, "words", "third words")
	})
	sub(t, f, "a draft makes no ring", func(b *bench) {
		b.put(Make("v1", "first words", supersedes("v2"), status(document.Draft)), Make("v2", "second words", supersedes("v1")))
		b.want(everyone, "words", "second words")
		b.wantRings()
	})
	sub(t, f, "nor do documents of different tenants or sources", func(b *bench) {
		b.apply(store.Change{Source: &document.Source{Name: "web", Kind: "folder", Root: "/web"}})
		b.put(Make("v1", "first words", supersedes("v2")), Make("v2", "other words", supersedes("v1"), tenant("other")),
			Make("v1", "web words", supersedes("v2"), source("web")), Make("v2", "second words", supersedes("v1"), source("web"), tenant("other")))
		b.want(everyone, "words", "first words", "web words")
		b.wantRings()
	})
	sub(t, f, "a ring opens nothing to those whom its documents do not admit", func(b *bench) {
		b.put(Make("v1", "first words", supersedes("v2"), readers("user:ann")), Make("v2", "second words", supersedes("v1")))
		b.want(everyone, "words", "second words")
		b.want(document.Scope{Principals: []string{"user:ann"}}, "words", "first words", "second words")
	})
	sub(t, f, "a ring is durable", func(b *bench) {
		b.put(Make("v1", "first words", supersedes("v2")), Make("v2", "second words", supersedes("v1")))
		b.reopen()
		b.want(everyone, "words", "first words", "second words")
		b.wantRings([]string{"v1", "v2"})
		b.put(Make("v2", "third words"))
		b.want(everyone, "words", "first words")
	})
}
