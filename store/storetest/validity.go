package storetest

import (
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// finds on the days given, in one line each.
type onDay struct {
	day  string
	want []string
}

func (b *bench) wantOn(words string, days ...onDay) {
	b.Helper()
	for _, d := range days {
		b.Run(d.day, func(t *testing.T) {
			c := *b
			c.T = t
			c.want(document.Scope{AsOf: day(d.day)}, words, d.want...)
		})
	}
}

func testValidity(t *testing.T, f Factory) {
	sub(t, f, "without dates a revision holds from when it was seen until the next was seen", func(b *bench) {
		b.put(Make("a", "first words", seen("2026-06-01")))
		b.put(Make("a", "second words", seen("2026-06-10")))
		b.wantOn("words", onDay{"2026-05-31", nil}, onDay{"2026-06-01", []string{"first words"}},
			onDay{"2026-06-09", []string{"first words"}}, onDay{"2026-06-10", []string{"second words"}},
			onDay{"2027-06-10", []string{"second words"}})
	})
	sub(t, f, "with dates it holds as they say, half-open", func(b *bench) {
		b.put(Make("a", "dated words", effective("2026-01-01", "2026-04-01")))
		b.wantOn("words", onDay{"2025-12-31", nil}, onDay{"2026-01-01", []string{"dated words"}},
			onDay{"2026-03-31", []string{"dated words"}}, onDay{"2026-04-01", nil})
		b.want(everyone, "words")
	})
	sub(t, f, "from alone leaves the end open, to alone the beginning", func(b *bench) {
		b.put(Make("a", "from words", effective("2026-01-01", "")), Make("b", "to words", effective("", "2026-02-01")))
		b.wantOn("words", onDay{"1999-01-01", []string{"to words"}}, onDay{"2026-01-15", []string{"from words", "to words"}},
			onDay{"2030-01-01", []string{"from words"}})
	})
	sub(t, f, "of revisions that hold on one day the latest seen is in force", func(b *bench) {
		b.put(Make("a", "long words", effective("2026-01-01", ""), seen("2026-06-01")))
		b.put(Make("a", "short words", effective("2026-06-01", "2026-07-01"), seen("2026-06-02")))
		b.wantOn("words", onDay{"2026-05-31", []string{"long words"}}, onDay{"2026-06-30", []string{"short words"}},
			onDay{"2026-07-01", []string{"long words"}})
	})
	sub(t, f, "a revision of the future is seen from its day on", func(b *bench) {
		b.put(Make("a", "old words", seen("2026-06-01")))
		b.put(Make("b", "coming words", effective("2026-06-16", "")))
		b.want(everyone, "words", "old words")
		b.on("2026-06-16").want(everyone, "words", "old words", "coming words")
	})
	sub(t, f, "a draft is seen only by a scope that asks for drafts", func(b *bench) {
		b.put(Make("a", "valid words", seen("2026-06-01")))
		b.put(Make("a", "draft words", status(document.Draft), seen("2026-06-02")))
		b.want(everyone, "words", "valid words")
		b.want(document.Scope{Drafts: true}, "words", "draft words")
		b.wantListed(everyone, "a current")
		b.wantListed(document.Scope{Drafts: true}, "a draft")
	})
	sub(t, f, "superseded is never in force today", func(b *bench) {
		b.put(Make("a", "open words", status(document.Superseded)),
			Make("b", "dated words", status(document.Superseded), effective("2026-01-01", "2027-01-01")))
		b.want(everyone, "words")
	})
	sub(t, f, "superseded is in force at a past date where its dates say both", func(b *bench) {
		b.put(Make("a", "open words", status(document.Superseded), seen("2026-01-01")),
			Make("b", "dated words", status(document.Superseded), effective("2026-01-01", "2027-01-01")))
		b.want(document.Scope{AsOf: day("2026-06-14")}, "words", "dated words")
		b.want(document.Scope{AsOf: day("2026-12-31")}, "words")
		b.want(document.Scope{AsOf: day("2025-12-31")}, "words")
	})
	sub(t, f, "access is asked of the revision in force, no older one stands in", func(b *bench) {
		b.put(Make("a", "open words", seen("2026-06-01")))
		b.put(Make("a", "closed words", readers("user:ann"), seen("2026-06-02")))
		b.want(everyone, "words")
		b.want(document.Scope{Principals: []string{"user:ann"}}, "words", "closed words")
		b.want(document.Scope{Principals: []string{"user:ann"}, AsOf: day("2026-06-01")}, "words", "open words")
	})
	sub(t, f, "closing a document closes its past", func(b *bench) {
		b.put(Make("a", "open words", seen("2026-06-01")))
		b.put(Make("a", "closed words", readers("user:ann"), seen("2026-06-02")))
		b.want(document.Scope{AsOf: day("2026-06-01")}, "words")
		b.put(Make("b", "other words", seen("2026-06-01")))
		b.put(Make("b", "drafted words", status(document.Draft), readers("user:ann"), seen("2026-06-02")))
		b.want(everyone, "words")
		b.want(document.Scope{Principals: []string{"user:ann"}}, "words", "closed words", "other words")
	})
	sub(t, f, "a view says which day it answers for", func(b *bench) {
		if got := b.view(everyone).Day(); got != day("2026-06-15") {
			b.Errorf("today is %s", got)
		}
		if got := b.view(document.Scope{AsOf: day("2020-02-29")}).Day(); got != day("2020-02-29") {
			b.Errorf("as of 2020-02-29 is %s", got)
		}
	})
	sub(t, f, "a clock a little behind the one that a document was seen by finds it", func(b *bench) {
		b.put(Make("a", "dated words", effective("2026-01-01", "")), Make("b", "coming words", effective("2026-06-17", "")))
		b.put(Make("c", "undated words", seen("2026-06-16")))
		b.want(everyone, "words", "dated words", "undated words")
		if got := b.view(everyone).Day(); got != day("2026-06-16") {
			b.Errorf("today is %s", got)
		}
		b.wantOn("words", onDay{"2026-06-15", []string{"dated words"}})
	})
	sub(t, f, "a clock that stands further back is believed", func(b *bench) {
		b.put(Make("a", "dated words", effective("2026-01-01", "")), Make("b", "coming words", effective("2026-06-17", "")))
		b.put(Make("c", "undated words", seen("2026-06-17")))
		b.want(everyone, "words", "dated words")
		b.on("2026-06-16").want(everyone, "words", "dated words", "coming words", "undated words")
	})
	sub(t, f, "today moves on without a commit", func(b *bench) {
		b.put(Make("a", "short words", effective("2026-06-15", "2026-06-16")))
		b.want(everyone, "words", "short words")
		b.on("2026-06-16").want(everyone, "words")
		b.on("2026-06-15").want(everyone, "words", "short words")
	})
}

func testSupersede(t *testing.T, f Factory) {
	sub(t, f, "a superseding document ends another on the day its own validity begins", func(b *bench) {
		b.put(Make("v1", "first words", effective("2026-01-01", "")))
		b.put(Make("v2", "second words", effective("2026-06-01", ""), supersedes("v1")))
		b.wantOn("words", onDay{"2026-05-31", []string{"first words"}}, onDay{"2026-06-01", []string{"second words"}})
		b.want(everyone, "words", "second words")
	})
	sub(t, f, "it does so whichever of the two comes first", func(b *bench) {
		b.put(Make("v2", "second words", effective("2026-06-01", ""), supersedes("v1")))
		b.put(Make("v1", "first words", effective("2026-01-01", "")))
		b.want(everyone, "words", "second words")
	})
	sub(t, f, "without dates it begins when it was seen", func(b *bench) {
		b.put(Make("v1", "first words", seen("2026-06-01")))
		b.put(Make("v2", "second words", supersedes("v1"), seen("2026-06-10")))
		b.wantOn("words", onDay{"2026-06-09", []string{"first words"}}, onDay{"2026-06-10", []string{"second words"}})
	})
	sub(t, f, "superseded gets its end from the document that supersedes it", func(b *bench) {
		b.put(Make("v1", "first words", status(document.Superseded), effective("2026-01-01", "")))
		b.put(Make("v2", "second words", effective("2026-06-01", ""), supersedes("v1")))
		b.wantOn("words", onDay{"2026-05-31", []string{"first words"}}, onDay{"2026-06-01", []string{"second words"}})
	})
	sub(t, f, "removing the superseding document brings the other back", func(b *bench) {
		b.put(Make("v1", "first words"), Make("v2", "second words", supersedes("v1")))
		b.want(everyone, "words", "second words")
		b.remove("v2")
		b.want(everyone, "words", "first words")
	})
	sub(t, f, "so does a new revision that no longer names it", func(b *bench) {
		b.put(Make("v1", "first words", seen("2026-06-01")))
		b.put(Make("v2", "second words", supersedes("v1"), seen("2026-06-02")))
		b.put(Make("v2", "third words", seen("2026-06-03")))
		b.want(everyone, "words", "first words", "third words")
	})
	sub(t, f, "a new revision that still names it moves nothing", func(b *bench) {
		b.put(Make("v1", "first words", seen("2026-06-01")))
		b.put(Make("v2", "second words", supersedes("v1"), seen("2026-06-05")))
		b.put(Make("v2", "third words", supersedes("v1"), seen("2026-06-10")))
		b.wantOn("words", onDay{"2026-06-04", []string{"first words"}}, onDay{"2026-06-07", []string{"second words"}},
			onDay{"2026-06-12", []string{"third words"}})
	})
	sub(t, f, "a draft supersedes nothing", func(b *bench) {
		b.put(Make("v1", "first words"), Make("v2", "second words", supersedes("v1"), status(document.Draft)))
		b.want(everyone, "words", "first words")
	})
	sub(t, f, "only documents of the same source and tenant are superseded", func(b *bench) {
		b.apply(store.Change{Source: &document.Source{Name: "web", Kind: "folder", Root: "/web"}})
		b.put(Make("v1", "first words"), Make("v2", "web words", supersedes("v1"), source("web")),
			Make("v3", "other words", supersedes("v1"), tenant("other")))
		b.want(everyone, "words", "first words", "web words")
	})
	sub(t, f, "a document does not supersede itself", func(b *bench) {
		b.put(Make("v1", "first words", supersedes("v1")))
		b.want(everyone, "words", "first words")
	})
	sub(t, f, "in a chain each ends the one before, also where the middle says superseded", func(b *bench) {
		b.put(Make("v3", "third words", effective("2026-05-01", ""), supersedes("v2")))
		b.put(Make("v1", "first words", effective("2026-01-01", "")))
		b.put(Make("v2", "second words", effective("2026-03-01", ""), supersedes("v1"), status(document.Superseded)))
		b.wantOn("words", onDay{"2026-02-01", []string{"first words"}}, onDay{"2026-04-01", []string{"second words"}},
			onDay{"2026-05-01", []string{"third words"}})
	})
	sub(t, f, "the end is durable and listed", func(b *bench) {
		b.put(Make("v1", "first words", seen("2026-06-01")), Make("v2", "second words", supersedes("v1"), effective("2026-07-01", "")))
		b.reopen()
		list, err := b.view(everyone).Documents(b.ctx)
		b.ok(err, "Documents")
		if want := (document.Interval{From: day("2026-06-01"), To: day("2026-07-01")}); len(list) != 1 || list[0].Valid != want {
			b.Errorf("listed %+v, want v1 valid %v", list, want)
		}
	})
}
