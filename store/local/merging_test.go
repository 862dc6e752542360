package local

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// numbered is the change that gives a document its n-th text.
func numbered(name string, n int) store.Change {
	text := fmt.Sprintf("# Head\ntext %d of %s\n%s", n, name, strings.Repeat("word ", 5))
	return store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/"}, Put: []store.Revision{storetest.Make(name, text)}}
}

// apply applies changes that must succeed, each after what the one before left to do.
func apply(t *testing.T, s *Store, changes ...store.Change) {
	t.Helper()
	for _, c := range changes {
		if _, err := s.Apply(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if err := s.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// texts are the texts in force, and what the index finds of each document.
func textsOf(t *testing.T, s *Store) (out []string) {
	t.Helper()
	ctx := t.Context()
	v, err := s.View(ctx, document.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	list, err := v.Documents(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		r, err := v.Document(ctx, l.Document, false)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Split(r.Text, "\n")[1])
	}
	hits, err := v.Keyword(ctx, words("text"), 1000)
	if err != nil {
		t.Fatal(err)
	}
	return append(out, fmt.Sprint(hits.Matched))
}

func segmentsOf(t *testing.T, s *Store, where string) (n int) {
	t.Helper()
	if err := s.reading(t.Context(), "counting", func(c *conn) error {
		_, err := c.get(t.Context(), "SELECT count(*) FROM segment WHERE "+where, nil, &n)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

// dueChanges are changes of three documents after the last of which a merge is due, one of
// the documents being the same.
func dueChanges() (changes []store.Change) {
	for n := range fan {
		c := numbered("same", n)
		for _, name := range []string{"a", "b"} {
			c.Put = append(c.Put, numbered(fmt.Sprint(name, n), n).Put...)
		}
		changes = append(changes, c)
	}
	return changes
}

// everyStep is which of the steps of a merge are tried: each, or one in three.
func everyStep() int {
	if testing.Short() {
		return 3
	}
	return 1
}

// A merge has many steps. Killed before any of them, or failing there, it leaves the
// answers as they are, and the next change ends it.
func TestMergeInSteps(t *testing.T) {
	ctx := context.Background()
	steps := 0
	for broken := 0; broken <= steps; broken += everyStep() {
		path, opts := filepath.Join(t.TempDir(), "quarry.db"), beside()
		var copies []string
		steps = 0
		opts.merges.step = func() error {
			if steps++; steps == broken {
				return errors.New("a step that fails")
			}
			if broken == 0 {
				copies = append(copies, filepath.Join(t.TempDir(), "quarry.db"))
				copyStore(t, path, copies[len(copies)-1])
			}
			return nil
		}
		s := open(t, path, opts)
		changes := dueChanges()
		apply(t, s, changes[:fan-1]...)
		if steps > 0 {
			t.Fatal("a merge began before it was due")
		}
		apply(t, s, changes[fan-1])
		want := textsOf(t, s)
		if broken == 0 && (steps < 10 || segmentsOf(t, s, "true") != 1) {
			t.Errorf("the merge had %d steps and left %d segments", steps, segmentsOf(t, s, "true"))
		}
		for at, path := range append(copies, path) {
			s.Close()
			s = open(t, path, beside())
			if err := s.Check(ctx); err != nil {
				t.Errorf("fault %d, copy %d: %v", broken, at, err)
			}
			if got := textsOf(t, s); !slices.Equal(got, want) {
				t.Errorf("fault %d, copy %d: it holds %q, want %q", broken, at, got, want)
			}
			apply(t, s, numbered("same", 100))
			if got := segmentsOf(t, s, "last < 0"); got != 0 || segmentsOf(t, s, "true") > 2 {
				t.Errorf("fault %d, copy %d: %d of %d segments are of no use", broken, at, got, segmentsOf(t, s, "true"))
			}
			if err := s.Check(ctx); err != nil {
				t.Errorf("fault %d, copy %d, after a change: %v", broken, at, err)
			}
		}
		s.Close()
	}
}

// What happens between two steps of a merge, whichever they are, holds: a change waits for
// no merge, and what it says counts, also where it takes away what is being merged.
func TestChangesWhileMerging(t *testing.T) {
	ctx := context.Background()
	for what, change := range map[string]store.Change{
		"a new document":     numbered("new", 0),
		"a changed document": numbered("a3", 100),
		"a document removed": {Remove: []document.ID{{Source: "docs", Path: "a3"}}},
	} {
		t.Run(what, func(t *testing.T) {
			plain := open(t, filepath.Join(t.TempDir(), "quarry.db"), Options{})
			apply(t, plain, append(dueChanges(), change)...)
			want := textsOf(t, plain)
			for at, reached := 1, true; reached; at += everyStep() {
				opts := beside()
				var s *Store
				done := 0
				opts.merges.step = func() error {
					if done++; done == at {
						if _, err := s.Apply(ctx, change); err != nil {
							t.Error(err)
						}
					}
					return nil
				}
				s = open(t, filepath.Join(t.TempDir(), "quarry.db"), opts)
				textsOf(t, s) // with the index in memory
				apply(t, s, dueChanges()...)
				if reached = done >= at; !reached {
					if done < 10 {
						t.Errorf("a merge has %d steps", done)
					}
					break
				}
				if got := textsOf(t, s); !slices.Equal(got, want) {
					t.Errorf("before step %d: it holds %q, want %q", at, got, want)
				}
				if err := s.Check(ctx); err != nil {
					t.Errorf("before step %d: %v", at, err)
				}
				if got := segmentsOf(t, s, "last < 0"); got != 0 {
					t.Errorf("before step %d: %d segments are of no use", at, got)
				}
				s.Close()
			}
		})
	}
}

// What a merge left in memory is no witness of what it left in the file.
func TestCheckAfterMerging(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := open(t, path, beside())
	textsOf(t, s) // with the index in memory
	apply(t, s, dueChanges()...)
	if s.merges.ready.Load() == nil {
		t.Fatal("the merge left nothing in memory")
	}
	execute(t, path, "UPDATE part SET body = zeroblob(length(body))")
	if err := s.Check(t.Context()); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a check of a damaged index says %v", err)
	}
}

// From the commit that removes a document on no segment holds it, seen or not, whichever
// step a merge is at and if no other one is ever made: also what a crash would leave.
func TestRemovedWhileMerging(t *testing.T) {
	ctx := context.Background()
	for at, reached := 1, true; reached; at += everyStep() {
		opts := beside()
		var s *Store
		done, removed := 0, int64(0)
		holding := func() (n int) {
			if err := s.reading(ctx, "counting", func(c *conn) error {
				var ids []int64
				var id int64
				err := c.each(ctx, "SELECT id FROM segment", nil, []any{&id}, func() error { ids = append(ids, id); return nil })
				for _, id := range ids {
					docs, err := c.rowsOf(ctx, id)
					if err != nil {
						return err
					}
					if slices.Contains(docs, removed) {
						n++
					}
				}
				return err
			}); err != nil {
				t.Error(err)
			}
			return n
		}
		opts.merges.step = func() error {
			if done++; done == at {
				if err := s.reading(ctx, "looking", func(c *conn) error {
					_, err := c.get(ctx, "SELECT id FROM document WHERE path = 'a3'", nil, &removed)
					return err
				}); err != nil || holding() == 0 {
					t.Errorf("before step %d: document %d is in no segment, %v", at, removed, err)
				}
				if _, err := s.Apply(ctx, store.Change{Remove: []document.ID{{Source: "docs", Path: "a3"}}}); err != nil {
					t.Error(err)
				}
			}
			if n := holding(); done >= at && n > 0 {
				t.Errorf("removed before step %d: at step %d it is in %d segments", at, done, n)
			}
			return nil
		}
		s = open(t, filepath.Join(t.TempDir(), "quarry.db"), opts)
		apply(t, s, dueChanges()...)
		if reached = done >= at; reached && holding() > 0 {
			t.Errorf("removed before step %d: it is left in the end", at)
		}
		s.Close()
	}
}

// Two processes that write the same store come between each other's merges, whichever
// step they are at, and whether one takes the other for dead or not.
func TestTwoMerging(t *testing.T) {
	for _, patience := range []int64{1, abandoned} {
		t.Run(fmt.Sprint(patience), func(t *testing.T) {
			plain := open(t, filepath.Join(t.TempDir(), "quarry.db"), Options{})
			apply(t, plain, dueChanges()...)
			apply(t, plain, numbered("a3", 100), numbered("b4", 100))
			want := textsOf(t, plain)
			for at, reached := 1, true; reached; at += everyStep() {
				path, opts := filepath.Join(t.TempDir(), "quarry.db"), beside()
				opts.merges.patience = patience
				other, done := (*Store)(nil), 0
				mine := opts
				mine.merges.step = func() error {
					if done++; done == at {
						apply(t, other, numbered("a3", 100), numbered("b4", 100))
					}
					return nil
				}
				s := open(t, path, mine)
				other = open(t, path, opts)
				apply(t, s, dueChanges()...)
				if reached = done >= at; reached {
					for i, s := range []*Store{s, other} {
						if got := textsOf(t, s); !slices.Equal(got, want) || s.index.damaged.Load() {
							t.Errorf("before step %d: store %d holds %q, want %q; damaged: %v", at, i, got, want, s.index.damaged.Load())
						}
					}
					if err := s.Check(t.Context()); err != nil {
						t.Errorf("before step %d: %v", at, err)
					}
				}
				other.Close()
				s.Close()
			}
		})
	}
}
