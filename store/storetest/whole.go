package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// testWhole: what a store gives of its documents makes another store what it is.
func testWhole(t *testing.T, f Factory) {
	sub(t, f, "applied to another store in their order, documents are there what they are here", func(b *bench) {
		b.variety()
		copied := b.copied()
		b.wantSame(copied)
		b.reopen()
		b.wantSame(copied)
	})
	sub(t, f, "a document comes with every revision as it was put", func(b *bench) {
		first := Make("a", forty+"\n# Two id-7\nmore words id-7", seen("2026-06-01"), found(1, "a", "b"), attribute("region", "no", "se"), readers("group:hr", "group:board"), deny("user:eve"),
			Meta(func(m *document.Metadata) { m.Version, m.Authority, m.Language, m.Category = "1.2", -3, "nb", "policy" }))
		first.Format = "pdf"
		first.Pages = document.Pages{{Page: 1}, {Page: 2, Offset: 10}}
		first.Lines = document.Lines{{Span: document.Span{From: 0, To: 9}, Page: 1, Box: document.Box{Left: 10, Top: 20, Right: 90, Bottom: 30}}}
		second := Make("a", forty, seen("2026-06-05"), status(document.Draft), tenant("acme"), effective("2026-01-01", "2027-01-01"), supersedes("x", "y"), pipeline("p2"))
		b.put(first)
		b.put(second)
		failure := store.Failure{Document: docID("a"), Hash: "h3", Pipeline: "p3", Reason: "it holds no text", Seen: b.now, Tenant: "acme", Access: document.Access{Readers: []string{"group:hr"}}}
		b.apply(store.Change{Fail: []store.Failure{failure}})
		first.Outline[0], second.Outline[0] = store.Terms{}, store.Terms{}
		want := store.Whole{Document: docID("a"), Revisions: []store.Revision{first, second}, Failure: &failure}
		for range 2 {
			if got, want := plain(b.whole("docs", "a")[0]), plain(want); got != want {
				b.Errorf("it gives\n%s\nwant\n%s", got, want)
			}
			b.reopen()
		}
	})
	sub(t, f, "it gives what there is in the order of the paths, and an error ends it", func(b *bench) {
		b.put(Make("a", "one"), Make("b", "two"), Make("c", "three"))
		var paths []string
		for _, w := range b.whole("docs", "c", "nothing", "a") {
			paths = append(paths, w.Document.Path)
		}
		if !slices.Equal(paths, []string{"c", "a"}) || len(b.whole("other", "a")) > 0 {
			b.Errorf("it gives %q", paths)
		}
		broken, calls := errors.New("broken"), 0
		b.is(b.store.Whole(b.ctx, "docs", []string{"a", "b"}, func(store.Whole) error { calls++; return broken }), broken, "Whole")
		if calls != 1 {
			b.Errorf("it went on for %d calls", calls)
		}
	})
	sub(t, f, "a forgotten revision that is put is one whose text was forgotten", func(b *bench) {
		b.put(forgotten("a", "2026-06-01"))
		jobs, err := b.store.Claim(b.ctx, store.Embed, 10, 1)
		b.ok(err, "Claim")
		b.put(Make("a", "newer words", seen("2026-06-10")))
		b.wantOn("words", onDay{"2026-06-05", nil}, onDay{"2026-06-10", []string{"newer words"}})
		counts, err := b.view(document.Scope{AsOf: day("2026-06-05")}).Counts(b.ctx)
		b.ok(err, "Counts")
		if len(jobs) != 0 || counts.Forgotten != 1 || counts.Documents != 0 {
			b.Errorf("%d jobs, and it counts %+v", len(jobs), counts)
		}
		with := Make("b", "words")
		with.Forgotten, with.Seen = true, b.now
		_, err = b.store.Apply(b.ctx, store.Change{Put: []store.Revision{with}})
		b.is(err, store.ErrInvalid, "a forgotten revision with a text")
	})
	sub(t, f, "VectorsOf gives vectors as they were put, in the order of the keys", func(b *bench) {
		r := Make("a", "one\ntwo\nthree")
		b.put(r)
		var keys []document.ContentKey
		for _, p := range r.Passages {
			keys = append(keys, p.Key)
		}
		slices.Sort(keys)
		want := []store.Vectors{
			{Key: keys[0], Vectors: [][]float32{unit(0.1, 0.2, 0.3), unit(-1, 1e-7, 1)}},
			{Key: keys[2], Vectors: [][]float32{unit(1, 2, 3)}},
		}
		b.putVectors(model, want...)
		got, err := b.store.VectorsOf(b.ctx, model, []document.ContentKey{keys[2], "ffee", keys[1], keys[0], keys[2]})
		b.ok(err, "VectorsOf")
		if !reflect.DeepEqual(got, want) {
			b.Errorf("it gives %v, want %v", got, want)
		}
		none, err := b.store.VectorsOf(b.ctx, other, keys)
		b.ok(err, "VectorsOf a model without a place")
		if len(none) > 0 {
			b.Errorf("of another model it gives %v", none)
		}
	})
}

