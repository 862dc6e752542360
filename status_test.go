package quarry_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/store"
)

// What status says of a source after each sync: when it was compared whole, what the last sync
// that did something did, and whether it is late.
func TestStatus(t *testing.T) {
	now := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	c := over(t, quarry.Options{Freshness: 4 * time.Hour, Clock: func() time.Time { return now }})
	place := filled(8)
	whole, did := now, now // as they are expected
	for _, s := range []struct {
		what   string
		after  time.Duration // the step before
		sync   func()
		whole  bool // compared
		did    bool // something, or went wrong
		last   store.Sync
		late   bool
		failed string // of a document, with when it is tried again
	}{
		{what: "added", sync: func() {}, whole: true, did: true, last: store.Sync{Added: 8}},
		{what: "nothing to do, soon after", after: 59 * time.Minute, sync: func() {}, last: store.Sync{Added: 8}},
		{what: "nothing to do, a quarter of the target after", after: time.Minute, sync: func() {}, whole: true, last: store.Sync{Added: 8}},
		{what: "changed, removed and renamed", after: time.Minute, sync: func() {
			place.texts["d07.md"], place.texts["new.md"] = "# Seven\n\nThe lamp is green.\n", place.texts["d06.md"]
			place.take(5, 7)
		}, whole: true, did: true, last: store.Sync{Changed: 1, Removed: 1, Renamed: 1, Unchanged: 5}},
		{what: "a document that fails", after: time.Minute, sync: func() { place.texts["d01.md"] = "" }, whole: true, did: true,
			last: store.Sync{Failed: 1, Unchanged: 6}, failed: "d01.md when it changes"},
		{what: "and goes on failing", after: time.Minute, sync: func() {}, last: store.Sync{Failed: 1, Unchanged: 6}, failed: "d01.md when it changes"},
		{what: "one that is not to be had", after: time.Minute, sync: func() {
			place.texts["d01.md"] = "# One\n\nThe lamp is back.\n"
			place.faults["d02.md"] = fmt.Errorf("it answers 500: %w", source.ErrUnavailable)
		}, whole: true, did: true, last: store.Sync{Changed: 1, Unreached: 1, Unchanged: 5}},
		{what: "the listing fails", after: time.Hour, sync: func() { place.failed = errors.New("the disk is gone") }, did: true, last: store.Sync{Error: "the disk is gone"}},
		{what: "for long", after: 4 * time.Hour, sync: func() {}, last: store.Sync{Error: "the disk is gone"}, late: true},
		{what: "a part of it", after: time.Minute, sync: func() { place.failed, place.partial = nil, true }, did: true, late: true,
			last: store.Sync{Unreached: 1, Unchanged: 6, Error: "a part of it could not be listed, so nothing was removed"}},
		{what: "more is gone than may go", after: time.Minute, sync: func() { place.partial, place.faults = false, nil; place.take(0, 5) }, did: true, late: true,
			last: store.Sync{Withheld: 5, Unchanged: 2}},
		{what: "mended", after: time.Minute, sync: func() {
			for path, text := range filled(5).texts {
				place.texts[path] = text
			}
		}, whole: true, did: true, last: store.Sync{Changed: 1, Unchanged: 6}},
	} {
		now = now.Add(s.after)
		s.sync()
		r, err := c.SyncFrom(t.Context(), "shelf", place, quarry.SyncOptions{})
		if (err != nil) != (s.last.Error == "the disk is gone") {
			t.Fatalf("%s: %+v, %v", s.what, r, err)
		}
		if s.whole {
			whole = now
		}
		if s.did {
			did = now
		}
		list, err := c.Status(t.Context())
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %+v, %v", s.what, list, err)
		}
		got := list[0]
		if !got.Last.Whole.Equal(whole) || !got.Last.At.Equal(did) || got.Lag != now.Sub(whole) || got.Late != s.late {
			t.Errorf("%s: compared at %v, did something at %v, lag %v, late %v", s.what, got.Last.Whole, got.Last.At, got.Lag, got.Late)
		}
		if got.Last.Whole, got.Last.At = (time.Time{}), (time.Time{}); got.Last != s.last {
			t.Errorf("%s: the last sync did %+v, want %+v", s.what, got.Last, s.last)
		}
		failed := ""
		for _, f := range got.Failed {
			failed += f.Document + " " + f.Retry
		}
		if failed != s.failed {
			t.Errorf("%s: failed are %q, want %q", s.what, failed, s.failed)
		}
	}
	if err := c.NoteFailure(t.Context(), "shelf", errors.New("the folder is away")); err != nil {
		t.Error(err)
	}
	if list, err := c.Status(t.Context()); err != nil || list[0].Last.Error != "the folder is away" || !list[0].Last.Whole.Equal(whole) {
		t.Errorf("%+v, %v", list, err)
	}
	if err := c.NoteFailure(t.Context(), "never added", errors.New("it is away")); err != nil {
		t.Errorf("of a source that was not added: %v", err)
	}
}
