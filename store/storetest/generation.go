package storetest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Generation is the change that brings every document of a store to its n-th revision,
// and in some generations removes one: a test that harms a store applies one after the
// other and finds all of one there, whatever happened.
func Generation(n int) store.Change {
	c := store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/docs"}}
	for i := range 5 {
		text := fmt.Sprintf("# Head\ngeneration %d of %d\nconstant words %d\nlast of %d", n, i, i, n)
		r := Make(fmt.Sprintf("doc%d", i), text, func(r *store.Revision) { r.Seen = time.Unix(1_780_000_000, 0) })
		if n%3 == 2 && i == 4 {
			c.Remove = append(c.Remove, r.Document)
			continue
		}
		c.Put = append(c.Put, r)
	}
	return c
}

// GenerationOf reads the generation of a store and checks that all of it is there
// and nothing of another; 0 for an empty store.
func GenerationOf(ctx context.Context, s store.Store) (int, error) {
	v, err := s.View(ctx, document.Scope{})
	if err != nil {
		return 0, err
	}
	defer v.Close()
	list, err := v.Documents(ctx)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	n := 0
	for _, l := range list {
		r, err := v.Document(ctx, l.Document, true)
		if err != nil {
			return 0, err
		}
		of, err := strconv.Atoi(r.Text[strings.LastIndex(r.Text, " ")+1:])
		if err != nil {
			return 0, err
		}
		if n == 0 {
			n = of
		}
		if n != of || len(r.Passages) != 3 {
			return 0, fmt.Errorf("%s is of generation %d with %d passages, others are of %d", l.Document, of, len(r.Passages), n)
		}
	}
	want := 5
	if n%3 == 2 {
		want = 4
	}
	hits, err := v.Keyword(ctx, []store.QueryTerm{{Term: "generation", Weight: 1}}, 100)
	if err != nil {
		return 0, err
	}
	if len(list) != want || hits.Matched != want {
		return 0, fmt.Errorf("generation %d has %d documents, of which %d are found; want %d", n, len(list), hits.Matched, want)
	}
	return n, nil
}