// variety fills the store with documents of every kind.
func (b *bench) variety() {
	b.Helper()
	b.apply(store.Change{Source: &document.Source{Name: "web", Kind: "site", Root: "https://example.org/"}})
	b.on("2026-05-01").put(Make("plain", "# Fee\nthe fee is ten id-4\n## Late\nlate words"), Make("page", "web words", source("web")), Make("closed", "closed words", readers("group:hr")),
		Make("denied", "denied words", deny("user:eve")), Make("acme", "acme words", tenant("acme")), Make("draft", "draft words", status(document.Draft)),
		Make("found", forty, found(1, "rf 204")), Make("norway", "norway words", attribute("region", "no")), Make("moved", "moved words", func(r *store.Revision) { r.Hash = "h" }),
		Make("undated", "undated words"), Make("failing", "failing words"), Make("old", "old words", status(document.Superseded), effective("2020-01-01", "2021-01-01")))
	b.on("2026-05-10").put(Make("plain", "# Fee\nthe fee is twelve id-4\n## Late\nlate words"))
	b.on("2026-05-20").put(Make("plain", "# Fee\nthe fee is nine id-4\n## Late\nlate words"), Make("next", "next words", supersedes("norway")),
		Make("ring1", "ring words", supersedes("ring2")), Make("ring2", "ring words", supersedes("ring1")))
	b.apply(store.Change{Forget: []store.Forgotten{{Document: docID("plain"), Keep: 2, Since: day("2026-05-20")}}})
	b.apply(store.Change{Date: []store.Dated{{Document: docID("undated"), Effective: document.Interval{From: day("2026-03-01")}, Inferred: "file names"}}})
	moved := Make("moved2", "moved words", func(r *store.Revision) { r.Hash, r.Seen = "h", b.now })
	b.apply(store.Change{Put: []store.Revision{moved}, Renamed: []store.Renamed{{From: docID("moved"), To: docID("moved2")}}})
	b.fail("failing", "h", document.Access{Readers: []string{"group:hr"}})
	b.on("2026-06-15")
	for _, w := range b.everything() {
		for _, r := range w.Revisions {
			b.putVectors(model, b.vectorsOf(r)...)
		}
	}
}

// forgotten is a revision without its text.
func forgotten(path, date string) store.Revision {
	r := Make(path, "", seen(date))
	r.Forgotten = true
	return r
}

func (b *bench) whole(source string, paths ...string) (out []store.Whole) {
	b.Helper()
	b.ok(b.store.Whole(b.ctx, source, paths, func(w store.Whole) error {
		out = append(out, w)
		return nil
	}), "Whole")
	return out
}

