package quarry_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/local"
)

// A document that failed is listed only for those who may know of it.
func TestFailedDocumentsStayClosed(t *testing.T) {
	for _, c := range []struct {
		name, content string
		listed        bool // for a caller without principals
	}{
		{"no text, public", "---\ntitle: Empty\n---\n", true},
		{"no text, readers named", "---\nreaders: [group:hr]\n---\n\n", false},
		{"no text but a comment, readers named", "---\nreaders: [group:hr]\n---\n<!-- secret -->\n", false},
		{"front matter broken", "---\nreaders: [group:hr\n---\ntext\n", false},
		{"front matter of a wrong type", "---\nreaders: {a: b}\n---\ntext\n", false},
		{"binary without front matter", "\x00\x01\x02\x00\x00\x03 binary", true},
		{"binary behind front matter", "---\nreaders: [group:hr]\n---\n\x00\x01\x02\x00\x00\x03", false},
		{"binary behind front matter in UTF-16", "\xff\xfe-\x00-\x00-\x00\n\x00\x00\xd8\x01\x02\x00\x00\x00\x00", false},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "doc.md"), []byte(c.content), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "other.md"), []byte("# Other\n\nSome text.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		s, err := local.Open(ctx, filepath.Join(t.TempDir(), "q.db"), local.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		corpus, err := quarry.Open(quarry.Options{Store: s})
		if err != nil {
			t.Fatal(err)
		}
		report, err := corpus.Sync(ctx, "docs", dir, quarry.Progress{})
		if err != nil || len(report.Failed) != 1 {
			t.Fatalf("%s: report %+v, %v", c.name, report, err)
		}
		list, err := corpus.Documents(ctx, document.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		listed := false
		for _, d := range list {
			listed = listed || d.Document.Path == "doc.md"
		}
		if listed != c.listed {
			t.Errorf("%s: listed %v, want %v", c.name, listed, c.listed)
		}
		status, err := corpus.Status(ctx)
		if err != nil || len(status) != 1 || len(status[0].Failed) != 1 {
			t.Errorf("%s: the operator must see the failure: %+v, %v", c.name, status, err)
		}
	}
}
