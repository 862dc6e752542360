package storetest

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

func testView(t *testing.T, f Factory) {
	answers := func(b *bench, v store.View) []any {
		b.Helper()
		ctx := b.ctx
		var out []any
		keep := func(x any, err error) {
			b.Helper()
			b.ok(err, "asking the pinned view")
			out = append(out, x)
		}
		hits, err := v.Keyword(ctx, question("word id-1"), 10)
		keep(hits, err)
		found, err := v.Passages(ctx, ids(hits))
		keep(found, err)
		identifiers, err := v.Identifier(ctx, question("id-1"), 10)
		keep(identifiers, err)
		sections, err := v.Outline(ctx, question("h"), 10)
		keep(sections, err)
		vectors, err := v.Vector(ctx, model, unit(1, 1, 1), 10)
		keep(vectors, err)
		scores, err := v.ScoreKeyword(ctx, question("word"), ids(hits))
		keep(scores, err)
		list, err := v.Documents(ctx)
		keep(list, err)
		counts, err := v.Counts(ctx)
		keep(counts, err)
		statistics, err := v.Statistics(ctx, []string{"word"})
		keep(statistics, err)
		text, err := v.Document(ctx, docID("a"), true)
		keep(text, err)
		findings, err := v.Findings(ctx, docID("a"))
		keep(findings, err)
		named, err := v.Named(ctx, "a")
		keep(named, err)
		return append(out, v.Commit())
	}
	first := func(b *bench) {
		a := Make("a", "# H\nword one id-1\nword two", found(0, "a"))
		b.put(a, Make("b", "# H\nword of b"), Make("c", "word of c"))
		b.putVectors(model, b.vectorsOf(a)...)
	}
	commits := func(b *bench) {
		a := Make("a", "# H\nword three")
		b.put(a, Make("v2", "word new", supersedes("b")))
		b.putVectors(model, b.vectorsOf(a, Make("b", "# H\nword of b"))...)
		b.remove("c")
		b.fail("b", "broken", document.Public())
	}
	sub(t, f, "a view stays what it was while commits land", func(b *bench) {
		first(b)
		v := b.view(everyone)
		before := answers(b, v)
		commits(b)
		if after := answers(b, v); !reflect.DeepEqual(before, after) {
			b.Errorf("before %+v\nafter %+v", before, after)
		}
		b.want(everyone, "word", "word three", "word new")
	})
	sub(t, f, "also if it was asked nothing before", func(b *bench) {
		first(b)
		want := answers(b, b.view(everyone))
		v := b.view(everyone)
		commits(b)
		b.want(everyone, "word", "word three", "word new") // a newer view searches first
		if got := answers(b, v); !reflect.DeepEqual(got, want) {
			b.Errorf("got %+v\nwant %+v", got, want)
		}
	})
	sub(t, f, "also if nothing was ever searched before", func(b *bench) {
		first(b)
		v := b.view(everyone)
		commits(b)
		b.want(everyone, "word", "word three", "word new")
		b.wantIn(v, "word", "word one id-1", "word two", "word of b", "word of c")
	})
	sub(t, f, "a view opened after a change sees it, after each of many", func(b *bench) {
		for i := range 30 {
			name := string(rune('a' + i%7))
			b.put(Make(name, "word "+name+" "+hash(4, string(rune(i)))))
			list, err := b.view(everyone).Documents(b.ctx)
			b.ok(err, "Documents")
			if got := b.finds(b.view(everyone), "word"); len(got) != len(list) {
				b.Fatalf("%d documents and %d passages", len(list), len(got))
			}
		}
	})
	sub(t, f, "a closed view is ErrClosed, and closing again is nothing", func(b *bench) {
		b.put(Make("a", "word"))
		v := b.view(everyone)
		b.ok(v.Close(), "Close")
		b.ok(v.Close(), "Close again")
		_, err := v.Keyword(b.ctx, question("word"), 1)
		b.is(err, store.ErrClosed, "Keyword")
		_, err = v.Documents(b.ctx)
		b.is(err, store.ErrClosed, "Documents")
		_, err = v.Restrict(b.ctx, nil)
		b.is(err, store.ErrClosed, "Restrict")
	})
	sub(t, f, "a cancelled question ends with the context's error and harms no other", func(b *bench) {
		b.put(Make("a", "word"))
		v := b.view(everyone)
		ctx, cancel := context.WithCancel(b.ctx)
		cancel()
		_, err := v.Keyword(ctx, question("word"), 1)
		b.is(err, context.Canceled, "Keyword")
		_, err = v.Documents(ctx)
		b.is(err, context.Canceled, "Documents")
		_, err = b.store.Apply(ctx, store.Change{Put: []store.Revision{Make("b", "word")}})
		b.is(err, context.Canceled, "Apply")
		b.wantIn(v, "word", "word")
	})
	sub(t, f, "a view keeps its scope when the caller's slices change", func(b *bench) {
		b.put(Make("a", "word", readers("user:ann")))
		principals := []string{"user:ann"}
		v := b.view(document.Scope{Principals: principals})
		principals[0] = "user:bob"
		b.wantIn(v, "word", "word")
	})
}

