package quarry_test

import (
	"context"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/source"
)

// TestPast adds a source that knows what its documents were: each day sees what was true
// then, also when the add is broken off half way and done again, and a later sync takes
// nothing of it in again.
func TestPast(t *testing.T) {
	day := func(s string) time.Time { d, _ := time.Parse("2006-01-02", s); return d }
	item := func(path, colour string, err error) source.Item {
		return source.NewItem(path, path, 0, func(context.Context) (source.Original, error) {
			return source.Bare(fmt.Appendf(nil, "# Lamp\n\nThe lamp is %s.\n", colour)), err
		})
	}
	for _, broken := range []bool{false, true} {
		now := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
		corpus := over(t, quarry.Options{Clock: func() time.Time { return now }})
		place := filled(0)
		place.texts["a.md"] = "# Lamp\n\nThe lamp is blue.\n"
		place.texts["b.md"] = "# Other\n\nThe other lamp is white.\n"
		fault := error(nil)
		if broken {
			fault = fmt.Errorf("read a.md: %w", syscall.EMFILE)
		}
		place.past = []source.Past{
			{Since: day("2024-01-10"), Items: []source.Item{item("a.md", "red", nil)}},
			{Since: day("2025-03-01"), Items: []source.Item{item("a.md", "green", fault), item("b.md", "grey", source.ErrUnavailable)}},
		}
		if broken {
			if _, err := corpus.SyncFrom(t.Context(), "shelf", place, quarry.SyncOptions{}); err == nil {
				t.Fatal("a machine that fails does not end the sync")
			}
			place.past[1].Items[0] = item("a.md", "green", nil)
		}
		if r := syncShelf(t, corpus, place, false); !slices.Equal(r.Added, []string{"a.md", "b.md"}) {
			t.Errorf("the report is %+v", r)
		}
		if r := syncShelf(t, corpus, place, false); r.Unchanged != 2 || len(r.Added)+len(r.Changed) > 0 {
			t.Errorf("the second report is %+v", r)
		}
		for _, c := range []struct{ asOf, want string }{
			{"2023-12-31", ""}, {"2024-01-10", "red"}, {"2025-02-28", "red"}, {"2025-03-01", "green"}, {"2026-06-14", "green"}, {"2026-06-15", "blue"}, {"", "blue"},
		} {
			scope := document.Scope{}
			if c.asOf != "" {
				scope.AsOf = document.DayOf(day(c.asOf))
			}
			want := ""
			if c.want != "" {
				want = "# Lamp\n\nThe lamp is " + c.want + ".\n"
			}
			if d, err := corpus.Document(t.Context(), document.ID{Source: "shelf", Path: "a.md"}, scope); d.Text != want || (err == nil) != (want != "") {
				t.Errorf("broken %v, as of %q it is %q, %v", broken, c.asOf, d.Text, err)
			}
		}
	}
}

// A numbered version holds from when its first revision was seen, also where that is one of a
// past that is taken in with the source; and its older revisions hold as it does. Inferring it
// anew changes nothing.
func TestPastOfSeries(t *testing.T) {
	day := func(s string) time.Time { d, _ := time.Parse("2006-01-02", s); return d }
	item := func(path string, days int) source.Item {
		return source.NewItem(path, path, 0, func(context.Context) (source.Original, error) {
			return source.Bare([]byte(leave(days))), nil
		})
	}
	now := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	corpus := over(t, quarry.Options{Clock: func() time.Time { return now }})
	place := filled(0)
	place.texts["leave-v1.md"], place.texts["leave-v2.md"] = leave(20), leave(23)
	place.past = []source.Past{
		{Since: day("2020-01-01"), Items: []source.Item{item("leave-v1.md", 20)}},
		{Since: day("2021-01-01"), Items: []source.Item{item("leave-v2.md", 22)}},
	}
	syncShelf(t, corpus, place, false)
	seen := func() string {
		return fmt.Sprint("2020: ", held(t, corpus, "2020-06-01"), "; 2021: ", held(t, corpus, "2021-06-01"), "; now: ", held(t, corpus, ""))
	}
	const want = "2020: leave-v1.md [2020-01-01, 2021-01-01) file names; 2021: leave-v2.md [2021-01-01, ) file names; now: leave-v2.md [2021-01-01, ) file names"
	if got := seen(); got != want {
		t.Errorf("after the first sync %s, want %s", got, want)
	}
	place.texts["leave-v2.md"] = leave(24)
	now = now.AddDate(0, 0, 3)
	syncShelf(t, corpus, place, false)
	if got := seen(); got != want {
		t.Errorf("after the next sync %s, want %s", got, want)
	}
}
