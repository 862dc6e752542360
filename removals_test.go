package quarry_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/source"
)

// shelf is a place whose originals, and whose faults, a test decides.
type shelf struct {
	texts   map[string]string
	faults  map[string]error // by path, of reading it
	failed  error            // of the listing
	partial bool
	past    []source.Past
}

func (*shelf) Kind() string { return "shelf" }
func (*shelf) Root() string { return "shelf:one" }

func (s *shelf) List(context.Context) (source.Listing, error) {
	l := source.Listing{Complete: !s.partial, Past: s.past}
	for path, text := range s.texts {
		l.Items = append(l.Items, source.NewItem(path, path, int64(len(text)), func(context.Context) (source.Original, error) {
			return source.Bare([]byte(text)), s.faults[path]
		}))
	}
	slices.SortFunc(l.Items, func(a, b source.Item) int { return strings.Compare(a.Path, b.Path) })
	return l, s.failed
}

// filled gives a place with so many documents: d00.md, d01.md, ...
func filled(documents int) *shelf {
	s := &shelf{texts: map[string]string{}, faults: map[string]error{}}
	for i := range documents {
		s.texts[fmt.Sprintf("d%02d.md", i)] = fmt.Sprintf("# Number %d\n\nThe lamp of room %d is red.\n", i, i)
	}
	return s
}

func (s *shelf) take(from, to int) {
	for i := from; i < to; i++ {
		delete(s.texts, fmt.Sprintf("d%02d.md", i))
	}
}

func syncShelf(t *testing.T, c *quarry.Corpus, s *shelf, confirm bool) quarry.Report {
	t.Helper()
	r, err := c.SyncFrom(t.Context(), "shelf", s, quarry.SyncOptions{ConfirmRemovals: confirm})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What of a source that held so many documents may go at once.
func TestRemovalsWait(t *testing.T) {
	for _, c := range []struct {
		what       string
		share      float64 // 0 is the default, a quarter
		held, gone int
		confirm    bool
		removed    int
		withheld   int
		closed     bool // the listing failed part-way
	}{
		{what: "a quarter goes", held: 16, gone: 4, removed: 4},
		{what: "more than a quarter waits", held: 16, gone: 5, withheld: 5},
		{what: "more than a quarter goes when confirmed", held: 16, gone: 5, confirm: true, removed: 5},
		{what: "three of a small source go", held: 4, gone: 3, removed: 3},
		{what: "four of a small source wait", held: 5, gone: 4, withheld: 4},
		{what: "the share is a setting", share: 0.5, held: 16, gone: 8, removed: 8},
		{what: "a share of 1 never waits", share: 1, held: 16, gone: 15, removed: 15},
		{what: "all goes when confirmed", held: 16, gone: 16, confirm: true, removed: 16},
		{what: "a listing that failed part-way removes nothing", held: 16, gone: 2, closed: true},
		{what: "not even when confirmed", held: 16, gone: 2, closed: true, confirm: true},
		{what: "not even when nothing was listed", held: 16, gone: 16, closed: true, confirm: true},
	} {
		t.Run(c.what, func(t *testing.T) {
			corpus := over(t, quarry.Options{Removals: c.share})
			place := filled(c.held)
			syncShelf(t, corpus, place, false)
			place.take(0, c.gone)
			place.partial = c.closed
			for range 2 { // what waits goes on waiting
				r := syncShelf(t, corpus, place, c.confirm)
				if len(r.Removed) != c.removed || len(r.Withheld) != c.withheld || r.Unchanged != c.held-c.gone || r.Incomplete != c.closed {
					t.Errorf("the report is %+v", r)
				}
				list, err := corpus.Documents(t.Context(), document.Scope{})
				if want := c.held - c.removed; err != nil || len(list) != want {
					t.Errorf("%d documents are indexed, not %d, %v", len(list), want, err)
				}
				if c.removed > 0 {
					break
				}
			}
		})
	}
}

// While removals wait, the rest of the sync is done, and the source is not called
// compared.
func TestRestOfWaitingSync(t *testing.T) {
	corpus := over(t, quarry.Options{})
	place := filled(8)
	syncShelf(t, corpus, place, false)
	before, err := corpus.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	place.take(0, 6)
	place.texts["d07.md"], place.texts["new.md"] = "# Seven\n\nThe lamp is green.\n", "# New\n\nThe lamp is blue.\n"
	if r := syncShelf(t, corpus, place, false); len(r.Withheld) != 6 || !slices.Equal(r.Changed, []string{"d07.md"}) || !slices.Equal(r.Added, []string{"new.md"}) {
		t.Errorf("the report is %+v", r)
	}
	if after, err := corpus.Status(t.Context()); err != nil || !after[0].Last.Whole.Equal(before[0].Last.Whole) {
		t.Errorf("it was synced at %v and %v, %v", before, after, err)
	}
}

// What one original says when it is read decides about that one alone: gone is
// removed, not to be had stays as it was, unreadable is closed.
func TestFaultsOfOriginals(t *testing.T) {
	for _, partial := range []bool{false, true} {
		corpus := over(t, quarry.Options{})
		place := filled(6)
		syncShelf(t, corpus, place, false)
		place.partial = partial
		place.texts["new.md"] = "# New\n"
		place.faults = map[string]error{
			"d01.md": fmt.Errorf("it answers 404: %w", source.ErrGone),
			"d02.md": fmt.Errorf("it answers 500: %w", source.ErrUnavailable),
			"d03.md": errors.New("it answers 403"),
			"new.md": fmt.Errorf("it answers 500: %w", source.ErrUnavailable),
		}
		r := syncShelf(t, corpus, place, false)
		if !slices.Equal(r.Removed, []string{"d01.md"}) || len(r.Failed) != 1 || r.Failed[0].Document != "d03.md" || r.Unchanged != 3 {
			t.Errorf("the report is %+v", r)
		}
		if len(r.Unreached) != 2 || r.Unreached[0] != (quarry.Problem{Document: "d02.md", Error: "it answers 500: not to be had now"}) || r.Unreached[1].Document != "new.md" {
			t.Errorf("not reached are %v", r.Unreached)
		}
		list, err := corpus.Documents(t.Context(), document.Scope{})
		if err != nil || len(list) != 4 { // d03 is seen by nobody
			t.Errorf("%d documents are seen, %v", len(list), err)
		}
		place.faults = nil
		if r := syncShelf(t, corpus, place, false); !slices.Equal(r.Added, []string{"d01.md", "new.md"}) || !slices.Equal(r.Changed, []string{"d03.md"}) || r.Unchanged != 4 {
			t.Errorf("mended, the report is %+v", r)
		}
	}
}

// A listing that gives nothing at all is an error, and removes nothing.
func TestFailedListing(t *testing.T) {
	corpus := over(t, quarry.Options{})
	place := filled(3)
	syncShelf(t, corpus, place, false)
	for _, c := range []struct {
		what string
		with *shelf
		want string
	}{
		{"failed", &shelf{failed: errors.New("the disk is gone")}, "the disk is gone"},
		{"empty", &shelf{}, "run quarry remove shelf"},
	} {
		_, err := corpus.SyncFrom(t.Context(), "shelf", c.with, quarry.SyncOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
		if list, err := corpus.Documents(t.Context(), document.Scope{}); err != nil || len(list) != 3 {
			t.Errorf("%s: %d documents are left, %v", c.what, len(list), err)
		}
	}
}