func testRestrict(t *testing.T, f Factory) {
	text := "intro word\n# One\nfirst word\n## Deep\ndeep word\n# Two\nsecond word"
	build := func(b *bench) store.View {
		b.put(Make("a", text), Make("b", "# One\nother word"), Make("secret", "secret word", readers("user:ann")))
		return b.view(everyone)
	}
	restrict := func(b *bench, v store.View, to ...store.Place) store.View {
		b.Helper()
		n, err := v.Restrict(b.ctx, to)
		b.ok(err, "Restrict")
		b.Cleanup(func() { n.Close() })
		return n
	}
	in := func(path string, section int) store.Place {
		return store.Place{Document: docID(path), Section: section}
	}
	for _, c := range []struct {
		sentence string
		to       []store.Place
		want     []string
	}{
		{"section 0 is the whole document", []store.Place{in("a", 0)}, []string{"intro word", "first word", "deep word", "second word"}},
		{"a section comes with all below it", []store.Place{in("a", 1)}, []string{"first word", "deep word"}},
		{"a deep section comes alone", []store.Place{in("a", 2)}, []string{"deep word"}},
		{"places add up", []store.Place{in("a", 3), in("b", 0), in("a", 2)}, []string{"second word", "other word", "deep word"}},
		{"no place is nothing", nil, nil},
		{"a place that is not seen narrows to nothing", []store.Place{in("secret", 0), in("absent", 0), in("a", 99), in("a", -1)}, nil},
	} {
		sub(t, f, c.sentence, func(b *bench) {
			v := build(b)
			n := restrict(b, v, c.to...)
			b.wantIn(n, "word", c.want...)
			b.wantIn(v, "word", "intro word", "first word", "deep word", "second word", "other word")
			counts, err := n.Counts(b.ctx)
			b.ok(err, "Counts")
			if counts.Passages != len(c.want) {
				b.Errorf("counts %+v, want %d passages", counts, len(c.want))
			}
		})
	}
	sub(t, f, "statistics and so scores stay", func(b *bench) {
		v := build(b)
		n := restrict(b, v, in("a", 3))
		wide, err := v.Keyword(b.ctx, question("second word"), 1)
		b.ok(err, "Keyword")
		narrow, err := n.Keyword(b.ctx, question("second word"), 1)
		b.ok(err, "Keyword")
		if !slices.Equal(wide.Hits, narrow.Hits) || narrow.Matched != 1 || narrow.Min != narrow.Max {
			b.Errorf("wide %+v, narrow %+v", wide, narrow)
		}
		before, _ := v.Statistics(b.ctx, []string{"word"})
		after, err := n.Statistics(b.ctx, []string{"word"})
		b.ok(err, "Statistics")
		if !reflect.DeepEqual(before, after) {
			b.Errorf("statistics %+v, want %+v", after, before)
		}
	})
	sub(t, f, "sections outside are not seen", func(b *bench) {
		n := restrict(b, build(b), in("a", 1))
		hits, err := n.Outline(b.ctx, question("one deep two"), 10)
		b.ok(err, "Outline")
		var got []string
		for _, h := range hits.Hits {
			got = append(got, h.Document.Path+"/"+h.Heading)
		}
		if !slices.Equal(got, []string{"a/Deep", "a/One"}) {
			b.Errorf("outline %q", got)
		}
	})
	sub(t, f, "passages and documents outside are ErrNotFound", func(b *bench) {
		n := restrict(b, build(b), in("a", 1))
		outside := Make("a", text).Passages[0].ID
		_, err := n.Passages(b.ctx, []document.PassageID{outside})
		b.is(err, document.ErrNotFound, "Passages")
		_, err = n.ScoreKeyword(b.ctx, nil, []document.PassageID{outside})
		b.is(err, document.ErrNotFound, "ScoreKeyword")
		_, err = n.Document(b.ctx, docID("b"), false)
		b.is(err, document.ErrNotFound, "Document")
		r, err := n.Document(b.ctx, docID("a"), true)
		b.ok(err, "Document")
		if r.Text != text || len(r.Sections) != 4 || len(r.Passages) != 2 {
			b.Errorf("%d bytes, %d sections, %d passages; want the whole text and outline and 2 passages", len(r.Text), len(r.Sections), len(r.Passages))
		}
	})
	sub(t, f, "restricting again intersects", func(b *bench) {
		n := restrict(b, build(b), in("a", 1), in("b", 0))
		b.wantIn(restrict(b, n, in("a", 0)), "word", "first word", "deep word")
		b.wantIn(restrict(b, n, in("a", 2)), "word", "deep word")
		b.wantIn(restrict(b, n, in("a", 3)), "word")
	})
	sub(t, f, "the narrowed view pins the same commit and outlives the wide one", func(b *bench) {
		v := build(b)
		n := restrict(b, v, in("a", 2))
		b.ok(v.Close(), "Close")
		b.put(Make("a", "new word"))
		b.wantIn(n, "word", "deep word")
		if n.Commit() != v.Commit() || n.Day() != v.Day() {
			b.Errorf("commit %v, want %v", n.Commit(), v.Commit())
		}
	})
	sub(t, f, "a passage that moved counts where it stands today", func(b *bench) {
		b.put(Make("a", "# One\nfirst\n# Two\nmoving word", seen("2026-06-01"), fixed))
		b.put(Make("a", "# One\nfirst\nmoving word\n# Two\nsecond", seen("2026-06-02"), fixed))
		v := b.view(everyone)
		b.wantIn(restrict(b, v, in("a", 1)), "moving", "moving word")
		b.wantIn(restrict(b, v, in("a", 2)), "moving")
	})
}

