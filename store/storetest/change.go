package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

func testApply(t *testing.T, f Factory) {
	sub(t, f, "a change is visible once applied", func(b *bench) {
		b.want(everyone, "refund")
		if c := b.put(Make("a", "the refund policy")); !c.Changed {
			b.Error("a new document is no change")
		}
		b.want(everyone, "refund", "the refund policy")
	})
	sub(t, f, "a change is durable", func(b *bench) {
		c := b.put(Make("a", "the refund policy"))
		b.reopen()
		b.want(everyone, "refund", "the refund policy")
		if got := b.view(everyone).Commit().Sequence; got != c.Sequence {
			b.Errorf("the store is at commit %d after it was reopened, want %d", got, c.Sequence)
		}
	})
	sub(t, f, "applying the same change again changes nothing", func(b *bench) {
		change := store.Change{
			Source: &document.Source{Name: "web", Kind: "folder", Root: "/web"},
			Put:    []store.Revision{Make("a", "first"), Make("b", "# H\nsecond", source("web"))},
			Fail:   []store.Failure{{Document: docID("c"), Hash: "h", Pipeline: "p1", Reason: "empty", Seen: b.now}},
			Remove: []document.ID{docID("gone")},
		}
		first := b.apply(change)
		again := b.apply(change)
		if !first.Changed || again.Changed || again.Sequence != first.Sequence {
			b.Errorf("first %+v, again %+v", first, again)
		}
		b.want(everyone, "first second", "first", "second")
	})
	sub(t, f, "an empty change changes nothing", func(b *bench) {
		if c := b.apply(store.Change{}); c.Changed {
			b.Error("it did")
		}
	})
	sub(t, f, "the sequence grows with every change that changed something", func(b *bench) {
		last := b.view(everyone).Commit().Sequence
		for i, c := range []store.Commit{
			b.put(Make("a", "one")), b.put(Make("a", "two")), b.fail("b", "h1", document.Public()),
			b.remove("a"), b.apply(store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/moved"}}),
			b.apply(store.Change{RemoveSource: "docs"}),
		} {
			if c.Sequence <= last || !c.Changed {
				b.Errorf("change %d gives %+v after %d", i, c, last)
			}
			last = c.Sequence
		}
	})
	sub(t, f, "a new revision replaces the old text", func(b *bench) {
		b.put(Make("a", "the limit is foo\nunchanged words"))
		b.put(Make("a", "the limit is bar\nunchanged words"))
		b.want(everyone, "foo")
		b.want(everyone, "bar", "the limit is bar")
		b.want(everyone, "limit unchanged", "the limit is bar", "unchanged words")
	})
	sub(t, f, "same hash, other pipeline: the revision is replaced in place", func(b *bench) {
		b.on("2026-06-01").put(Make("a", "old pieces", func(r *store.Revision) { r.Hash = "h" }))
		c := b.on("2026-06-10").put(Make("a", "new pieces", pipeline("p2"), func(r *store.Revision) { r.Hash = "h" }))
		if !c.Changed {
			b.Error("nothing changed")
		}
		b.want(everyone, "pieces", "new pieces")
		b.want(document.Scope{AsOf: day("2026-06-05")}, "pieces", "new pieces") // it was seen when it was first seen
		b.wantStates("docs", store.State{Path: "a", Hash: "h", Pipeline: "p2"})
	})
	sub(t, f, "what a wrong clock saw years ahead is seen when it is put again", func(b *bench) {
		named := func(r *store.Revision) { r.Hash = "h" }
		b.on("2026-06-01").put(Make("a", "the old fee"))
		b.on("2036-06-01").put(Make("a", "the new fee", named), Make("b", "the other fee", named))
		b.on("2026-06-15").want(everyone, "fee", "the old fee") // as if it were still to come
		b.put(Make("a", "the new fee", named), Make("b", "the other fee", named))
		b.want(everyone, "fee", "the new fee", "the other fee")
		b.want(document.Scope{AsOf: day("2026-06-14")}, "fee", "the old fee")
		for _, seen := range []string{"2026-06-16", "2026-06-17"} { // a day is the most that clocks differ
			if c := b.on(seen).put(Make("a", "the new fee", named)); c.Changed {
				b.Errorf("on %s it was put once more", seen)
			}
		}
		b.want(document.Scope{AsOf: day("2026-06-15")}, "fee", "the new fee", "the other fee")
		b.put(Make("c", "word", seen("2036-06-01")))
		if c := b.put(Make("c", "word", seen("2036-06-01"))); c.Changed {
			b.Error("what is said to be seen ahead again changed something")
		}
	})
	sub(t, f, "a passage whose context alone changed is found by the new context only", func(b *bench) {
		titled := func(s string) func(*store.Revision) { return Meta(func(m *document.Metadata) { m.Title = s }) }
		b.put(Make("a", "same words", titled("alpha")))
		b.put(Make("a", "same words", titled("beta")))
		b.want(everyone, "alpha")
		b.want(everyone, "beta", "same words")
	})
	sub(t, f, "content that comes back is the newest revision again", func(b *bench) {
		b.on("2026-06-01").put(Make("a", "version one", seen("2026-06-01")))
		b.put(Make("a", "version two", seen("2026-06-05")))
		if c := b.put(Make("a", "version one", seen("2026-06-09"))); !c.Changed {
			b.Error("nothing changed")
		}
		b.on("2026-06-15")
		b.want(everyone, "version", "version one")
		b.want(document.Scope{AsOf: day("2026-06-06")}, "version", "version two")
	})
	sub(t, f, "States lists the latest state of every document of a source", func(b *bench) {
		b.apply(store.Change{Source: &document.Source{Name: "web", Kind: "folder", Root: "/web"}})
		b.put(Make("b/x", "one"), Make("a", "two", readers("user:ann")), Make("w", "three", source("web")))
		two := Make("a", "more", pipeline("p2"))
		b.put(two)
		b.fail("b/x", "broken", document.Access{})
		b.wantStates("docs", store.State{Path: "a", Hash: two.Hash, Pipeline: "p2"},
			store.State{Path: "b/x", Hash: "broken", Pipeline: "p1", Failed: true, Reason: "it holds no text"})
		b.wantStates("nowhere")
	})
	sub(t, f, "States says why a document failed, until it no longer does", func(b *bench) {
		b.fail("a", "h1", document.Public())
		b.wantStates("docs", store.State{Path: "a", Hash: "h1", Pipeline: "p1", Failed: true, Reason: "it holds no text"})
		b.apply(store.Change{Fail: []store.Failure{{Document: docID("a"), Hash: "h2", Pipeline: "p1", Reason: "it is encrypted", Seen: b.now}}})
		b.wantStates("docs", store.State{Path: "a", Hash: "h2", Pipeline: "p1", Failed: true, Reason: "it is encrypted"})
		good := Make("a", "words")
		b.put(good)
		b.wantStates("docs", store.State{Path: "a", Hash: good.Hash, Pipeline: "p1"})
	})
	sub(t, f, "Sources lists what was added, as it was last described", func(b *bench) {
		b.apply(store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/elsewhere"}})
		got, err := b.store.Sources(b.ctx)
		b.ok(err, "Sources")
		if want := []document.Source{{Name: "docs", Kind: "folder", Root: "/elsewhere"}}; !slices.Equal(got, want) {
			b.Errorf("%v, want %v", got, want)
		}
	})
	sub(t, f, "closed is ErrClosed", func(b *bench) {
		b.ok(b.store.Close(), "Close")
		_, err := b.store.View(b.ctx, everyone)
		b.is(err, store.ErrClosed, "View")
		_, err = b.store.Apply(b.ctx, store.Change{Put: []store.Revision{Make("a", "x")}})
		b.is(err, store.ErrClosed, "Apply")
		_, err = b.store.States(b.ctx, "docs")
		b.is(err, store.ErrClosed, "States")
		b.ok(b.store.Close(), "Close again")
	})
}

func (b *bench) wantStates(source string, want ...store.State) {
	b.Helper()
	got, err := b.store.States(b.ctx, source)
	b.ok(err, "States")
	for i := range got {
		if got[i].Seen.IsZero() {
			b.Errorf("%s was seen at no time", got[i].Path)
		}
		got[i].Seen = time.Time{}
		got[i].Revisions = 0 // see testForget
	}
	if !slices.Equal(got, want) {
		b.Errorf("states of %s are %+v, want %+v", source, got, want)
	}
}

func testInvalid(t *testing.T, f Factory) {
	breaks := func(edit func(*store.Revision)) store.Change {
		r := Make("a", "# One\nfirst words\n# Two\nsecond words")
		edit(&r)
		return store.Change{Put: []store.Revision{r}}
	}
	for sentence, change := range map[string]store.Change{
		"a span outside its text":           breaks(func(r *store.Revision) { r.Passages[0].Span.To = 1000 }),
		"a negative span":                   breaks(func(r *store.Revision) { r.Passages[0].Span.From = -1 }),
		"a text that is not its span's":     breaks(func(r *store.Revision) { r.Passages[0].Text = "other" }),
		"a section without a parent":        breaks(func(r *store.Revision) { r.Sections[2].Parent = -1 }),
		"a parent that comes later":         breaks(func(r *store.Revision) { r.Sections[1].Parent = 2 }),
		"a passage in no section":           breaks(func(r *store.Revision) { r.Passages[1].Section = 3 }),
		"no section for the document":       breaks(func(r *store.Revision) { r.Sections, r.Outline, r.Passages, r.Terms = nil, nil, nil, nil }),
		"an id that is not valid":           breaks(func(r *store.Revision) { r.Document.Path = "../a" }),
		"a passage id that is not hex":      breaks(func(r *store.Revision) { r.Passages[0].ID = "one" }),
		"a passage id that stands twice":    breaks(func(r *store.Revision) { r.Passages[1].ID = r.Passages[0].ID }),
		"a content key that is not hex":     breaks(func(r *store.Revision) { r.Passages[0].Key = "key" }),
		"terms of fewer passages":           breaks(func(r *store.Revision) { r.Terms = r.Terms[:1] }),
		"an outline of fewer sections":      breaks(func(r *store.Revision) { r.Outline = r.Outline[:1] }),
		"postings out of order":             breaks(func(r *store.Revision) { slices.Reverse(r.Terms[0].Postings) }),
		"a posting without a position":      breaks(func(r *store.Revision) { r.Terms[0].Postings[0].Positions = nil }),
		"an unknown field":                  breaks(func(r *store.Revision) { r.Terms[0].Postings[0].Field = store.Fields }),
		"an identifier of weight 0":         breaks(func(r *store.Revision) { r.Terms[0].Identifiers = []store.Identifier{{Value: "x"}} }),
		"a tenant with a name of 501 bytes": breaks(func(r *store.Revision) { r.Metadata.Tenant = strings.Repeat("t", document.MaxTenant+1) }),
		"a failure of such a tenant": {Fail: []store.Failure{{Document: docID("a"), Hash: "h", Pipeline: "p1", Reason: "it is encrypted",
			Tenant: strings.Repeat("t", document.MaxTenant+1), Access: document.Public()}}},
		"text that is not UTF-8":           breaks(func(r *store.Revision) { *r = Make("a", "broken \xff text") }),
		"a document named twice":           {Put: []store.Revision{Make("a", "x")}, Remove: []document.ID{docID("a")}},
		"a document of the removed source": {Put: []store.Revision{Make("a", "x")}, RemoveSource: "docs"},
		"a source that was not added":      {Put: []store.Revision{Make("a", "x", source("web"))}},
		"a passage of another document": breaks(func(r *store.Revision) {
			r.Passages[0].ID = Make("kept", "kept words").Passages[0].ID
		}),
	} {
		sub(t, f, sentence+" is ErrInvalid and leaves the old state", func(b *bench) {
			before := b.put(Make("kept", "kept words"))
			_, err := b.store.Apply(b.ctx, change)
			b.is(err, store.ErrInvalid, "Apply")
			b.want(everyone, "first second kept", "kept words")
			if got := b.view(everyone).Commit().Sequence; got != before.Sequence {
				b.Errorf("commit %d, want %d", got, before.Sequence)
			}
		})
	}
	sub(t, f, "a tenant with a name of 500 bytes is one", func(b *bench) {
		long := strings.Repeat("t", document.MaxTenant)
		b.put(Make("a", "long words", Meta(func(m *document.Metadata) { m.Tenant = long })))
		b.want(document.Scope{Tenant: long}, "words", "long words")
		b.want(everyone, "words")
	})
	sub(t, f, "one invalid document leaves out the others of the change", func(b *bench) {
		_, err := b.store.Apply(b.ctx, store.Change{Put: []store.Revision{Make("a", "good"), Make("b", "bad", source("web"))}})
		b.is(err, store.ErrInvalid, "Apply")
		b.want(everyone, "good bad")
	})
}

func testRemove(t *testing.T, f Factory) {
	sub(t, f, "a removed document is not found", func(b *bench) {
		b.put(Make("a", "one word"), Make("b", "other word"))
		if c := b.remove("a"); !c.Changed {
			b.Error("nothing changed")
		}
		b.want(everyone, "word", "other word")
		_, err := b.view(everyone).Document(b.ctx, docID("a"), false)
		b.is(err, document.ErrNotFound, "Document")
		b.wantStates("docs", store.State{Path: "b", Hash: Make("b", "other word").Hash, Pipeline: "p1"})
	})
	sub(t, f, "removing again changes nothing", func(b *bench) {
		b.put(Make("a", "one word"))
		b.remove("a")
		if c := b.remove("a"); c.Changed {
			b.Error("it did")
		}
	})
	sub(t, f, "past revisions go as well", func(b *bench) {
		b.put(Make("a", "old words", seen("2026-06-01")))
		b.put(Make("a", "new words", seen("2026-06-10")))
		b.remove("a")
		b.want(document.Scope{AsOf: day("2026-06-05")}, "words")
	})
	sub(t, f, "a document added again with new text answers with it alone", func(b *bench) {
		b.put(Make("a", "old words", seen("2026-06-01")))
		b.remove("a")
		b.put(Make("a", "new words", seen("2026-06-10")))
		b.want(everyone, "words", "new words")
		b.want(document.Scope{AsOf: day("2026-06-05")}, "words")
	})
	sub(t, f, "adding and removing again and again multiplies nothing", func(b *bench) {
		for range 20 {
			b.put(Make("a", "# H\nthe words\nmore"))
			b.want(everyone, "words", "the words")
			b.remove("a")
			b.want(everyone, "words")
		}
		b.put(Make("a", "# H\nthe words\nmore"))
		counts, err := b.view(everyone).Counts(b.ctx)
		b.ok(err, "Counts")
		if got := fmt.Sprintf("%d %d %d", counts.Documents, counts.Sections, counts.Passages); got != "1 1 2" {
			b.Errorf("documents, sections, passages: %s, want 1 1 2", got)
		}
	})
	sub(t, f, "removing a source removes all its documents and no other", func(b *bench) {
		b.apply(store.Change{Source: &document.Source{Name: "web", Kind: "folder", Root: "/web"}})
		b.put(Make("a", "docs word"), Make("a", "web word", source("web")))
		if c := b.apply(store.Change{RemoveSource: "web"}); !c.Changed {
			b.Error("nothing changed")
		}
		b.want(everyone, "word", "docs word")
		got, err := b.store.Sources(b.ctx)
		b.ok(err, "Sources")
		if len(got) != 1 || got[0].Name != "docs" {
			b.Errorf("sources %v", got)
		}
		if c := b.apply(store.Change{RemoveSource: "web"}); c.Changed {
			b.Error("removing it again changes something")
		}
	})
}

func testFail(t *testing.T, f Factory) {
	sub(t, f, "a failed document keeps no revision in force", func(b *bench) {
		b.put(Make("a", "stale words", seen("2026-06-01")))
		b.fail("a", "broken", document.Public())
		b.want(everyone, "stale")
		_, err := b.view(everyone).Document(b.ctx, docID("a"), false)
		b.is(err, document.ErrNotFound, "Document")
		b.want(document.Scope{AsOf: day("2027-01-01")}, "stale")
	})
	sub(t, f, "days before it failed still see the old revision", func(b *bench) {
		b.put(Make("a", "stale words", seen("2026-06-01")))
		b.fail("a", "broken", document.Public())
		b.want(document.Scope{AsOf: day("2026-06-14")}, "stale", "stale words")
	})
	sub(t, f, "a failure is listed with its reason, for those who may see it", func(b *bench) {
		b.fail("a", "h", document.Public())
		b.fail("b", "h", document.Access{Readers: []string{"user:ann"}})
		b.fail("c", "h", document.Access{})
		b.wantListed(everyone, "a failed")
		b.wantListed(document.Scope{Principals: []string{"user:ann"}}, "a failed", "b failed")
		b.wantListed(document.Scope{Tenant: "other"})
		list, err := b.view(everyone).Documents(b.ctx)
		b.ok(err, "Documents")
		if list[0].Error != "it holds no text" || list[0].Revision != "h" {
			b.Errorf("listed as %+v", list[0])
		}
		counts, err := b.view(everyone).Counts(b.ctx)
		b.ok(err, "Counts")
		if counts.Failed != 1 || counts.Documents != 0 {
			b.Errorf("counts %+v", counts)
		}
	})
	sub(t, f, "the same failure again changes nothing, another pipeline or reason does", func(b *bench) {
		b.fail("a", "h", document.Public())
		if c := b.fail("a", "h", document.Public()); c.Changed {
			b.Error("the same failure changed something")
		}
		c := b.apply(store.Change{Fail: []store.Failure{{Document: docID("a"), Hash: "h", Pipeline: "p2", Reason: "r", Seen: b.now}}})
		if !c.Changed {
			b.Error("another pipeline changed nothing")
		}
		c = b.apply(store.Change{Fail: []store.Failure{{Document: docID("a"), Hash: "h", Pipeline: "p2", Reason: "another", Seen: b.now}}})
		if !c.Changed {
			b.Error("another reason changed nothing")
		}
		b.wantStates("docs", store.State{Path: "a", Hash: "h", Pipeline: "p2", Failed: true, Reason: "another"})
	})
	sub(t, f, "a good revision ends the failure, even the one that was there before", func(b *bench) {
		b.put(Make("a", "good words", seen("2026-06-01")))
		b.fail("a", "broken", document.Public())
		if c := b.put(Make("a", "good words")); !c.Changed {
			b.Error("nothing changed")
		}
		b.want(everyone, "good", "good words")
		b.wantListed(everyone, "a current")
	})
	sub(t, f, "a failed document can be removed", func(b *bench) {
		b.fail("a", "h", document.Public())
		b.remove("a")
		b.wantListed(everyone)
		b.wantStates("docs")
	})
}

// wantListed asserts "path status" of every document that a scope lists.
func (b *bench) wantListed(scope document.Scope, want ...string) {
	b.Helper()
	v := b.view(scope)
	defer v.Close()
	list, err := v.Documents(b.ctx)
	b.ok(err, "Documents")
	var got []string
	for _, l := range list {
		got = append(got, l.Document.Path+" "+l.Status)
	}
	if !slices.Equal(got, want) {
		b.Errorf("listed %q, want %q", got, want)
	}
}
