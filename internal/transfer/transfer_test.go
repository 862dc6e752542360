package transfer

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

var (
	start = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	model = store.Model{Name: "test", Dims: 2}
	other = store.Model{Name: "other", Dims: 1}
)

func open(t *testing.T, name string) store.Store {
	t.Helper()
	s, err := local.Open(t.Context(), filepath.Join(t.TempDir(), name), local.Options{Clock: func() time.Time { return start }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func apply(t *testing.T, s store.Store, c store.Change) {
	t.Helper()
	_, err := s.Apply(t.Context(), c)
	must(t, err)
}

// on is a revision of a document that was seen some days after the first of June.
func on(days int, path, text string, edits ...func(*store.Revision)) store.Revision {
	r := storetest.Make(path, text, edits...)
	r.Seen = time.Date(2026, 6, 1+days, 9, 0, 0, 7, time.UTC)
	return r
}

func id(path string) document.ID { return document.ID{Source: "docs", Path: path} }

func vectorsOf(revisions ...store.Revision) (out []store.Vectors) {
	for _, r := range revisions {
		for i, p := range r.Passages {
			out = append(out, store.Vectors{Key: p.Key, Vectors: [][]float32{{float32(i), 1}, {0.25, float32(len(p.Text))}}})
		}
	}
	return out
}

// library is a store of documents of several kinds: with a past, forgotten, failed, of
// another tenant, closed, superseded, a draft, and two sources; and many others.
func library(t *testing.T, many int) store.Store {
	t.Helper()
	s := open(t, "from.db")
	apply(t, s, store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/docs"}})
	apply(t, s, store.Change{Source: &document.Source{Name: "web", Kind: "site", Root: "https://example.org/"}})
	meta := storetest.Meta
	var put []store.Revision
	for n := range many {
		put = append(put, on(0, fmt.Sprintf("many/%02d", n), fmt.Sprintf("page %d of many", n)))
	}
	put = append(put,
		on(0, "past", "first words\ncommon words"), on(0, "gone", "gone words"),
		on(0, "closed", "closed words", meta(func(m *document.Metadata) { m.Access = document.Access{Readers: []string{"group:hr"}} })),
		on(0, "acme", "acme words", meta(func(m *document.Metadata) { m.Tenant = "acme" })),
		on(0, "draft", "draft words", meta(func(m *document.Metadata) { m.Status = document.Draft })),
		on(0, "next", "next words", meta(func(m *document.Metadata) { m.Supersedes = []string{"closed"} })),
		on(0, "page", "web words", func(r *store.Revision) { r.Document.Source = "web" }))
	second, third := on(3, "past", "# Two\nsecond words id-2\ncommon words"), on(6, "past", "third words\ncommon words")
	apply(t, s, store.Change{Put: put})
	apply(t, s, store.Change{Put: []store.Revision{second}})
	apply(t, s, store.Change{Put: []store.Revision{third}})
	must(t, s.PutVectors(t.Context(), model, vectorsOf(append(put, second, third)...)))
	apply(t, s, store.Change{Forget: []store.Forgotten{{Document: id("past"), Keep: 2, Since: document.DayOf(start)}}})
	apply(t, s, store.Change{Fail: []store.Failure{
		{Document: id("gone"), Hash: "h", Pipeline: "p1", Reason: "it holds no text", Seen: start, Access: document.Public()},
		{Document: id("never"), Hash: "h", Pipeline: "p1", Reason: "it holds no text", Seen: start, Tenant: "acme"}}})
	must(t, s.MarkSynced(t.Context(), "docs", store.Sync{Whole: start, Added: 75, Failed: 2}))
	return s
}

func copies(t *testing.T, from, to store.Store, o Options) Report {
	t.Helper()
	r, err := Copy(t.Context(), from, to, o)
	must(t, err)
	return r
}

func commit(t *testing.T, s store.Store) int64 {
	t.Helper()
	n, err := sequence(t.Context(), s)
	must(t, err)
	return n
}

func TestCopy(t *testing.T) {
	from, to := library(t, 70), open(t, "to.db") // more than a batch
	r := copies(t, from, to, Options{})
	want := Report{Sources: 2, Documents: 78, Failed: 2, Revisions: 79, Passages: 80, Vectors: 80, Copied: 78, Checksum: r.Checksum}
	if r != want || len(r.Checksum) != 64 {
		t.Errorf("it reports %+v, want %+v", r, want)
	}
	if notes, err := to.Synced(t.Context()); err != nil || notes["docs"].Added != 75 || len(notes) != 1 {
		t.Errorf("of syncs is noted %+v, %v", notes, err)
	}
	if missing, err := to.CountMissing(t.Context(), model); err != nil || missing != 0 {
		t.Errorf("%d passages have no vector, %v", missing, err)
	}
	before := commit(t, to)
	want.Copied = 0
	if again := copies(t, from, to, Options{}); again != want {
		t.Errorf("again it reports %+v, want %+v", again, want)
	}
	if after := commit(t, to); after != before {
		t.Errorf("a copy of what is there makes %d commits", after-before)
	}
	if back := copies(t, to, open(t, "back.db"), Options{}); back.Checksum != r.Checksum {
		t.Errorf("the copy of the copy has the checksum %s, want %s", back.Checksum, r.Checksum)
	}
}

// stumbling is a store that fails at one of its writes, before it or behind it.
type stumbling struct {
	store.Store
	left   int
	behind bool
}

var errStumbled = errors.New("stumbled")

func (s *stumbling) write(do func() error) error {
	s.left--
	if s.left != 0 {
		return do()
	}
	if s.behind {
		_ = do()
	}
	return errStumbled
}

func (s *stumbling) Apply(ctx context.Context, c store.Change) (commit store.Commit, err error) {
	err = s.write(func() error { commit, err = s.Store.Apply(ctx, c); return err })
	return commit, err
}

func (s *stumbling) PutVectors(ctx context.Context, m store.Model, v []store.Vectors) error {
	return s.write(func() error { return s.Store.PutVectors(ctx, m, v) })
}

// A copy that is interrupted at whichever of its writes goes on when it is called again.
func TestInterrupted(t *testing.T) {
	from := library(t, 2)
	want := copies(t, from, open(t, "whole.db"), Options{})
	for n := 1; ; n++ {
		to := &stumbling{Store: open(t, "to.db"), left: n, behind: n%2 == 0}
		_, err := Copy(t.Context(), from, to, Options{})
		if err == nil {
			if n < 6 {
				t.Errorf("it made %d writes only", n)
			}
			return
		}
		if !errors.Is(err, errStumbled) {
			t.Fatalf("write %d: %v", n, err)
		}
		got := copies(t, from, to, Options{})
		got.Copied = want.Copied // fewer were left
		if got != want {
			t.Errorf("after write %d failed it reports %+v, want %+v", n, got, want)
		}
	}
}

// What is added to the store that is read comes with the next copy; what is changed or gone
// there does only where that was said.
func TestCatchUp(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(t *testing.T, from store.Store)
		refused string // "": it needs no Replace
		want    Report
	}{
		{"a document is added", func(t *testing.T, from store.Store) {
			apply(t, from, store.Change{Put: []store.Revision{on(9, "added", "added words")}})
		}, "", Report{Copied: 1}},
		{"a revision is added", func(t *testing.T, from store.Store) {
			apply(t, from, store.Change{Put: []store.Revision{on(9, "past", "fourth words")}})
		}, "", Report{Copied: 1}},
		{"a document that failed can be read", func(t *testing.T, from store.Store) {
			apply(t, from, store.Change{Put: []store.Revision{on(9, "gone", "found words"), on(9, "never", "never words")}})
		}, "", Report{Copied: 2}},
		{"a failure is another", func(t *testing.T, from store.Store) {
			apply(t, from, store.Change{Fail: []store.Failure{{Document: id("gone"), Hash: "h2", Pipeline: "p1", Reason: "it is broken", Seen: start}}})
		}, "", Report{Copied: 1}},
		{"vectors are added", func(t *testing.T, from store.Store) {
			must(t, from.PutVectors(t.Context(), model, []store.Vectors{{Key: on(0, "acme", "acme words").Passages[0].Key, Vectors: [][]float32{{7, 7}}}}))
		}, "", Report{}},
		{"a document is removed", func(t *testing.T, from store.Store) {
			apply(t, from, store.Change{Remove: []document.ID{id("past")}})
		}, "1 of its documents, such as docs:past", Report{Removed: 1}},
		{"a source is removed", func(t *testing.T, from store.Store) {
			apply(t, from, store.Change{RemoveSource: "web"})
		}, "1 of its documents, such as web:page", Report{Removed: 1}},
		{"a revision is replaced in place", func(t *testing.T, from store.Store) {
			apply(t, from, store.Change{Put: []store.Revision{on(9, "acme", "acme words", func(r *store.Revision) {
				r.Metadata.Tenant, r.Pipeline = "acme", "p2"
			})}})
		}, "document docs:acme is another there", Report{Replaced: 1}},
		{"a revision is dated", func(t *testing.T, from store.Store) {
			apply(t, from, store.Change{Date: []store.Dated{{Document: id("many/00"), Effective: document.Interval{From: 9}, Inferred: "file names"}}})
		}, "document docs:many/00 is another there", Report{Replaced: 1}},
		{"it is embedded with another model", func(t *testing.T, from store.Store) {
			must(t, from.AddModel(t.Context(), other))
			must(t, from.PutVectors(t.Context(), other, []store.Vectors{{Key: on(0, "acme", "acme words").Passages[0].Key, Vectors: [][]float32{{1}}}}))
			if ok, err := from.AdoptModel(t.Context(), other, 1000); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}, "vectors of test with 2 dimensions, and not of other with 1", Report{}},
		{"it is being embedded with another model", func(t *testing.T, from store.Store) {
			must(t, from.AddModel(t.Context(), other))
			must(t, from.PutVectors(t.Context(), other, []store.Vectors{{Key: on(0, "acme", "acme words").Passages[0].Key, Vectors: [][]float32{{1}}}}))
		}, "", Report{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			from, to := library(t, 2), open(t, "to.db")
			copies(t, from, to, Options{})
			c.change(t, from)
			_, err := Copy(t.Context(), from, to, Options{})
			if c.refused == "" {
				must(t, err)
				_, err = Copy(t.Context(), from, to, Options{})
				must(t, err)
			} else if !errors.Is(err, ErrOtherwise) || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("it gives %v, want one that says %q", err, c.refused)
			}
			got := copies(t, from, to, Options{Replace: true})
			if c.refused != "" && (got.Copied != c.want.Copied || got.Replaced != c.want.Replaced || got.Removed != c.want.Removed) {
				t.Errorf("it reports %+v, want %+v", got, c.want)
			}
			whole := copies(t, from, open(t, "whole.db"), Options{})
			if got.Checksum != whole.Checksum || got.Documents != whole.Documents {
				t.Errorf("it ends with %+v, want %+v", got, whole)
			}
			have, err := to.Models(t.Context())
			must(t, err)
			want, err := from.Models(t.Context())
			must(t, err)
			if fmt.Sprint(have) != fmt.Sprint(want) {
				t.Errorf("it has the models %v, want %v", have, want)
			}
		})
	}
}

// forging is a store that keeps something else than it was given.
type forging struct {
	store.Store
	revision func(*store.Revision)
	vectors  func([]store.Vectors) []store.Vectors
}

func (s forging) Apply(ctx context.Context, c store.Change) (store.Commit, error) {
	for i := range c.Put {
		if r := &c.Put[i]; s.revision != nil && r.Document == id("closed") {
			s.revision(r)
		}
	}
	return s.Store.Apply(ctx, c)
}

func (s forging) PutVectors(ctx context.Context, m store.Model, v []store.Vectors) error {
	if s.vectors != nil {
		v = s.vectors(v)
	}
	return s.Store.PutVectors(ctx, m, v)
}

// What was written is read back: a store that keeps something else is found out.
func TestVerified(t *testing.T) {
	from := library(t, 2)
	for name, to := range map[string]forging{
		"access":          {revision: func(r *store.Revision) { r.Metadata.Access = document.Public() }},
		"title":           {revision: func(r *store.Revision) { r.Title += "!" }},
		"a term":          {revision: func(r *store.Revision) { r.Terms[0].Postings[0].Term += "!" }},
		"time":            {revision: func(r *store.Revision) { r.Seen = r.Seen.Add(1) }},
		"a component":     {vectors: func(v []store.Vectors) []store.Vectors { v[0].Vectors[0][1] += 1e-6; return v }},
		"a vector":        {vectors: func(v []store.Vectors) []store.Vectors { v[3].Vectors = v[3].Vectors[:1]; return v }},
		"all of one":      {vectors: func(v []store.Vectors) []store.Vectors { return v[1:] }},
		"the whole thing": {revision: func(r *store.Revision) { r.Document.Path = "elsewhere" }},
	} {
		to.Store = open(t, "to.db")
		if _, err := Copy(t.Context(), from, to, Options{}); !errors.Is(err, errDiffers) {
			t.Errorf("of another %s it says %v", name, err)
		}
	}
}

func TestProgress(t *testing.T) {
	var told []int
	copies(t, library(t, 70), open(t, "to.db"), Options{Progress: func(done, total int) { told = append(told, done, total) }})
	if fmt.Sprint(told) != "[64 78 77 78 78 78]" {
		t.Errorf("it tells %v", told)
	}
}

// Of large documents fewer are held in memory and written at once.
func TestLargeDocuments(t *testing.T) {
	from, to := library(t, 0), open(t, "to.db")
	var put []store.Revision
	for n := range 3 {
		put = append(put, on(0, fmt.Sprintf("big%d", n), fmt.Sprintf("large words %d", n)+strings.Repeat("\n", batchBytes*3/4)))
	}
	apply(t, from, store.Change{Put: put})
	var told []int
	copies(t, from, to, Options{Progress: func(done, total int) { told = append(told, done) }})
	if fmt.Sprint(told) != "[3 10 11]" { // acme, big0 and big1; the others; those of the other source
		t.Errorf("it tells %v", told)
	}
}
