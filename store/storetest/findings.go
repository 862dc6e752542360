package storetest

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// found gives a revision whose text has 26 bytes and more findings of every kind,
// told apart by n, and names.
func found(n int, names ...string) func(*store.Revision) {
	return func(r *store.Revision) {
		r.Extraction = document.Extraction{Pages: n, EmptyPages: []int{2}, Characters: 30, Headings: 1, Tables: n, Unreadable: 3, Outside: 4,
			Notes: []string{"Comments were left out."}}
		s := func(from, to int) document.Span { return document.Span{From: from + n, To: to + n} }
		r.Findings = document.Findings{
			References: []document.Reference{
				{Kind: document.ToPlace, Span: s(5, 9), Place: fmt.Sprintf("clause %d", n)},
				{Kind: document.ToDocument, Span: s(3, 12), Document: "rf 204", Place: "section 2", Tentative: true},
			},
			Labels: []document.Label{{Name: "4(b)", Span: s(0, 24)}},
			Definitions: []document.Definition{
				{Kind: document.OfTerm, Term: "Fee", Span: s(10, 24), Meaning: s(18, 24)},
				{Kind: document.OfAbbreviation, Term: "MEL", Span: s(2, 24), Meaning: s(0, 2)},
			},
		}
		r.Names = names
	}
}

func doubts(sentences ...string) func(*store.Revision) {
	return func(r *store.Revision) { r.Extraction.Doubts = sentences }
}

const forty = "forty bytes of words are enough for these"

