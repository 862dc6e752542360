package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// Who holds a name is found as by looking through all of them, whatever the names, and
// however many share one.
func TestHolders(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	for _, c := range []struct {
		what string
		rows int
		name func() string
	}{
		{"none", 0, func() string { return "" }},
		{"one", 1, func() string { return "name" }},
		{"hashes", 3000, func() string { return fmt.Sprintf("%016x", rnd.Uint64()) }},
		{"numbers", 3000, func() string { return fmt.Sprint(rnd.IntN(5000)) }},
		{"few, often", 1000, func() string { return fmt.Sprint(rnd.IntN(3)) }},
		{"of up to 40 bytes", 500, func() string { return string(make([]byte, rnd.IntN(40))) }},
	} {
		t.Run(c.what, func(t *testing.T) {
			var list contents
			var names []string
			want := map[string][]int64{}
			for row := int64(900); len(names) < c.rows; row -= 2 { // documents need not ascend
				list.docs = append(list.docs, doc{row: row, first: uint32(len(names))})
				for range min(1+rnd.IntN(30), c.rows-len(names)) {
					name := c.name()
					names = append(names, name)
					want[name] = append(want[name], row)
				}
			}
			var docs []int64
			for _, d := range list.docs {
				docs = append(docs, d.row)
			}
			slices.Sort(docs)
			h, err := decodeHolders(list.holdersOf(docs, func(row uint32) string { return names[row] }, len(names)), docs)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range append([]string{"absent", "", "0"}, names...) {
				var got []int64
				if err := h.of(hashOf(name), func(doc int64) error { got = append(got, doc); return nil }); err != nil {
					t.Fatal(err)
				}
				slices.Sort(want[name])
				if !slices.Equal(got, want[name]) {
					t.Fatalf("%q is held by %v, want %v", name, got, want[name])
				}
			}
		})
	}
}

// The hash is kept in files.
func TestHashOf(t *testing.T) {
	for text, want := range map[string]uint64{"": 0, "a": 0x331b5f3be9257109, "sixteen bytes ab": 0x55d27a4ad74fb532, "more than sixteen bytes": 0x7689b3096a90139b} {
		if got := hashOf(text); got != want {
			t.Errorf("the hash of %q is %#x, want %#x", text, got, want)
		}
	}
}

// An id belongs to one document, whether that came with the same change or before, in
// whatever segment it stands now, until it is removed.
func TestOwnIDs(t *testing.T) {
	ctx := context.Background()
	taken := func(name, id string) store.Revision {
		r := storetest.Make(name, "words of "+name)
		r.Passages[0].ID = document.PassageID(id)
		return r
	}
	for _, commits := range []int{0, 1, fan + 1} { // segments after that of the first
		t.Run(fmt.Sprint(commits), func(t *testing.T) {
			s := open(t, filepath.Join(t.TempDir(), "quarry.db"), Options{})
			docs := &document.Source{Name: "docs", Kind: "folder", Root: "/"}
			put := func(r ...store.Revision) error {
				_, err := s.Apply(ctx, store.Change{Source: docs, Put: r})
				return err
			}
			if err := put(taken("a", "00ff")); err != nil {
				t.Fatal(err)
			}
			for i := range commits {
				if err := put(storetest.Make(fmt.Sprint("other", i), fmt.Sprint("words ", i))); err != nil {
					t.Fatal(err)
				}
			}
			for what, r := range map[string][]store.Revision{
				"of before": {taken("b", "00ff")}, "of the same change": {taken("b", "01"), taken("c", "01")},
			} {
				if err := put(r...); !errors.Is(err, store.ErrInvalid) {
					t.Errorf("an id %s gives %v", what, err)
				}
			}
			if err := put(taken("b", "00fe")); err != nil {
				t.Errorf("an id of its own gives %v", err)
			}
			if _, err := s.Apply(ctx, store.Change{Remove: []document.ID{{Source: "docs", Path: "a"}}, Put: []store.Revision{taken("c", "00ff")}}); err != nil {
				t.Errorf("the id of a document that goes gives %v", err)
			}
			if err := s.Check(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}

func FuzzHolders(f *testing.F) {
	list := contents{docs: []doc{{row: 1}, {row: 5, first: 1}}}
	whole := list.holdersOf([]int64{1, 5}, func(row uint32) string { return fmt.Sprint(row) }, 3)
	f.Add(whole[:len(whole)-4], uint64(1))
	f.Fuzz(func(t *testing.T, raw []byte, hash uint64) {
		h, err := decodeHolders(seal(raw), []int64{1, 5})
		if err != nil {
			if !errors.Is(err, store.ErrDamaged) {
				t.Error(err)
			}
			return
		}
		if at := h.seek(hash); at > 0 && h.at(at-1) >= hash || at < h.n() && h.at(at) < hash {
			t.Errorf("seek gives %d of %d", at, h.n())
		}
	})
}
