package quarry_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/local"
)

// A folder that has become empty, as an unmounted disk does, removes nothing.
func TestEmptiedFolderRemovesNothing(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	file := filepath.Join(dir, "policy.md")
	if err := os.WriteFile(file, []byte("# Policy\n\nThe lamp is red.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := local.Open(ctx, filepath.Join(t.TempDir(), "q.db"), local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	corpus, err := quarry.Open(quarry.Options{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := corpus.Sync(ctx, "docs", dir, quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := corpus.Sync(ctx, "docs", dir, quarry.Progress{}); err == nil || !strings.Contains(err.Error(), "quarry remove docs") {
		t.Errorf("an emptied folder gives %v", err)
	}
	list, err := corpus.Documents(ctx, document.Scope{})
	if err != nil || len(list) != 1 {
		t.Errorf("%d documents are left, %v", len(list), err)
	}
}

// A document that supersedes one by a path under which there is none ends nothing: the sync
// that takes it in says so, with the path that was meant where it can be told.
func TestUnmetSupersedesIsNamed(t *testing.T) {
	ctx := t.Context()
	corpus := over(t, quarry.Options{})
	says := func(name string) string {
		return "---\nsupersedes: " + name + "\n---\n# Fee\n\nThe fee of " + name + " is 6 EUR.\n"
	}
	dir, write := folder(t, map[string]string{
		"rules/v1.md": "# Fee\n\nThe fee is 5 EUR.\n",
		"rules/a.md":  says("v1.md"), "rules/b.md": says("./v1.md"), "rules/c.md": says("/rules/v1.md"),
		"rules/d.md": says("rules/v0.md"), "rules/e.md": says("rules/a.md"), "rules/f.md": "---\nstatus: draft\nsupersedes: v1.md\n---\nLess.\n",
	})
	report, err := corpus.Sync(ctx, "docs", dir, quarry.Progress{})
	var got []string
	for _, w := range report.Warned {
		got = append(got, w.Document+" "+strings.TrimPrefix(w.Error, "it supersedes "))
	}
	const none, root = ", and there is no such document in its source, so it ends none", ": write rules/v1.md, paths begin at the root of the source"
	want := []string{"rules/a.md v1.md" + none + root, "rules/b.md v1.md" + none + root, "rules/d.md rules/v0.md" + none}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the report warns of %q, %v", got, err)
	}
	write("rules/a.md", says("rules/v1.md"))
	if report, err = corpus.Sync(ctx, "docs", dir, quarry.Progress{}); err != nil || len(report.Warned) != 0 {
		t.Errorf("mended, the report warns of %v, %v", report.Warned, err)
	}
}

// Documents that supersede each other are named at every sync until that is mended,
// and all of them are found meanwhile.
func TestRingIsNamed(t *testing.T) {
	ctx := t.Context()
	corpus := over(t, quarry.Options{})
	dir, write := folder(t, map[string]string{
		"v1.md": "---\nsupersedes: v2.md\n---\n# Fee\n\nThe fee is 5 EUR.\n",
		"v2.md": "---\nsupersedes: v1.md\n---\n# Fee\n\nThe fee is 6 EUR.\n",
	})
	for range 2 {
		report, err := corpus.Sync(ctx, "docs", dir, quarry.Progress{})
		if err != nil || len(report.Warned) != 2 || report.Warned[0].Document != "v1.md" || !strings.Contains(report.Warned[0].Error, "v2.md supersede each other") {
			t.Errorf("the report warns of %v, %v", report.Warned, err)
		}
		if list, err := corpus.Documents(ctx, document.Scope{}); err != nil || len(list) != 2 {
			t.Errorf("%d documents are in force, %v", len(list), err)
		}
	}
	write("v1.md", "# Fee\n\nThe fee is 5 EUR.\n")
	report, err := corpus.Sync(ctx, "docs", dir, quarry.Progress{})
	if list, _ := corpus.Documents(ctx, document.Scope{}); err != nil || len(report.Warned) != 0 || len(list) != 1 || list[0].Document.Path != "v2.md" {
		t.Errorf("mended, the report warns of %v and %v is in force, %v", report.Warned, list, err)
	}
}

// A source says when it was last compared whole: at every sync that changed
// something, and once an hour where there is nothing to do.
func TestSynced(t *testing.T) {
	ctx := t.Context()
	now := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	corpus := over(t, quarry.Options{Clock: func() time.Time { return now }})
	dir, write := folder(t, map[string]string{"a.md": "# A\n\nThe lamp is red.\n"})
	at := func(minutes int, want int) {
		t.Helper()
		now = time.Date(2026, 6, 15, 12, minutes, 0, 0, time.UTC)
		if _, err := corpus.Sync(ctx, "docs", dir, quarry.Progress{}); err != nil {
			t.Fatal(err)
		}
		status, err := corpus.Status(ctx)
		if err != nil || len(status) != 1 || !status[0].Last.Whole.Equal(time.Date(2026, 6, 15, 12, want, 0, 0, time.UTC)) {
			t.Errorf("at minute %d: %+v, %v", minutes, status, err)
		}
	}
	at(0, 0)
	at(59, 0)
	at(61, 61)
	write("a.md", "# A\n\nThe lamp is green.\n")
	at(62, 62)
	at(30, 30) // the clock was set back
}
