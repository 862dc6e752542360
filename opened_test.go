package quarry_test

import (
	"reflect"
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
		calls := map[string]func() error{
			"Ask": func() error { _, err := c.Ask(ctx, "What is the fee?", document.Scope{}); return err },
			"AskTelling": func() error {
				_, err := c.AskTelling(ctx, "What is the fee?", document.Scope{}, func(quarry.Said) error { return nil })
				return err
			},
			"Search":  func() error { _, err := c.Search(ctx, "fee", document.Scope{}); return err },
			"AskFrom": func() error { _, err := c.AskFrom(ctx, "fee", document.Scope{}, nil); return err },
			"Why":     func() error { _, err := c.Why(ctx, "fee", document.Scope{}, quarry.Expected{Quote: "fee"}); return err },
			"LostAt": func() error {
				_, err := c.LostAt(ctx, quarry.Asked{Question: "fee"}, document.Scope{}, quarry.Expected{Quote: "fee"})
				return err
			},
			"Fingerprint": func() error { _, err := c.Fingerprint(ctx, nil); return err },
			"Documents":   func() error { _, err := c.Documents(ctx, document.Scope{}); return err },
			"Document":    func() error { _, err := c.Document(ctx, document.ID{}, document.Scope{}); return err },
			"Extraction":  func() error { _, err := c.Extraction(ctx, document.ID{}, document.Scope{}); return err },
			"References":  func() error { _, err := c.References(ctx, document.ID{}, document.Scope{}); return err },
			"Definitions": func() error { _, err := c.Definitions(ctx, document.ID{}, document.Scope{}); return err },
			"Resolve":     func() error { _, err := c.Resolve(ctx, "a.md", document.Scope{}); return err },
			"Named":       func() error { _, err := c.Named(ctx, "a.md"); return err },
			"ResolveAny":  func() error { _, err := c.ResolveAny(ctx, "a.md", document.Scope{}); return err },
			"History":     func() error { _, _, err := c.History(ctx, document.ID{}, document.Scope{}); return err },
			"Revision":    func() error { _, _, err := c.Revision(ctx, document.ID{}, "current", document.Scope{}); return err },
			"Superseded":  func() error { _, err := c.Superseded(ctx, document.ID{}, "", document.Scope{}); return err },
			"Diff": func() error {
				_, err := c.Diff(ctx, document.ID{}, "previous", "current", document.Scope{})
				return err
			},
			"Remains":      func() error { _, err := c.Remains(ctx, document.ID{}); return err },
			"NoteFailure":  func() error { return c.NoteFailure(ctx, "s", nil) },
			"Listed":       func() error { _, err := c.Listed(ctx, "a.md", document.Scope{}); return err },
			"Layout":       func() error { _, err := c.Layout(ctx, document.ID{}, document.Scope{}); return err },
			"Embedding":    func() error { _, err := c.Embedding(ctx); return err },
			"Reembed":      func() error { _, err := c.Reembed(ctx, quarry.ReembedOptions{}); return err },
			"Status":       func() error { _, err := c.Status(ctx); return err },
			"Sources":      func() error { _, err := c.Sources(ctx); return err },
			"Sync":         func() error { _, err := c.Sync(ctx, "s", t.TempDir(), quarry.Progress{}); return err },
			"SyncFrom":     func() error { _, err := c.SyncFrom(ctx, "s", &shelf{}, quarry.SyncOptions{}); return err },
			"Put":          func() error { _, err := c.Put(ctx, source, uploads(), quarry.Progress{}); return err },
			"Remove":       func() error { return c.Remove(ctx, document.ID{Source: "s", Path: "a"}) },
			"RemoveSource": func() error { return c.RemoveSource(ctx, "s") },
		}
		// Whoever adds a method adds it here.
		for i := range reflect.TypeFor[*quarry.Corpus]().NumMethod() {
			name := reflect.TypeFor[*quarry.Corpus]().Method(i).Name
			if _, held := calls[name]; !held && name != "Models" { // it has no error: none are named
				t.Errorf("%s is not called", name)
			}
		}
		if m := c.Models(); len(m) > 0 {
			t.Errorf("Models gives %v", m)
		}
		for what, call := range calls {
			if err := call(); err == nil || !strings.Contains(err.Error(), "was not opened") {
				t.Errorf("%s gives %v", what, err)
			}
		}
	}
	if err := (&standard.Corpus{}).Close(); err != nil {
		t.Error(err)
	}
}