func testFindings(t *testing.T, f Factory) {
	is := func(b *bench, v store.View, path string, want store.Revision) {
		b.Helper()
		report, err := v.Extraction(b.ctx, docID(path))
		b.ok(err, "Extraction of "+path)
		if !reflect.DeepEqual(report, want.Extraction) {
			b.Errorf("extraction of %s: %+v, want %+v", path, report, want.Extraction)
		}
		findings, err := v.Findings(b.ctx, docID(path))
		b.ok(err, "Findings of "+path)
		if !reflect.DeepEqual(findings, want.Findings) {
			b.Errorf("findings of %s: %+v, want %+v", path, findings, want.Findings)
		}
	}
	named := func(b *bench, v store.View, name string, want ...string) {
		b.Helper()
		got, err := v.Named(b.ctx, name)
		b.ok(err, "Named")
		if fmt.Sprint(got) != fmt.Sprint(want) {
			b.Errorf("%q names %v, want %v", name, got, want)
		}
	}

	sub(t, f, "they come back as they were given", func(b *bench) {
		full, none := Make("full", forty, found(1, "full")), Make("none", forty)
		b.put(full, none)
		for range 2 {
			v := b.view(everyone)
			is(b, v, "full", full)
			is(b, v, "none", none)
			v.Close()
			b.reopen()
		}
	})
	sub(t, f, "a revision in place of the same one brings its own", func(b *bench) {
		b.put(Make("a", forty, found(1, "old", "same")))
		again := Make("a", forty, found(2, "new", "same"), pipeline("p2"))
		b.put(again)
		v := b.view(everyone)
		is(b, v, "a", again)
		named(b, v, "same", "docs:a")
		named(b, v, "new", "docs:a")
		named(b, v, "old")
	})
	sub(t, f, "a new revision has its own, and the one before keeps what it had", func(b *bench) {
		first, second := Make("a", forty, found(1, "one")), Make("a", forty+".", found(2, "two"))
		b.on("2026-02-10").put(first)
		b.on("2026-04-10").put(second)
		past := b.view(document.Scope{AsOf: day("2026-03-01")})
		is(b, past, "a", first)
		named(b, past, "one", "docs:a")
		named(b, past, "two")
		now := b.view(everyone)
		is(b, now, "a", second)
		named(b, now, "one")
		named(b, now, "two", "docs:a")
	})
	sub(t, f, "a name is of every document that has it, by source and path", func(b *bench) {
		b.apply(store.Change{Source: &document.Source{Name: "more", Kind: "folder", Root: "/more"}})
		b.put(Make("b", forty, found(0, "leave policy"), source("more")), Make("b", forty, found(0, "leave policy")), Make("a", forty, found(0, "b", "leave policy")))
		v := b.view(everyone)
		named(b, v, "leave policy", "docs:a", "docs:b", "more:b")
		named(b, v, "leave")
		named(b, v, "")
		named(b, b.view(document.Scope{Sources: []string{"more"}}), "leave policy", "more:b")
	})
	sub(t, f, "they go with the document", func(b *bench) {
		b.put(Make("a", forty, found(1, "a")), Make("b", forty, found(1, "a")))
		b.remove("a")
		b.fail("b", "h2", document.Public())
		v := b.view(everyone)
		named(b, v, "a")
		for _, path := range []string{"a", "b", "never"} {
			_, err := v.Findings(b.ctx, docID(path))
			b.is(err, document.ErrNotFound, "Findings of "+path)
			_, err = v.Extraction(b.ctx, docID(path))
			b.is(err, document.ErrNotFound, "Extraction of "+path)
		}
	})
	sub(t, f, "who may not read a document learns nothing of them", func(b *bench) {
		b.put(
			Make("closed", forty, found(1, "rf 204"), readers("group:hr")),
			Make("draft", forty, found(1, "rf 204"), status(document.Draft)),
			Make("other", forty, found(1, "rf 204"), tenant("acme")),
			Make("france", forty, found(1, "rf 204"), attribute("region", "france")),
		)
		norway := document.Scope{Where: map[string][]string{"region": {"norway"}}}
		v := b.view(norway)
		named(b, v, "rf 204")
		for _, path := range []string{"closed", "draft", "other", "france"} {
			_, err := v.Findings(b.ctx, docID(path))
			b.is(err, document.ErrNotFound, "Findings of "+path)
			_, err = v.Extraction(b.ctx, docID(path))
			b.is(err, document.ErrNotFound, "Extraction of "+path)
		}
		named(b, b.view(everyone), "rf 204", "docs:france")
		named(b, b.view(document.Scope{Principals: []string{"group:hr"}}), "rf 204", "docs:closed", "docs:france")
		named(b, b.view(document.Scope{Drafts: true}), "rf 204", "docs:draft", "docs:france")
		named(b, b.view(document.Scope{Tenant: "acme"}), "rf 204", "docs:other")
	})
	sub(t, f, "a restricted view has those of the documents that it sees", func(b *bench) {
		a := Make("a", "# H\n"+forty, found(1, "n"))
		b.put(a, Make("b", "# H\n"+forty, found(1, "n")))
		for _, place := range []store.Place{{Document: docID("a")}, {Document: docID("a"), Section: 1}} {
			v, err := b.view(everyone).Restrict(b.ctx, []store.Place{place})
			b.ok(err, "Restrict")
			is(b, v, "a", a)
			named(b, v, "n", "docs:a")
			_, err = v.Findings(b.ctx, docID("b"))
			b.is(err, document.ErrNotFound, "Findings of what a restricted view does not see")
			v.Close()
		}
	})
	sub(t, f, "Documents marks what has doubts", func(b *bench) {
		b.put(Make("good", forty, found(1)), Make("bad", forty, found(1), doubts("A twentieth of it cannot be read.")))
		list, err := b.view(everyone).Documents(b.ctx)
		b.ok(err, "Documents")
		if len(list) != 2 || !list[0].Suspect || list[1].Suspect {
			b.Errorf("%+v", list)
		}
	})
	sub(t, f, "what breaks the contract is refused", func(b *bench) {
		for _, c := range []struct {
			what string
			edit func(*store.Revision)
		}{
			{"a reference outside the text", func(r *store.Revision) { r.Findings.References[0].Span.To = 400 }},
			{"a label in no section", func(r *store.Revision) { r.Findings.Labels[0].Section = 1 }},
			{"a meaning outside the text", func(r *store.Revision) { r.Findings.Definitions[0].Meaning.From = -1 }},
			{"a name without letters", func(r *store.Revision) { r.Names = []string{""} }},
			{"a name twice", func(r *store.Revision) { r.Names = []string{"a", "a"} }},
		} {
			_, err := b.store.Apply(b.ctx, store.Change{Put: []store.Revision{Make("a", forty, found(1), c.edit)}})
			b.is(err, store.ErrInvalid, c.what)
		}
	})
}
