package quarry_test

import (
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/standard"
)

// A corpus that was not opened gives an error from whatever it is asked.
func TestNotOpened(t *testing.T) {
	ctx := t.Context()
	source := document.Source{Name: "s", Kind: "upload", Root: "s"}
	for _, c := range []*quarry.Corpus{nil, {}, (&standard.Corpus{}).Corpus} {
		for what, call := range map[string]func() error{
			"Ask":          func() error { _, err := c.Ask(ctx, "What is the fee?", document.Scope{}); return err },
			"Search":       func() error { _, err := c.Search(ctx, "fee", document.Scope{}); return err },
			"Documents":    func() error { _, err := c.Documents(ctx, document.Scope{}); return err },
			"Document":     func() error { _, err := c.Document(ctx, document.ID{}, document.Scope{}); return err },
			"Resolve":      func() error { _, err := c.Resolve(ctx, "a.md", document.Scope{}); return err },
			"Named":        func() error { _, err := c.Named(ctx, "a.md"); return err },
			"Status":       func() error { _, err := c.Status(ctx); return err },
			"Sources":      func() error { _, err := c.Sources(ctx); return err },
			"Sync":         func() error { _, err := c.Sync(ctx, "s", t.TempDir(), quarry.Progress{}); return err },
			"Put":          func() error { _, err := c.Put(ctx, source, uploads(), quarry.Progress{}); return err },
			"Remove":       func() error { return c.Remove(ctx, document.ID{Source: "s", Path: "a"}) },
			"RemoveSource": func() error { return c.RemoveSource(ctx, "s") },
		} {
			if err := call(); err == nil || !strings.Contains(err.Error(), "was not opened") {
				t.Errorf("%s gives %v", what, err)
			}
		}
	}
	if err := (&standard.Corpus{}).Close(); err != nil {
		t.Error(err)
	}
}
