package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// Texts that documents choose may be longer than a row of an index, and that cannot be made
// short by compressing it: they are kept and found like others.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	rnd := rand.New(rand.NewPCG(3, 1))
	long := func() string {
		var b strings.Builder
		for b.Len() < 20_000 {
			fmt.Fprintf(&b, "%x-", rnd.Uint64())
		}
		return b.String()
	}
	in := newPlaces(t)
	s := in.lend(t, time.Now)
	title, name, readers := long(), long(), make([]string, 2000)
	for i := range readers {
		readers[i] = fmt.Sprintf("user:%x", rnd.Uint64())
	}
	r := storetest.Make(long(), "# "+long()+"\nsome words", storetest.Meta(func(m *document.Metadata) {
		m.Title, m.Supersedes, m.Attributes = title, []string{long()}, map[string][]string{long(): {long()}}
		m.Access = document.Access{Readers: readers, Deny: []string{long()}}
	}), func(r *store.Revision) { r.Seen = time.Now() })
	r.Names = []string{name}
	c := store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: long()}, Put: []store.Revision{r},
		Fail: []store.Failure{{Document: document.ID{Source: "docs", Path: "b"}, Reason: long(), Access: document.Access{Readers: readers}}}}
	if _, err := s.Apply(ctx, c); err != nil {
		t.Fatal(err)
	}
	if commit, err := s.Apply(ctx, c); err != nil || commit.Changed {
		t.Errorf("the same again: %+v, %v", commit, err)
	}
	v, err := s.View(ctx, document.Scope{Principals: readers[1999:]})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if got, err := v.Document(ctx, r.Document, true); err != nil || !reflect.DeepEqual(got.Metadata, r.Metadata) || !reflect.DeepEqual(got.Sections, r.Sections) || got.Title != title {
		t.Errorf("it is read otherwise than it was put, %v", err)
	}
	if got, err := v.Named(ctx, name); err != nil || !slices.Equal(got, []document.ID{r.Document}) {
		t.Errorf("by its name %v, %v", got, err)
	}
	r = storetest.Make("a", "words")
	r.Document.Path = "\xff"
	if _, err := s.Apply(ctx, store.Change{Put: []store.Revision{r}}); !errors.Is(err, store.ErrInvalid) || !strings.Contains(err.Error(), "rename") {
		t.Errorf("a path that is not UTF-8: %v", err)
	}
	r = storetest.Make("c", "words", storetest.Meta(func(m *document.Metadata) { m.Tenant = strings.Repeat("t", 501) }))
	if _, err := s.Apply(ctx, store.Change{Put: []store.Revision{r}}); !errors.Is(err, store.ErrInvalid) {
		t.Errorf("a long tenant: %v", err)
	}
}

// Postgres has no text with a NUL: it is replaced in what is short, and kept in the canonical
// text.
func TestNUL(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	in := newPlaces(t)
	s := in.lend(t, time.Now)
	r := storetest.Make("a", "# A\x00B\nsome\x00words here", storetest.Meta(func(m *document.Metadata) {
		m.Title, m.Supersedes, m.Attributes = "T\x00T", []string{"x\x00", "x\uFFFD"}, map[string][]string{"k\x00": {"v\x00"}}
		m.Access.Readers = []string{"user:\x00"}
	}), func(r *store.Revision) { r.Seen = time.Now() })
	r.Names = []string{"n\x00", "n\uFFFD"}
	c := store.Change{Source: &document.Source{Name: "docs", Kind: "fol\x00der", Root: "/\xff"}, Put: []store.Revision{r}}
	if _, err := s.Apply(ctx, c); err != nil {
		t.Fatal(err)
	}
	if commit, err := s.Apply(ctx, c); err != nil || commit.Changed {
		t.Errorf("the same again: %+v, %v", commit, err)
	}
	v, err := s.View(ctx, document.Scope{Where: map[string][]string{"k\x00": {"v\x00"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	got, err := v.Document(ctx, r.Document, true)
	if err != nil || got.Text != r.Text || got.Title != "T\uFFFDT" || got.Sections[1].Heading != "A\uFFFDB" || got.Passages[0].Text != "some\x00words here" {
		t.Errorf("it is read as %+v, %v", got, err)
	}
	if ids, err := v.Named(ctx, "n\x00"); err != nil || len(ids) != 1 {
		t.Errorf("by its name %v, %v", ids, err)
	}
	if hits, err := v.Keyword(ctx, []store.QueryTerm{{Term: "some\x00words", Weight: 1}}, 10); err != nil || len(hits.Hits) != 1 {
		t.Errorf("by a word %+v, %v", hits, err)
	}
	if _, err := v.Near(ctx, "here\x00", 1, 10); err != nil {
		t.Errorf("near terms: %v", err)
	}
}