// everything is all documents of all sources.
func (b *bench) everything() (out []store.Whole) {
	b.Helper()
	sources, err := b.store.Sources(b.ctx)
	b.ok(err, "Sources")
	for _, s := range sources {
		states, err := b.store.States(b.ctx, s.Name)
		b.ok(err, "States")
		var paths []string
		for _, st := range states {
			paths = append(paths, st.Path)
		}
		out = append(out, b.whole(s.Name, paths...)...)
	}
	return out
}

// copied is another store that was given all that this one holds.
func (b *bench) copied() *bench {
	b.Helper()
	to := newBench(b.T, b.factory)
	to.now = b.now
	sources, err := b.store.Sources(b.ctx)
	b.ok(err, "Sources")
	for _, s := range sources {
		to.apply(store.Change{Source: &s})
	}
	models, err := b.store.Models(b.ctx)
	b.ok(err, "Models")
	for _, w := range b.everything() {
		var keys []document.ContentKey
		for _, r := range w.Revisions {
			to.apply(store.Change{Put: []store.Revision{r}})
			for _, p := range r.Passages {
				keys = append(keys, p.Key)
			}
		}
		if w.Failure != nil {
			to.apply(store.Change{Fail: []store.Failure{*w.Failure}})
		}
		if vectors, err := b.store.VectorsOf(b.ctx, models.InForce, keys); err != nil || len(vectors) > 0 {
			b.ok(err, "VectorsOf")
			to.putVectors(models.InForce, vectors...)
		}
	}
	return to
}

// wantSame compares all that two stores hold and what askers see of them.
func (b *bench) wantSame(other *bench) {
	b.Helper()
	if have, want := plain(other.everything()), plain(b.everything()); have != want {
		b.Errorf("the copy holds\n%s\nwant\n%s", have, want)
	}
	for _, s := range []document.Scope{{}, {Principals: []string{"group:hr"}}, {Administrator: true}, {Principals: []string{"user:eve"}}, {Tenant: "acme"}, {Drafts: true},
		{AsOf: day("2026-05-15"), Drafts: true}, {AsOf: day("2026-05-05")}, {AsOf: day("2020-06-01")}, {Where: map[string][]string{"region": {"se"}}}, {Sources: []string{"web"}}} {
		if have, want := other.shows(s), b.shows(s); have != want {
			b.Errorf("%+v sees of the copy\n%s\nwant\n%s", s, have, want)
		}
	}
}

// shows is what a scope sees, as text.
func (b *bench) shows(s document.Scope) string {
	b.Helper()
	v := b.view(s)
	defer v.Close()
	list, err := v.Documents(b.ctx)
	b.ok(err, "Documents")
	counts, err := v.Counts(b.ctx)
	b.ok(err, "Counts")
	hits, err := v.Keyword(b.ctx, question("words fee late the"), 100)
	b.ok(err, "Keyword")
	identified, err := v.Identifier(b.ctx, question("id-4"), 100)
	b.ok(err, "Identifier")
	outline, err := v.Outline(b.ctx, question("fee late"), 100)
	b.ok(err, "Outline")
	near, err := v.Vector(b.ctx, model, unit(1, 1, 1), 100)
	b.ok(err, "Vector")
	named, err := v.Named(b.ctx, "rf 204")
	b.ok(err, "Named")
	out := fmt.Sprintf("%+v\n%+v\n%+v\n%+v\n%+v\n%+v\n%v\n", list, counts, hits, identified, outline, near, named)
	for _, path := range []string{"plain", "moved2", "failing", "undated", "closed"} {
		history, err := v.History(b.ctx, docID(path))
		out += fmt.Sprintf("%s %v\n", plain(history), err)
	}
	return out
}

var empty = regexp.MustCompile(`: (null|\[\]|\{\})`)

// plain is a value as text, which does not tell what is empty from what is not there.
func plain(v any) string {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err.Error()
	}
	return empty.ReplaceAllString(string(text), ": -")
}
