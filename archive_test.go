package quarry_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// visible are the paths that a reader sees.
func visible(t *testing.T, c *quarry.Corpus, principals ...string) string {
	t.Helper()
	list, err := c.Documents(t.Context(), document.Scope{Principals: principals})
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, d := range list {
		paths = append(paths, d.Document.Path)
	}
	return strings.Join(paths, " ")
}

// TestArchiveChanges: what an archive holds is added, changed and removed like files,
// and one that cannot be read removes nothing, neither of its own nor beside it.
func TestArchiveChanges(t *testing.T) {
	corpus := over(t, quarry.Options{})
	fees, hours := "# Fees\n\nThe handling fee is 5 EUR.\n", "# Hours\n\nThe office opens at nine.\n"
	dir, write := folder(t, map[string]string{
		"a.zip": testkit.ZIP(t, map[string]string{"fees.md": fees, "more/hours.md": hours}),
		"b.md":  "# Lamp\n\nThe lamp is red.\n",
	})
	for _, step := range []struct {
		what                    string
		change                  func()
		added, changed, removed []string
		unchanged               int
		failed                  string
		left                    string
	}{
		{what: "first", change: func() {}, added: []string{"a.zip!/fees.md", "a.zip!/more/hours.md", "b.md"}, left: "a.zip!/fees.md a.zip!/more/hours.md b.md"},
		{what: "again", change: func() {}, unchanged: 3, left: "a.zip!/fees.md a.zip!/more/hours.md b.md"},
		{what: "a member changes", change: func() {
			write("a.zip", testkit.ZIP(t, map[string]string{"fees.md": strings.Replace(fees, "5", "6", 1), "more/hours.md": hours}))
		}, changed: []string{"a.zip!/fees.md"}, unchanged: 2, left: "a.zip!/fees.md a.zip!/more/hours.md b.md"},
		{what: "the archive is damaged", change: func() {
			write("a.zip", testkit.ZIP(t, map[string]string{"fees.md": fees})[:50])
			write("c.md", "# Desk\n\nThe desk is white.\n")
		}, added: []string{"c.md"}, unchanged: 1, failed: "a.zip", left: "a.zip!/fees.md a.zip!/more/hours.md b.md c.md"},
		{what: "a member goes", change: func() { write("a.zip", testkit.ZIP(t, map[string]string{"fees.md": fees})) },
			changed: []string{"a.zip!/fees.md"}, removed: []string{"a.zip", "a.zip!/more/hours.md"}, unchanged: 2, left: "a.zip!/fees.md b.md c.md"},
		{what: "the archive goes", change: func() {
			if err := os.Remove(filepath.Join(dir, "a.zip")); err != nil {
				t.Fatal(err)
			}
		}, removed: []string{"a.zip!/fees.md"}, unchanged: 2, left: "b.md c.md"},
	} {
		step.change()
		r := synced(t, corpus, dir)
		failed := ""
		for _, p := range r.Failed {
			failed += p.Document
		}
		if !slices.Equal(r.Added, step.added) || !slices.Equal(r.Changed, step.changed) || !slices.Equal(r.Removed, step.removed) || r.Unchanged != step.unchanged || failed != step.failed {
			t.Errorf("%s: the report is %+v", step.what, r)
		}
		if left := visible(t, corpus); left != step.left {
			t.Errorf("%s: %s is left, want %s", step.what, left, step.left)
		}
	}
}

// TestArchiveAccess: who may not read the folder of an archive, or the archive, reads
// nothing of it.
func TestArchiveAccess(t *testing.T) {
	corpus := over(t, quarry.Options{})
	pack := testkit.ZIP(t, map[string]string{"a.md": "# Pay\n\nThe bonus is ten percent.\n", "legal/b.md": "# Suit\n\nThe suit was settled.\n", "legal/_meta.yaml": "readers: [group:legal]\n"})
	dir, write := folder(t, map[string]string{"open.zip": pack, "closed.zip": pack, "closed.zip.meta.yaml": "readers: [group:hr]\n"})
	if err := os.Mkdir(filepath.Join(dir, "hr"), 0o755); err != nil {
		t.Fatal(err)
	}
	write("hr/_meta.yaml", "readers: [group:hr]\n")
	write("hr/in.zip", pack)
	synced(t, corpus, dir)
	for principal, want := range map[string]string{
		"user:ann":    "open.zip!/a.md",
		"group:hr":    "closed.zip!/a.md hr/in.zip!/a.md open.zip!/a.md",
		"group:legal": "closed.zip!/legal/b.md hr/in.zip!/legal/b.md open.zip!/a.md open.zip!/legal/b.md",
	} {
		if got := visible(t, corpus, principal); got != want {
			t.Errorf("%s sees %s, want %s", principal, got, want)
		}
	}
}

// TestMailAttachments: what is attached is a document of its own, named after its
// message, of its date, and read by who may read that.
func TestMailAttachments(t *testing.T) {
	corpus := over(t, quarry.Options{})
	mail := func(fee string) string {
		return "From: a@example.com\nTo: b@example.com\nSubject: Offer for Acme\nDate: Thu, 5 Mar 2026 10:12:00 +0100\nMIME-Version: 1.0\n" +
			"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nSee the list.\n--b\nContent-Type: text/markdown\nContent-Disposition: attachment; filename=list.md\n\n" +
			"# Price list\n\nThe fee is " + fee + ".\n--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=x.bin\n\nx\n--b--\n"
	}
	dir, write := folder(t, map[string]string{"offer.eml": mail("5 EUR"), "closed.eml": mail("7 EUR"), "closed.eml.meta.yaml": "readers: [group:sales]\ntitle: Renewal\n"})
	if r := synced(t, corpus, dir); len(r.Added) != 4 || len(r.Failed) != 0 || len(r.Skipped) != 2 || !strings.Contains(r.Skipped[0].Error, "not read: .bin") {
		t.Errorf("%+v", r)
	}
	for principal, want := range map[string]string{"user:ann": "offer.eml offer.eml!/list.md", "group:sales": "closed.eml closed.eml!/list.md offer.eml offer.eml!/list.md"} {
		if got := visible(t, corpus, principal); got != want {
			t.Errorf("%s sees %s, want %s", principal, got, want)
		}
	}
	for path, want := range map[string]string{"offer.eml!/list.md": "Offer for Acme: Price list", "closed.eml!/list.md": "Renewal: Price list"} {
		r, err := corpus.Document(t.Context(), document.ID{Source: "docs", Path: path}, document.Scope{Principals: []string{"group:sales"}})
		if err != nil || r.Title != want || r.Metadata.Date.String() != "2026-03-05" {
			t.Errorf("%s is %q of %s, %v", path, r.Title, r.Metadata.Date, err)
		}
	}
	if paths, _ := found(t, corpus, "What is the fee for Acme?"); len(paths) == 0 || paths[0] != "offer.eml!/list.md" {
		t.Errorf("found %v", paths)
	}
	write("offer.eml", mail("6 EUR"))
	if r := synced(t, corpus, dir); !slices.Equal(r.Changed, []string{"offer.eml", "offer.eml!/list.md"}) {
		t.Errorf("%+v", r)
	}
	write("offer.eml", "From: a@example.com\nSubject: Offer for Acme\n\nNothing to see.\n")
	if r := synced(t, corpus, dir); !slices.Equal(r.Removed, []string{"offer.eml!/list.md"}) {
		t.Errorf("%+v", r)
	}
}
