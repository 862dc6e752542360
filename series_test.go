package quarry_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
)

// leave is a page of a handbook whose versions give other numbers of days.
func leave(days int) string {
	return fmt.Sprintf("# Annual leave\n\nEverybody has %d days of annual leave in a full year of work.\n\n"+
		"Leave is asked for in the calendar at least two weeks before it begins, and the team lead agrees or says why not.\n\n"+
		"Who falls ill during leave gets the days back once the certificate of a doctor is there.\n\n"+
		"Days that are left over at the end of the year can be taken until the end of March of the next one.\n", days)
}

// held lists the documents that are in force on a day, with their validity.
func held(t *testing.T, c *quarry.Corpus, day string, principals ...string) string {
	t.Helper()
	scope := document.Scope{Principals: principals}
	if day != "" {
		var err error
		if scope.AsOf, err = document.ParseDay(day); err != nil {
			t.Fatal(err)
		}
	}
	list, err := c.Documents(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range list {
		if d.Error != "" {
			out = append(out, d.Document.Path+" failed")
			continue
		}
		out = append(out, fmt.Sprintf("%s [%s, %s) %s", d.Document.Path, d.Valid.From, d.Valid.To, d.Inferred))
	}
	return strings.Join(out, "; ")
}

func wantHeld(t *testing.T, c *quarry.Corpus, day, want string) {
	t.Helper()
	if got := held(t, c, day); got != want {
		t.Errorf("on %q in force: %s\nwant %s", day, got, want)
	}
}

// clockAt is a clock that a test sets.
func clockAt(s string) (*time.Time, func() time.Time) {
	now, _ := time.Parse("2006-01-02", s)
	now = now.Add(12 * time.Hour)
	return &now, func() time.Time { return now }
}

// Dated versions of a page hold each until the next, and every change of the series says
// anew from when to when.
func TestSeriesFollowsItsFiles(t *testing.T) {
	_, clock := clockAt("2026-06-15")
	c := over(t, quarry.Options{Clock: clock})
	dir, write := folder(t, map[string]string{"leave/2022-01-01.md": leave(20), "leave/2024-01-01.md": leave(25), "other.md": "# Other\n\nThe lamp is red.\n"})
	if r := synced(t, c, dir); r.Inferred != 2 {
		t.Errorf("of %d documents the validity was inferred", r.Inferred)
	}
	const other = "; other.md [2026-06-15, ) "
	wantHeld(t, c, "", "leave/2024-01-01.md [2024-01-01, ) file names"+other)
	wantHeld(t, c, "2023-06-01", "leave/2022-01-01.md [2022-01-01, 2024-01-01) file names")
	wantHeld(t, c, "2021-12-31", "")

	write("leave/2025-07-01.md", leave(28))
	synced(t, c, dir)
	wantHeld(t, c, "", "leave/2025-07-01.md [2025-07-01, ) file names"+other)
	wantHeld(t, c, "2025-06-30", "leave/2024-01-01.md [2024-01-01, 2025-07-01) file names")

	write("leave/2023-01-01.md", leave(22)) // one in the middle
	synced(t, c, dir)
	wantHeld(t, c, "2023-06-01", "leave/2023-01-01.md [2023-01-01, 2024-01-01) file names")
	wantHeld(t, c, "2022-06-01", "leave/2022-01-01.md [2022-01-01, 2023-01-01) file names")

	write("leave/2027-01-01.md", leave(30)) // one that is to come
	synced(t, c, dir)
	wantHeld(t, c, "", "leave/2025-07-01.md [2025-07-01, 2027-01-01) file names"+other)
	wantHeld(t, c, "2027-02-01", "leave/2027-01-01.md [2027-01-01, ) file names"+other)

	for _, gone := range []string{"leave/2027-01-01.md", "leave/2025-07-01.md"} {
		if err := os.Remove(filepath.Join(dir, gone)); err != nil {
			t.Fatal(err)
		}
	}
	synced(t, c, dir)
	wantHeld(t, c, "", "leave/2024-01-01.md [2024-01-01, ) file names"+other)

	write("leave/2024-01-01.md", "") // the newest cannot be read: the one before must not answer for it
	synced(t, c, dir)
	wantHeld(t, c, "", "leave/2024-01-01.md failed"+other)
	write("leave/2024-01-01.md", leave(26))
	synced(t, c, dir)
	wantHeld(t, c, "", "leave/2024-01-01.md [2024-01-01, ) file names"+other)

	for _, gone := range []string{"leave/2022-01-01.md", "leave/2023-01-01.md"} {
		if err := os.Remove(filepath.Join(dir, gone)); err != nil {
			t.Fatal(err)
		}
	}
	synced(t, c, dir)
	wantHeld(t, c, "", "leave/2024-01-01.md [2026-06-15, ) "+other) // one alone is no series
}

// Numbered versions hold from when they were seen, and one that states its dates is left
// alone and ends the one before it.
func TestSeriesByNumber(t *testing.T) {
	now, clock := clockAt("2026-01-10")
	c := over(t, quarry.Options{Clock: clock})
	dir, write := folder(t, map[string]string{"leave-v1.md": leave(20)})
	synced(t, c, dir)
	*now = now.AddDate(0, 2, 0)
	write("leave-v2.md", leave(22))
	synced(t, c, dir)
	wantHeld(t, c, "", "leave-v2.md [2026-03-10, ) file names")
	wantHeld(t, c, "2026-03-09", "leave-v1.md [2026-01-10, 2026-03-10) file names")
	write("leave-v3.md", "---\neffective: 2026-05-01\n---\n"+leave(25))
	synced(t, c, dir)
	wantHeld(t, c, "", "leave-v2.md [2026-03-10, 2026-05-01) file names")
	wantHeld(t, c, "2026-05-01", "leave-v3.md [2026-05-01, ) ")
	write("leave-v2.md", leave(23)) // a correction is in force on all its days
	*now = now.AddDate(0, 0, 3)
	synced(t, c, dir)
	wantHeld(t, c, "2026-04-30", "leave-v2.md [2026-03-10, 2026-05-01) file names")
	if text := textOn(t, c, "leave-v2.md", "2026-03-10"); !strings.Contains(text, "23 days") {
		t.Errorf("the day it began has %q", text)
	}
}

func textOn(t *testing.T, c *quarry.Corpus, path, day string) string {
	t.Helper()
	d, err := document.ParseDay(day)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Document(t.Context(), document.ID{Source: "docs", Path: path}, document.Scope{AsOf: d})
	if err != nil {
		t.Error(err)
	}
	return r.Text
}

// A version that its readers alone see ends no other for anyone, and off infers nothing.
func TestSeriesOfOthersAndOff(t *testing.T) {
	_, clock := clockAt("2026-06-15")
	c := over(t, quarry.Options{Clock: clock})
	dir, write := folder(t, map[string]string{"leave-2022.md": leave(20), "leave-2023.md": leave(22),
		"leave-2024.md": "---\nreaders: [group:board]\n---\n" + leave(25), "eu/leave-2022.md": leave(20), "eu/leave-2023.md": "---\nregion: eu\n---\n" + leave(22)})
	synced(t, c, dir)
	const eu = "eu/leave-2022.md [2026-06-15, ) ; eu/leave-2023.md [2026-06-15, ) ; "
	wantHeld(t, c, "", eu+"leave-2023.md [2023-01-01, ) file names")
	if got := held(t, c, "", "group:board"); got != eu+"leave-2023.md [2023-01-01, ) file names; leave-2024.md [2026-06-15, ) " {
		t.Errorf("the board has %s", got)
	}
	write("leave-2024.md", leave(25)) // opened, it is a version for all
	synced(t, c, dir)
	wantHeld(t, c, "", eu+"leave-2024.md [2024-01-01, ) file names")

	off := over(t, quarry.Options{Clock: clock, Series: quarry.SeriesOff})
	synced(t, off, dir)
	if got := held(t, off, ""); strings.Contains(got, "file names") || strings.Count(got, "2026-06-15") != 5 {
		t.Errorf("off: %s", got)
	}
}

// What is inferred is taken back, and inferred again, where the setting changes.
func TestSeriesSwitched(t *testing.T) {
	_, clock := clockAt("2026-06-15")
	s, err := local.Open(t.Context(), filepath.Join(t.TempDir(), "q.db"), local.Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	dir, write := folder(t, map[string]string{"leave-2022.md": leave(19), "leave-2023.md": leave(22)})
	first, err := quarry.Open(quarry.Options{Store: s, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	synced(t, first, dir)
	write("leave-2022.md", leave(20)) // it has an older revision
	synced(t, first, dir)
	for _, series := range []string{quarry.SeriesAuto, quarry.SeriesOff, quarry.SeriesAuto} {
		c, err := quarry.Open(quarry.Options{Store: s, Clock: clock, Series: series})
		if err != nil {
			t.Fatal(err)
		}
		synced(t, c, dir)
		want := "leave-2023.md [2023-01-01, ) file names"
		if series == quarry.SeriesOff {
			want = "leave-2022.md [2026-06-15, ) ; leave-2023.md [2026-06-15, ) "
		}
		wantHeld(t, c, "", want)
		in2022 := "leave-2022.md [2022-01-01, 2023-01-01) file names"
		if series == quarry.SeriesOff {
			in2022 = ""
		}
		wantHeld(t, c, "2022-05-01", in2022)
	}
}

// counting counts the changes that a store is given and that change something.
type counting struct {
	store.Store
	changed int
	fail    int // the n-th change from now on fails; 0: none does
}

var errBrokenOff = errors.New("killed")

func (s *counting) Apply(ctx context.Context, c store.Change) (store.Commit, error) {
	if s.fail > 0 {
		if s.fail--; s.fail == 0 {
			return store.Commit{}, errBrokenOff
		}
	}
	commit, err := s.Store.Apply(ctx, c)
	if commit.Changed {
		s.changed++
	}
	return commit, err
}

// A sync that is broken off between the documents and what is inferred of them leaves that
// to the next one; a version that comes is in force in the change in which the one before
// it ends; and where nothing changed nothing is written.
func TestSeriesWholeAfterInterruption(t *testing.T) {
	_, clock := clockAt("2026-06-15")
	for killed := range 4 {
		s, err := local.Open(t.Context(), filepath.Join(t.TempDir(), "q.db"), local.Options{Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		counted := &counting{Store: s, fail: killed}
		c, err := quarry.Open(quarry.Options{Store: counted, Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		var want []string
		for page := range 30 { // more than a batch, and each series all through it
			for year := 2015; year < 2025; year++ {
				files[fmt.Sprintf("%d-01-01-page%02d.md", year, page)] = leave(year-2000) + fmt.Sprintf("\nThis is page %d of them.\n", page)
			}
			want = append(want, fmt.Sprintf("2024-01-01-page%02d.md [2024-01-01, ) file names", page))
		}
		dir, write := folder(t, files)
		if _, err := c.Sync(t.Context(), "docs", dir, quarry.Progress{}); err != nil && !errors.Is(err, errBrokenOff) {
			t.Fatal(err)
		}
		counted.fail = 0
		synced(t, c, dir)
		wantHeld(t, c, "", strings.Join(want, "; "))
		counted.changed = 0
		synced(t, c, dir)
		if counted.changed > 0 {
			t.Errorf("%d changes where nothing changed", counted.changed)
		}
		write("2025-01-01-page07.md", leave(40)+"\nThis is page 7 of them.\n")
		synced(t, c, dir)
		if counted.changed != 1 {
			t.Errorf("a version that came took %d changes", counted.changed)
		}
		want = append(slices.Delete(want, 7, 8), "2025-01-01-page07.md [2025-01-01, ) file names")
		wantHeld(t, c, "", strings.Join(want, "; "))
		if killed > 0 && testing.Short() {
			break
		}
	}
}

// Documents that a program gives, in whatever order, are series as well.
func TestSeriesOfUploads(t *testing.T) {
	_, clock := clockAt("2026-06-15")
	c := over(t, quarry.Options{Clock: clock})
	put := func(years ...int) {
		t.Helper()
		var list iter.Seq2[quarry.Upload, error] = func(yield func(quarry.Upload, error) bool) {
			for _, y := range years {
				if !yield(public(fmt.Sprintf("leave-%d.md", y), leave(y-2000)), nil) {
					return
				}
			}
		}
		if _, err := c.Put(t.Context(), document.Source{Name: "up", Kind: "upload", Root: "up"}, list, quarry.Progress{}); err != nil {
			t.Fatal(err)
		}
	}
	put(2023, 2022)
	wantHeld(t, c, "", "leave-2023.md [2023-01-01, ) file names")
	put(2022, 2024, 2023)
	wantHeld(t, c, "", "leave-2024.md [2024-01-01, ) file names")
	wantHeld(t, c, "2023-03-01", "leave-2023.md [2023-01-01, 2024-01-01) file names")
}

// Records by date stay in force, all of them.
func TestRecordsAreNoSeries(t *testing.T) {
	_, clock := clockAt("2026-06-15")
	c := over(t, quarry.Options{Clock: clock})
	minutes := func(day, decided string) string {
		return "# Weekly meeting, " + day + "\n\nPresent: the head of sales and two account managers.\n\n" + decided + "\n\nNext meeting in a week, in the same room.\n"
	}
	dir, _ := folder(t, map[string]string{
		"meetings/2026-01-05.md": minutes("5 January 2026", "The discount for Acme is ten percent."),
		"meetings/2026-01-12.md": minutes("12 January 2026", "The offer for Umbra is withdrawn until spring."),
		"invoice-2026-01.md":     "# Invoice\n\nAcme Limited, 12 Harbour Road.\n\nJanuary 2026: 12 seats, 240 EUR.\n",
		"invoice-2026-02.md":     "# Invoice\n\nAcme Limited, 12 Harbour Road.\n\nFebruary 2026: 13 seats, 260 EUR.\n",
		"notes-v1.1.md":          "# Release notes\n\nThe export has a button.\n",
		"notes-v1.2.md":          "# Release notes\n\nThe export has a button of its own.\n",
	})
	if r := synced(t, c, dir); r.Inferred != 0 {
		t.Errorf("validity was inferred of %d", r.Inferred)
	}
	if got := held(t, c, ""); strings.Count(got, "[2026-06-15, )") != 6 {
		t.Errorf("in force: %s", got)
	}
}

// What falls out of what is kept is gone, and a day before says so.
func TestRetention(t *testing.T) {
	for _, c := range []struct {
		revisions string
		kept      []string // of the days of the four revisions
	}{
		{"all", []string{"2026-01-10", "2026-02-10", "2026-03-10", "2026-04-10"}},
		{"last 1", []string{"2026-04-10"}},
		{"last 2", []string{"2026-03-10", "2026-04-10"}},
		{"40 days", []string{"2026-02-10", "2026-03-10", "2026-04-10"}},
		{"3 months", []string{"2026-01-10", "2026-02-10", "2026-03-10", "2026-04-10"}},
		{"1 week", []string{"2026-03-10", "2026-04-10"}}, // it ended within the week
	} {
		now, clock := clockAt("2026-01-10")
		corpus := over(t, quarry.Options{Clock: clock, Revisions: c.revisions})
		dir, write := folder(t, map[string]string{"leave.md": leave(20), "lamp.md": "# Lamp\n\nThe lamp is red.\n"})
		days := []string{"2026-01-10", "2026-02-10", "2026-03-10", "2026-04-10"}
		for i := range days {
			write("leave.md", leave(20+i))
			synced(t, corpus, dir)
			if i < 3 {
				*now = now.AddDate(0, 1, 0)
			}
		}
		*now = now.AddDate(0, 0, 3)
		synced(t, corpus, dir)
		for i, day := range days {
			d, _ := document.ParseDay(day)
			r, err := corpus.Search(t.Context(), "How many days of annual leave?", document.Scope{AsOf: d})
			if err != nil {
				t.Fatal(err)
			}
			has := slices.ContainsFunc(r.Candidates, func(h quarry.Candidate) bool {
				if h.Document.Path == "leave.md" && strings.Contains(h.Text, " days of annual") && !strings.Contains(h.Text, fmt.Sprintf("%d days", 20+i)) {
					t.Errorf("%s: on %s another day answers: %s", c.revisions, day, h.Text)
				}
				return h.Document.Path == "leave.md"
			})
			if want := slices.Contains(c.kept, day); has != want || want == strings.Contains(r.AsOf.Note, "not kept any more") {
				t.Errorf("%s: on %s it is found: %v, note %q", c.revisions, day, has, r.AsOf.Note)
			}
		}
	}
	now, clock := clockAt("2026-01-10")
	corpus := over(t, quarry.Options{Clock: clock, Revisions: "last 1"})
	dir, write := folder(t, map[string]string{"leave.md": leave(20)})
	for i := range 3 {
		write("leave.md", leave(20+i))
		synced(t, corpus, dir)
		*now = now.AddDate(0, 1, 0)
	}
	question := "How did the days of annual leave change between 20 January 2026 and 20 March 2026?"
	if r, err := corpus.Search(t.Context(), question, document.Scope{}); err != nil || r.AsOf.Then == 0 || !strings.Contains(r.AsOf.Note, "revision of 2026-01-20 is not kept any more") {
		t.Errorf("a change from a day that is not kept: %+v, %v", r.AsOf, err)
	}
	told := ""
	a, err := corpus.AskTelling(t.Context(), question, document.Scope{}, func(s quarry.Said) error { told += s.Text; return nil })
	if err != nil || !strings.Contains(a.AsOf.Note, "revision of 2026-01-20 is not kept any more") {
		t.Errorf("a change from a day that is not kept: %+v, %v", a.AsOf, err)
	}
	if told != a.Answer.Text || told == "" {
		t.Errorf("told %q, and the answer is %q", told, a.Answer.Text)
	}
	if a, err := corpus.AskTelling(t.Context(), question, document.Scope{}, func(quarry.Said) error { return io.ErrClosedPipe }); err != io.ErrClosedPipe || a.Answer.Text != "" {
		t.Errorf("who listens no more is answered %q, %v", a.Answer.Text, err)
	}
	for _, bad := range []string{"none", "last", "last 0", "0 days", "3", "last -1", "1 century", "last 3 years"} {
		if _, err := quarry.Open(quarry.Options{Store: &counting{}, Revisions: bad}); err == nil || !strings.Contains(err.Error(), "sources.revisions") {
			t.Errorf("%q gives %v", bad, err)
		}
	}
}

// A folder that is renamed keeps the days of its numbered versions.
func TestSeriesRenamed(t *testing.T) {
	now, clock := clockAt("2026-01-10")
	c := over(t, quarry.Options{Clock: clock})
	dir, write := folder(t, map[string]string{"old/leave-v1.md": leave(20)})
	synced(t, c, dir)
	*now = now.AddDate(0, 2, 0)
	write("old/leave-v2.md", leave(22))
	synced(t, c, dir)
	*now = now.AddDate(0, 2, 0)
	if err := os.Rename(filepath.Join(dir, "old"), filepath.Join(dir, "new")); err != nil {
		t.Fatal(err)
	}
	if r := synced(t, c, dir); len(r.Renamed) != 2 {
		t.Errorf("the sync says %+v", r)
	}
	wantHeld(t, c, "", "new/leave-v2.md [2026-03-10, ) file names")
	wantHeld(t, c, "2026-02-01", "new/leave-v1.md [2026-01-10, 2026-03-10) file names")
}

// A clock that was ahead, and one that is behind, lose nothing once a sync has seen it.
func TestClockThatJumps(t *testing.T) {
	now, clock := clockAt("2027-11-30")
	c := over(t, quarry.Options{Clock: clock})
	dir, write := folder(t, map[string]string{"lamp.md": "# Lamp\n\nThe lamp is red.\n", "leave-v1.md": leave(20), "leave-v2.md": leave(22)})
	synced(t, c, dir)
	*now = now.AddDate(-1, 0, 0)
	synced(t, c, dir)
	wantHeld(t, c, "", "lamp.md [2026-11-30, ) ; leave-v2.md [2026-11-30, ) file names")
	*now = now.AddDate(0, 0, -1) // another machine's clock
	wantHeld(t, c, "", "lamp.md [2026-11-30, ) ; leave-v2.md [2026-11-30, ) file names")
	*now = now.AddDate(0, 0, -20) // a revision that comes while the clock is behind
	write("lamp.md", "# Lamp\n\nThe lamp is green.\n")
	synced(t, c, dir)
	*now = now.AddDate(0, 0, 22)
	if text := textOn(t, c, "lamp.md", "2026-12-01"); !strings.Contains(text, "green") {
		t.Errorf("the newest revision is not in force: %q", text)
	}
}

// A sync that ended within a long series leaves members undecided. The next one decides it for
// them and for one that has changed meanwhile; that it is looked at twice then, names nothing twice.
func TestUndecidedAndChanged(t *testing.T) {
	_, clock := clockAt("2026-01-10")
	corpus := over(t, quarry.Options{Clock: clock})
	place := filled(0)
	const versions = 262 // more than a change waits for
	for n := range versions {
		place.texts[fmt.Sprintf("leave-v%d.md", 100+n)] = leave(n)
	}
	last := fmt.Sprintf("leave-v%d.md", 100+versions-1)
	place.faults[last] = fmt.Errorf("read: %w", syscall.EIO)
	if _, err := corpus.SyncFrom(t.Context(), "shelf", place, quarry.SyncOptions{}); err == nil {
		t.Fatal("a machine that fails does not end the sync")
	}
	delete(place.faults, last)
	place.texts["leave-v100.md"] = leave(500)
	for range 2 {
		syncShelf(t, corpus, place, false)
		wantHeld(t, corpus, "", last+" [2026-01-10, ) file names")
	}
}
