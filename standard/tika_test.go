package standard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/testkit"
	"github.com/seed-d3156d19/quarry/standard"
)

// legacyDoc looks like a document of Word before 2007.
var legacyDoc = string(testkit.Compound(map[string][]byte{"WordDocument": []byte("binary")}))

// TestTika: formats that Quarry does not read are read where a server is configured,
// failed ones are tried again where the server was the reason, and without one nothing is
// asked of anyone.
func TestTika(t *testing.T) {
	server := testkit.NewTika(t)
	page := testkit.TikaAnswer{Status: 200, Body: testkit.TikaPage("Fees", "<h1>Fees</h1><p>The handling fee is 5 EUR.</p><table><tr><th>Plan</th><th>Fee</th></tr><tr><td>Team</td><td>5 EUR</td></tr></table>")}
	dir := t.TempDir()
	for name, text := range map[string]string{"fees.doc": legacyDoc, "plan.pages": "binary", "lamp.md": "# Lamp\n\nThe lamp is red.\n", "x.gif": "GIF89a", "x.exe": "MZ"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "q.db")
	sync := func(tika string) quarry.Report {
		t.Helper()
		c, err := standard.Open(t.Context(), path, standard.Settings{Tika: tika, Embedding: "none", Quarry: quarry.Options{Workers: 1}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		r, err := c.Sync(t.Context(), "docs", dir, quarry.Progress{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := sync(""); len(r.Added) != 1 || len(r.Skipped) != 4 || len(server.Requests()) != 0 {
		t.Errorf("without a server: %+v, %d requests", r, len(server.Requests()))
	}
	server.Script(testkit.TikaAnswer{Status: 503}, testkit.TikaAnswer{Status: 422})
	if r := sync(server.URL); len(r.Failed) != 2 || len(r.Skipped) != 2 || !strings.Contains(r.Failed[0].Error, "fees.doc") && !strings.Contains(r.Failed[0].Error, "busy or starting") {
		t.Errorf("busy: %+v", r)
	}
	server.Script(testkit.TikaAnswer{Status: 503})
	if r := sync(server.URL); len(r.Failed) != 2 || len(server.Requests()) != 3 {
		t.Errorf("still busy: %+v, %d requests: what Tika cannot read is not tried again, what it had no time for is", r, len(server.Requests()))
	}
	server.Script(page)
	if r := sync(server.URL); len(r.Changed) != 1 || len(r.Failed) != 1 {
		t.Errorf("up: %+v", r)
	}
	if r := sync(server.URL); r.Unchanged != 2 || len(server.Requests()) != 4 {
		t.Errorf("unchanged: %+v, %d requests", r, len(server.Requests()))
	}
	c, err := standard.OpenExisting(t.Context(), path, standard.Settings{Embedding: "none"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	d, err := c.Document(t.Context(), document.ID{Source: "docs", Path: "fees.doc"}, document.Scope{})
	if err != nil || d.Title != "Fees" || d.Format != "tika" || d.Text != "# Fees\n\nThe handling fee is 5 EUR.\n\n| Plan | Fee |\n| --- | --- |\n| Team | 5 EUR |\n" {
		t.Errorf("%q of %q, %v\n%s", d.Title, d.Format, err, d.Text)
	}
	if _, err := standard.Open(t.Context(), path, standard.Settings{Tika: "localhost"}); err == nil || !strings.Contains(err.Error(), "extract.tika") {
		t.Errorf("an address that is none: %v", err)
	}
}
