package storetest

import (
	"fmt"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// testRenamed: a document that is found under another path is the same text as before,
// and one commit makes one of the other.
func testRenamed(t *testing.T, f Factory) {
	named := func(hash string) func(*store.Revision) { return func(r *store.Revision) { r.Hash = hash } }
	renamed := func(from, to string) []store.Renamed { return []store.Renamed{{From: docID(from), To: docID(to)}} }
	former := func(b *bench, path string) string {
		h, err := b.view(everyone).History(b.ctx, docID(path))
		b.ok(err, "History")
		return fmt.Sprint(h.Revisions[len(h.Revisions)-1].Metadata.Formerly)
	}
	sub(t, f, "it is in force since it was first seen, and its old path is gone", func(b *bench) {
		b.on("2026-05-01").put(Make("a", "the lamp is red", named("h")))
		b.ok(b.store.PutVectors(b.ctx, model, b.vectorsOf(Make("a", "the lamp is red"))), "PutVectors")
		next := Make("b", "the lamp is red", named("h"), Meta(func(m *document.Metadata) { m.Title = "a" })) // the title, and so the content key, stays
		next.Seen = b.on("2026-06-15").now
		change := store.Change{Put: []store.Revision{next}, Renamed: renamed("a", "b")}
		if c := b.apply(change); !c.Changed {
			b.Error("nothing changed")
		}
		b.wantListed(everyone, "b current")
		b.want(everyone, "lamp", "the lamp is red")
		b.want(document.Scope{AsOf: day("2026-05-20")}, "lamp", "the lamp is red")
		b.want(document.Scope{AsOf: day("2026-04-30")}, "lamp")
		if n, err := b.store.CountMissing(b.ctx, model); err != nil || n != 0 {
			b.Errorf("%d passages have lost their vectors, %v", n, err)
		}
		if got, want := former(b, "b"), fmt.Sprint([]document.Former{{Path: "a", Until: day("2026-06-15")}}); got != want {
			b.Errorf("it was formerly %s, want %s", got, want)
		}
		if c := b.apply(change); c.Changed {
			b.Error("the same change again changed something")
		}
		b.reopen()
		b.wantListed(everyone, "b current")
	})
	sub(t, f, "with its past, which another document at the old path has no part in", func(b *bench) {
		b.on("2026-05-01").put(Make("a", "# Lamp\nthe lamp is red", effective("2026-05-01", "2026-06-01")))
		b.on("2026-05-10").put(Make("a", "# Lamp\nthe lamp is green", named("h"), effective("2026-06-01", "")))
		next := Make("b", "# Lamp\nthe lamp is green", named("h"), effective("2026-06-01", ""))
		next.Seen = b.on("2026-06-15").now
		b.apply(store.Change{Put: []store.Revision{next}, Renamed: renamed("a", "b")})
		then := document.Scope{AsOf: day("2026-05-20")}
		b.want(then, "lamp", "the lamp is red")
		b.put(Make("a", "# Lamp\nthe lamp is red", effective("2026-05-01", "2026-06-01")))
		b.want(then, "lamp", "the lamp is red", "the lamp is red")
		v := b.view(then)
		hits, err := v.Keyword(b.ctx, question("red"), 10)
		b.ok(err, "Keyword")
		located, err := v.Passages(b.ctx, ids(hits))
		b.ok(err, "Passages")
		if len(located) != 2 || located[0].Document == located[1].Document {
			b.Errorf("the two are found as %+v", located)
		}
		h, err := v.History(b.ctx, docID("b"))
		b.ok(err, "History")
		if got, want := tell(h), "current [2026-05-01, 2026-06-01) current [2026-06-01, )"; got != want {
			b.Errorf("its history is %s, want %s", got, want)
		}
		b.apply(store.Change{Remove: []document.ID{docID("b")}})
		b.want(then, "lamp", "the lamp is red")
		if r, err := b.store.Remains(b.ctx, docID("b")); err != nil || r.Unowned+r.Terms+r.Texts > 0 {
			b.Errorf("removed, %+v is left of it, %v", r, err)
		}
	})
	sub(t, f, "and again, with all paths that it had, whatever is made of it then", func(b *bench) {
		b.on("2026-05-01").put(Make("a", "word", named("h")))
		for i, path := range []string{"b", "c"} {
			next := Make(path, "word", named("h"))
			next.Seen = b.on(fmt.Sprintf("2026-06-%02d", i+1)).now
			b.apply(store.Change{Put: []store.Revision{next}, Renamed: renamed(string('a'+rune(i)), path)})
		}
		want := fmt.Sprint([]document.Former{{Path: "a", Until: day("2026-06-01")}, {Path: "b", Until: day("2026-06-02")}})
		if got := former(b, "c"); got != want {
			b.Errorf("it was formerly %s, want %s", got, want)
		}
		b.put(Make("c", "word", named("h"), pipeline("p2")))
		if got := former(b, "c"); got != want {
			b.Errorf("indexed again it was formerly %s, want %s", got, want)
		}
		b.want(document.Scope{AsOf: day("2026-05-01")}, "word", "word")
	})
	sub(t, f, "another text, or a document with a past of its own, only takes its place", func(b *bench) {
		b.on("2026-05-01").put(Make("a", "one", named("h1")), Make("c", "two", named("h2")), Make("d", "older", named("h3")))
		other, known := Make("b", "one more", named("h4")), Make("d", "two", named("h2"))
		b.on("2026-06-01")
		other.Seen, known.Seen = b.now, b.now
		b.apply(store.Change{Put: []store.Revision{other, known}, Renamed: append(renamed("a", "b"), renamed("c", "d")...)})
		b.wantListed(everyone, "b current", "d current")
		b.want(document.Scope{AsOf: day("2026-05-20")}, "one two older", "older")
		if got := former(b, "b") + former(b, "d"); got != "[][]" {
			b.Errorf("they were formerly %s", got)
		}
	})
	sub(t, f, "what it has become must be put with it, in its source", func(b *bench) {
		b.put(Make("a", "word"))
		web := docID("b")
		web.Source = "web"
		for _, c := range []store.Change{
			{Renamed: renamed("a", "b")},
			{Put: []store.Revision{Make("b", "word")}, Renamed: append(renamed("a", "b"), renamed("c", "b")...)},
			{Put: []store.Revision{Make("b", "word")}, Renamed: renamed("a", "b"), Remove: []document.ID{docID("a")}},
			{Put: []store.Revision{Make("b", "word", source("web"))}, Renamed: []store.Renamed{{From: docID("a"), To: web}}},
		} {
			_, err := b.store.Apply(b.ctx, c)
			b.is(err, store.ErrInvalid, "Apply")
		}
		b.wantListed(everyone, "a current")
	})
}