func testRead(t *testing.T, f Factory) {
	meta := Meta(func(m *document.Metadata) {
		*m = document.Metadata{
			Title: "The Title", Category: "policy", Date: day("2026-05-01"), Version: "3", Status: document.Current,
			Supersedes: []string{"old"}, Effective: document.Interval{From: day("2026-01-01")}, Authority: 7,
			Access: document.Public(), Attributes: map[string][]string{"region": {"no", "se"}}, Language: "en",
		}
	})
	full := Make("a/b.md", "intro\n# One\nfirst é word\n\n## Deep\nfirst é word", meta)
	full.Pages = document.Pages{{Page: 1, Offset: 0}, {Page: 3, Offset: 12}}
	full.Lines = document.Lines{{Span: document.Span{From: 0, To: 5}, Page: 1, Box: document.Box{Left: 70, Top: 90, Right: 120, Bottom: 101}},
		{Span: document.Span{From: 8, To: 11}, Page: 3, Box: document.Box{Left: 60, Top: 30, Right: 90, Bottom: 41}}}
	sub(t, f, "Document returns the revision as it was put", func(b *bench) {
		full := full
		full.Seen = b.now
		b.put(full)
		b.reopen()
		got, err := b.view(everyone).Document(b.ctx, docID("a/b.md"), true)
		b.ok(err, "Document")
		if !reflect.DeepEqual(got, full.Revision) {
			b.Errorf("got %+v\nwant %+v", got, full.Revision)
		}
		got, err = b.view(everyone).Document(b.ctx, docID("a/b.md"), false)
		b.ok(err, "Document")
		if got.Passages != nil || got.Text != full.Text {
			b.Errorf("without passages it is %+v", got)
		}
	})
	sub(t, f, "Passages returns passages in the order asked for, where they stand", func(b *bench) {
		b.put(full)
		p := full.Passages
		got, err := b.view(everyone).Passages(b.ctx, []document.PassageID{p[2].ID, p[0].ID, p[2].ID})
		b.ok(err, "Passages")
		deep := full.Sections[2]
		want := store.Located{Passage: p[2], Document: full.Document, Title: "The Title", Revision: full.Hash, Heading: []string{"One", "Deep"},
			SectionSpan: deep.Span, Pages: full.Pages, Lines: full.Lines, Authority: 7, Status: document.Current, Valid: document.Interval{From: day("2026-01-01")},
			Attributes: full.Metadata.Attributes}
		if len(got) != 3 || !reflect.DeepEqual(got[0], want) || !reflect.DeepEqual(got[2], want) || got[1].Text != "intro" {
			b.Errorf("got %+v\nwant first %+v", got, want)
		}
	})
	sub(t, f, "an unknown passage or document is ErrNotFound", func(b *bench) {
		b.put(full)
		v := b.view(everyone)
		for _, id := range []document.PassageID{"", "zz", "00", passageOf("x")} {
			_, err := v.Passages(b.ctx, []document.PassageID{full.Passages[0].ID, id})
			b.is(err, document.ErrNotFound, "Passages of "+string(id))
		}
		for _, id := range []document.ID{{}, docID("x"), {Source: "x", Path: "a/b.md"}} {
			_, err := v.Document(b.ctx, id, false)
			b.is(err, document.ErrNotFound, "Document "+id.String())
		}
	})
	sub(t, f, "Documents lists by source and path what is in force", func(b *bench) {
		b.apply(store.Change{Source: &document.Source{Name: "a", Kind: "folder", Root: "/a"}})
		b.put(Make("z", "one\ntwo", seen("2026-06-01")), Make("B", "x"), Make("a", "x", source("a")), Make("a/b", "x"), Make("a.b", "x"))
		b.fail("m", "h", document.Public())
		list, err := b.view(everyone).Documents(b.ctx)
		b.ok(err, "Documents")
		var got []string
		for _, l := range list {
			got = append(got, l.Document.String())
		}
		if want := []string{"a:a", "docs:B", "docs:a.b", "docs:a/b", "docs:m", "docs:z"}; !slices.Equal(got, want) {
			b.Errorf("listed %q, want %q", got, want)
		}
		want := store.Listed{Document: docID("z"), Title: "z", Revision: Make("z", "one\ntwo", seen("2026-06-01")).Hash,
			Status: "current", Valid: document.Interval{From: day("2026-06-01")}, Passages: 2}
		if last := list[len(list)-1]; last != want {
			b.Errorf("listed %+v, want %+v", last, want)
		}
	})
	sub(t, f, "Outline gives sections with heading, path and span, never level 0", func(b *bench) {
		b.put(full)
		hits, err := b.view(everyone).Outline(b.ctx, question("title one deep"), 10)
		b.ok(err, "Outline")
		if len(hits.Hits) != 2 || hits.Matched != 2 || hits.Max != hits.Hits[0].Score {
			b.Fatalf("got %+v", hits)
		}
		for _, h := range hits.Hits {
			s := full.Sections[h.Section]
			if h.Section == 0 || h.Heading != s.Heading || !slices.Equal(h.Path, s.Path) || h.Span != s.Span || h.Document != full.Document {
				b.Errorf("got %+v, want %+v", h, s)
			}
		}
	})
	sub(t, f, "an empty store answers with nothing", func(b *bench) {
		v := b.view(everyone)
		hits, err := v.Keyword(b.ctx, question("word"), 10)
		b.ok(err, "Keyword")
		if len(hits.Hits) != 0 || hits.Matched != 0 || hits.Min != 0 || hits.Max != 0 {
			b.Errorf("got %+v", hits)
		}
		statistics, err := v.Statistics(b.ctx, []string{"word"})
		b.ok(err, "Statistics")
		if statistics.Passages != 0 || statistics.Frequent["word"] != 0 {
			b.Errorf("got %+v", statistics)
		}
		counts, err := v.Counts(b.ctx)
		b.ok(err, "Counts")
		if counts.Documents != 0 || len(counts.Vectors) != 0 {
			b.Errorf("got %+v", counts)
		}
	})
}

// passageOf is a passage id of the suite's own shape.
func passageOf(name string) document.PassageID { return document.PassageID(hash(16, name)) }
