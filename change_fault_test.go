package quarry_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/source"
)

// What a change meets: a source that fails on the way, readers, other syncs, and a clock that
// jumps.

// shown is what everybody sees of a corpus: the text in force of each document.
func shown(t *testing.T, c *quarry.Corpus) map[string]string {
	t.Helper()
	list, err := c.Documents(t.Context(), document.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, d := range list {
		r, err := c.Document(t.Context(), d.Document, document.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		out[d.Document.Path] = r.Text
	}
	return out
}

// generation gives a place of so many documents, of which each says which generation it is of
// in every paragraph.
func generation(documents, n int) *shelf {
	s := filled(documents)
	for path := range s.texts {
		s.texts[path] = fmt.Sprintf("# %s\n\nThe lamp is of generation %d.\n\n## Sofas\n\nThe sofa is of generation %d.\n\n## Doors\n\nThe door is of generation %d.\n", path, n, n, n)
	}
	return s
}

// A sync that ends at the n-th document, whatever n is, leaves each document whole as it was
// before or after, removes nothing, and what it did not do the next sync does.
func TestSourceStops(t *testing.T) {
	const documents = 70 // more than a batch
	before, after := generation(documents, 1), generation(documents, 2)
	after.take(0, 3)
	after.texts["new.md"] = "# New\n\nThe lamp is new.\n"
	paths := slices.Sorted(maps.Keys(after.texts))
	first := filepath.Join(t.TempDir(), "q.db")
	c := changingAt(t, first)
	syncShelf(t, c.Corpus, before, false)
	ok(t, c.store.Close())
	for how, at := range map[string][]int{"machine": {0, 40, 65}, "interrupted": {1, 64, len(paths) - 1}} {
		for _, n := range at {
			c := changingAt(t, copied(t, first))
			ctx, cancel := context.WithCancel(t.Context())
			place := &stopping{shelf: after, at: paths[n], stop: func() error { return fmt.Errorf("read: %w", syscall.EIO) }}
			if how == "interrupted" {
				place.stop = func() error { cancel(); return context.Canceled }
			}
			r, err := c.SyncFrom(ctx, "shelf", place, quarry.SyncOptions{})
			cancel()
			if err == nil || len(r.Removed)+len(r.Failed) > 0 {
				t.Errorf("%s at %d: %+v, %v", how, n, r, err)
			}
			now := shown(t, c.Corpus)
			for path, text := range now {
				if text != before.texts[path] && text != after.texts[path] {
					t.Errorf("%s at %d: %s is %q", how, n, path, text)
				}
			}
			for path := range before.texts {
				if now[path] == "" {
					t.Errorf("%s at %d: %s is gone", how, n, path)
				}
			}
			syncShelf(t, c.Corpus, after, false)
			if got := shown(t, c.Corpus); !maps.Equal(got, after.texts) {
				t.Errorf("%s at %d: the next sync gives %d documents of %d", how, n, len(got), len(after.texts))
			}
		}
	}
}

// stopping is a place that stops when one of its originals is read, with an error or for a while.
type stopping struct {
	*shelf
	at   string
	stop func() error
}

func (s *stopping) List(ctx context.Context) (source.Listing, error) {
	l, err := s.shelf.List(ctx)
	for i, item := range l.Items {
		if item.Path == s.at {
			l.Items[i] = source.NewItem(item.Path, item.Path, item.Size, func(ctx context.Context) (source.Original, error) {
				if err := s.stop(); err != nil {
					return source.Original{}, err
				}
				return item.Read(ctx)
			})
		}
	}
	return l, err
}

// A listing that ends at the n-th item removes nothing, and what it gave is indexed.
func TestListingStops(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8} {
		c := newChanging(t)
		s := document.Source{Name: "uploads", Kind: "program", Root: "x"}
		put := func(stop int) (quarry.Report, error) {
			return c.Put(t.Context(), s, func(yield func(quarry.Upload, error) bool) {
				for i := range 8 {
					if i == stop {
						yield(quarry.Upload{}, errors.New("the list ends here"))
						return
					}
					text := fmt.Appendf(nil, "# Number %d\n\nThe lamp is of round %d.\n", i, stop)
					if !yield(quarry.Upload{Path: fmt.Sprint(i, ".md"), Data: text, Metadata: document.Metadata{Access: document.Public()}}, nil) {
						return
					}
				}
			}, quarry.Progress{})
		}
		if _, err := put(100); err != nil {
			t.Fatal(err)
		}
		r, err := put(n)
		if (err == nil) != (n == 8) || len(r.Removed) > 0 {
			t.Errorf("at %d: %+v, %v", n, r, err)
		}
		if got := shown(t, c.Corpus); len(got) != 8 {
			t.Errorf("at %d: %d documents are left", n, len(got))
		}
	}
}

// Readers beside a sync see each document whole, of one generation, with the passages of that
// alone: in a list of hits, in evidence, in an answer and when it is opened. Each sync waits in its
// middle for a read of both, so that there are some beside it.
func TestSearchDuringChange(t *testing.T) {
	const documents, generations = 20, 6
	c := over(t, quarry.Options{})
	syncShelf(t, c, generation(documents, 0), false)
	var done atomic.Bool
	var group sync.WaitGroup
	var reads [2]chan struct{} // of each reader, one that nobody has waited for yet
	number := func(text string) string {
		_, rest, _ := strings.Cut(text, "generation ")
		n, _, _ := strings.Cut(rest, ".")
		return n
	}
	for reader := range reads {
		read := make(chan struct{}, 1)
		reads[reader] = read
		group.Go(func() {
			defer close(read)
			for !done.Load() {
				asked, err := c.Ask(t.Context(), "Of which generation are the lamp, the sofa and the door?", document.Scope{})
				if err != nil {
					t.Error(err)
					return
				}
				of := map[document.ID]string{}
				one := func(id document.ID, revision, text string) {
					is := revision + " " + number(text)
					if was := of[id]; was != "" && was != is {
						t.Errorf("%s is %s and %s at once", id, was, is)
					}
					of[id] = is
				}
				for _, x := range asked.Candidates {
					one(x.Document, x.Revision, x.Text)
				}
				for _, p := range asked.Evidence {
					one(p.Document, p.Revision, p.Text)
				}
				for _, x := range asked.Answer.Citations {
					one(x.Document, x.Revision, x.Quote)
				}
				id := document.ID{Source: "shelf", Path: fmt.Sprintf("d%02d.md", reader)}
				r, err := c.Document(t.Context(), id, document.Scope{})
				if err != nil {
					t.Error(err)
					return
				}
				last := number(r.Text)
				if strings.Count(r.Text, "generation "+last+".") != 3 || len(r.Passages) != 3 {
					t.Errorf("%s is %q in %d passages", id, r.Text, len(r.Passages))
				}
				select {
				case read <- struct{}{}:
				default:
				}
			}
		})
	}
	for n := 1; n <= generations; n++ {
		place := &stopping{shelf: generation(documents, n), at: "d10.md", stop: func() error {
			for _, read := range reads {
				for range 2 { // the first may be of before
					if _, goesOn := <-read; !goesOn {
						return errors.New("a reader has ended")
					}
				}
			}
			return nil
		}}
		if r, err := c.SyncFrom(t.Context(), "shelf", place, quarry.SyncOptions{}); err != nil || len(r.Changed) != documents {
			t.Errorf("%+v, %v", r, err)
		}
	}
	done.Store(true)
	group.Wait()
}

// What another sync adds while one is under way is not removed by it, and what is removed
// meanwhile stays so.
func TestAddedDuringSync(t *testing.T) {
	c := newChanging(t)
	place := filled(6)
	syncShelf(t, c.Corpus, place, false)
	place.take(0, 1)
	more := filled(6)
	more.texts["added.md"] = "# Added\n\nThe lamp is new.\n"
	slow := &stopping{shelf: place, at: "d03.md", stop: func() error {
		_, err := c.SyncFrom(t.Context(), "shelf", more, quarry.SyncOptions{})
		return errors.Join(err, fmt.Errorf("for now: %w", source.ErrUnavailable))
	}}
	if r, err := c.SyncFrom(t.Context(), "shelf", slow, quarry.SyncOptions{}); err != nil || !slices.Equal(r.Removed, []string{"d00.md"}) || len(r.Unreached) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if got := shown(t, c.Corpus); got["added.md"] == "" || got["d00.md"] != "" || len(got) != 6 {
		t.Errorf("it holds %v", slices.Sorted(maps.Keys(got)))
	}
}

// Whichever way the clock jumps, and whatever changes meanwhile: what was added is there, and
// the newest text is in force after the next sync; as of a day before, the text of then.
func TestClockJumps(t *testing.T) {
	const one, two, three = "# Fee\n\nThe fee is 1 EUR.\n", "# Fee\n\nThe fee is 2 EUR.\n", "# Fee\n\nThe fee is 3 EUR.\n"
	real := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	for _, jump := range []struct {
		what string
		by   time.Duration
	}{
		{"a day on", 24 * time.Hour}, {"two days on", 48 * time.Hour}, {"ten years on", 87_600 * time.Hour},
		{"an hour back", -time.Hour}, {"two days back", -48 * time.Hour}, {"fifty years back", -438_000 * time.Hour},
	} {
		t.Run(jump.what, func(t *testing.T) {
			c := newChanging(t)
			place := &shelf{texts: map[string]string{"fee.md": one, "still.md": "# Still\n\nThe sofa is red.\n"}}
			c.now = real
			syncShelf(t, c.Corpus, place, false)

			c.now = real.Add(jump.by) // and a document changes, and one comes
			place.texts["fee.md"], place.texts["new.md"] = two, "# New\n\nThe door is blue.\n"
			syncShelf(t, c.Corpus, place, false)
			if got := shown(t, c.Corpus); got["fee.md"] != two || got["new.md"] == "" {
				t.Errorf("while it is wrong, the fee is %q of %d documents", got["fee.md"], len(got))
			}

			c.now = real.Add(3 * time.Hour) // mended
			syncShelf(t, c.Corpus, place, false)
			if got := shown(t, c.Corpus); !maps.Equal(got, place.texts) {
				t.Errorf("mended, it shows %q", got)
			}
			if r := syncShelf(t, c.Corpus, place, false); r.Unchanged != 3 {
				t.Errorf("then %+v", r)
			}

			c.now = real.AddDate(0, 0, 5)
			place.texts["fee.md"] = three
			syncShelf(t, c.Corpus, place, false)
			if got := shown(t, c.Corpus); !maps.Equal(got, place.texts) {
				t.Errorf("later it shows %q", got)
			}
			day := document.DayOf(real.AddDate(0, 0, 3))
			if r, err := c.Document(t.Context(), document.ID{Source: "shelf", Path: "fee.md"}, document.Scope{AsOf: day}); err != nil || r.Text != two {
				t.Errorf("as of before, it is %q, %v", r.Text, err)
			}
		})
	}
}
