package storetest

import (
	"fmt"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// testHistory: who may read a document is told how it stands on every day; who may
// not is told what a document that does not exist gives.
func testHistory(t *testing.T, f Factory) {
	b := newBench(t, f)
	b.on("2026-01-10").put(
		Make("page", "word one"),
		Make("turned", "word one", readers("group:hr")),
		Make("closing", "word one"),
		Make("failing", "word one"),
	)
	b.on("2026-02-10").put(
		Make("page", "word two"),
		Make("turned", "word two"),
		Make("closing", "word two", readers("group:hr")),
		Make("draft", "word", status(document.Draft)),
		Make("old", "word", status(document.Superseded)),
		Make("past", "word", effective("2020-01-01", "2021-01-01")),
		Make("france", "word", attribute("region", "france")),
		Make("acme", "word", tenant("acme")),
	)
	b.fail("failing", "h2", document.Public())
	b.fail("hidden", "h1", document.Access{})
	b.fail("pay", "h1", document.Access{Readers: []string{"group:hr"}})
	b.on("2026-06-15")

	hr, acme := document.Scope{Principals: []string{"group:hr"}}, document.Scope{Tenant: "acme"}
	for _, c := range []struct {
		sentence string
		scope    document.Scope
		path     string
		want     string // "" is ErrNotFound
	}{
		{"every revision with its days", everyone, "page", "current [2026-01-10, 2026-02-10) current [2026-02-10, )"},
		{"on whatever day is asked for", document.Scope{AsOf: day("2020-06-01")}, "page", "current [2026-01-10, 2026-02-10) current [2026-02-10, )"},
		{"a draft", everyone, "draft", "draft [2026-02-10, )"},
		{"what never holds", everyone, "old", "superseded [0001-01-01, 0001-01-01)"},
		{"what holds no longer", everyone, "past", "current [2020-01-01, 2021-01-01)"},
		{"whatever attributes are asked for", document.Scope{Where: map[string][]string{"region": {"norway"}}}, "france", "current [2026-02-10, ) region=[france]"},
		{"whatever source is asked for", document.Scope{Sources: []string{"web"}}, "draft", "draft [2026-02-10, )"},
		{"a failure with what held before", everyone, "failing", "current [2026-01-10, ) failed on 2026-02-10: it holds no text"},
		{"only revisions that one may read", everyone, "turned", "current [2026-02-10, )"},
		{"all of them to one who may", hr, "turned", "current [2026-01-10, 2026-02-10) current [2026-02-10, )"},
		{"closing a document closes its past", everyone, "closing", ""},
		{"but for its readers", hr, "closing", "current [2026-01-10, 2026-02-10) current [2026-02-10, )"},
		{"a failure that its readers may see", hr, "pay", " failed on 2026-02-10: it holds no text"},
		{"and others not", everyone, "pay", ""},
		{"a failure that nobody may see", hr, "hidden", ""},
		{"a document of another tenant", everyone, "acme", ""},
		{"in its own", acme, "acme", "current [2026-02-10, )"},
		{"a document that does not exist", everyone, "nothing", ""},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			b := &bench{T: t, ctx: b.ctx, store: b.store, now: b.now}
			v := b.view(c.scope)
			got, err := v.History(b.ctx, docID(c.path))
			if c.want == "" {
				b.is(err, document.ErrNotFound, "History")
				return
			}
			b.ok(err, "History")
			if told := tell(got); told != c.want || got.Document != docID(c.path) {
				t.Errorf("%s of %s, want %s", told, got.Document, c.want)
			}
		})
	}
	b.revisions(hr)
	whole := b.view(everyone)
	narrow, err := whole.Restrict(b.ctx, []store.Place{{Document: docID("page")}})
	b.ok(err, "Restrict")
	defer narrow.Close()
	_, err = narrow.History(b.ctx, docID("page"))
	b.ok(err, "History of what a restricted view sees")
	_, err = narrow.History(b.ctx, docID("france"))
	b.is(err, document.ErrNotFound, "History of what a restricted view does not see")
}

// revisions: what History lists can be read whole, by who may read it and nobody else.
func (b *bench) revisions(hr document.Scope) {
	b.Helper()
	all := b.view(hr)
	for _, path := range []string{"page", "turned", "closing", "failing", "draft", "old", "past", "france"} {
		h, err := all.History(b.ctx, docID(path))
		b.ok(err, "History")
		for i, held := range h.Revisions {
			r, err := all.Revision(b.ctx, docID(path), held.Revision)
			b.ok(err, "Revision")
			if r.Hash != held.Revision || r.Text == "" || len(r.Passages) != 1 || r.Passages[0].Text != r.Text ||
				!r.Seen.Equal(held.Seen) || r.Format != held.Format || r.Metadata.Effective != held.Metadata.Effective {
				b.Errorf("revision %d of %s is %+v, listed as %+v", i, path, r, held)
			}
		}
	}
	first := Make("turned", "word one", readers("group:hr")).Hash
	public := b.view(everyone)
	for _, c := range []struct{ path, hash string }{{"turned", first}, {"closing", Make("closing", "word one").Hash}, {"page", "none"}, {"nothing", first}} {
		_, err := public.Revision(b.ctx, docID(c.path), c.hash)
		b.is(err, document.ErrNotFound, "Revision of "+c.path)
	}
}

func tell(h store.History) string {
	s := ""
	for i, r := range h.Revisions {
		if i > 0 {
			s += " "
		}
		s += fmt.Sprintf("%s [%s, %s)", r.Status, r.Valid.From, r.Valid.To)
		for key, values := range r.Attributes {
			s += fmt.Sprintf(" %s=%v", key, values)
		}
	}
	if h.Failed != "" {
		s += fmt.Sprintf(" failed on %s: %s", h.FailedOn, h.Failed)
	}
	return s
}
