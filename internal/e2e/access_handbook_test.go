package e2e

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/standard"
)

// handbookRules are sidecars for the folders of a real handbook, and who may then read
// what lies in them: "" is everyone of the tenant without a name.
var handbookRules = []struct{ folder, sidecar, readers string }{
	{"performance-management", "readers: [group:hr]\n", "group:hr"},
	{"hiring-staying-or-changing-jobs", "readers: [group:hr, group:leads]\n", "group:hr group:leads"},
	{"supervisor-resources", "readers: [group:leads]\n", "group:leads"},
	{"travel-and-leave", "readers: []\n", "nobody"},
	{"office-of-operations", "tenant: operations\n", "nobody"},
}

// TestAccessOfAHandbook: a real folder of some 250 pages that link to each other across
// folders, of which some are closed. Each asker gets of every question and of every page
// what he gets over a folder without what is closed to him.
func TestAccessOfAHandbook(t *testing.T) {
	const from = "../../../shared/sets/corpus_18f_handbook/docs"
	if _, err := os.Stat(from); err != nil {
		t.Skipf("SKIPPED: the public set is not beside the project: %v", err)
	}
	if os.Getenv("QUARRY_LONG") == "" {
		t.Skip("SKIPPED: a handbook is indexed four times; ./scripts/test -long does it")
	}
	start := time.Now().AddDate(0, 0, -30)
	with := handbook(t, from, start, nil)
	for _, as := range []string{"", "group:hr", "group:leads"} {
		var closed []string
		for _, r := range handbookRules {
			if !slices.Contains(strings.Fields(r.readers), as) {
				closed = append(closed, r.folder)
			}
		}
		without := handbook(t, from, start, closed)
		scope := document.Scope{}
		if as != "" {
			scope.Principals = []string{as}
		}
		list, err := with.Documents(t.Context(), scope)
		if err != nil {
			t.Fatal(err)
		}
		compared, led := 0, 0
		same := func(what string, call func(*standard.Corpus) (any, error)) {
			t.Helper()
			var texts [2]string
			for i, c := range []*standard.Corpus{with, without} {
				out, err := call(c)
				data, broken := json.MarshalIndent(out, "", " ") // as times expects it
				if broken != nil {
					t.Fatal(broken)
				}
				texts[i] = withoutTimes(fmt.Sprintf("%s %v", data, err))
			}
			compared++
			if texts[0] != texts[1] {
				t.Errorf("as %q: %s: %s", as, what, difference(texts[0], texts[1]))
			}
		}
		same("the list", func(c *standard.Corpus) (any, error) { return c.Documents(t.Context(), scope) })
		for i, d := range list {
			same(d.Document.Path, func(c *standard.Corpus) (any, error) {
				references, err := c.References(t.Context(), d.Document, scope)
				for _, r := range references {
					if r.Target != nil {
						led++
					}
				}
				return references, err
			})
			if i%5 == 0 && d.Title != "" {
				same("about "+d.Title, func(c *standard.Corpus) (any, error) {
					return c.Ask(t.Context(), "What is said about "+d.Title+" and leave, hiring or performance?", scope)
				})
			}
		}
		t.Logf("as %q: %d documents seen, %d calls compared, %d references lead somewhere", as, len(list), compared, led)
	}
}

// difference is where two texts begin to differ.
func difference(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	from := max(0, at-200)
	return fmt.Sprintf("at byte %d:\n%.500s\n---\n%.500s", at, a[from:], b[from:])
}

// handbook is a corpus of a folder with sidecars, without the folders that are left out.
func handbook(t *testing.T, from string, start time.Time, without []string) *standard.Corpus {
	t.Helper()
	dir := t.TempDir()
	to := filepath.Join(dir, "docs")
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, name)
		if err == nil && d.IsDir() && slices.Contains(without, rel) {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || filepath.Ext(name) != ".md" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, rel)), 0o755); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range handbookRules {
		if !slices.Contains(without, r.folder) {
			if err := os.WriteFile(filepath.Join(to, r.folder, "_meta.yaml"), []byte(r.sidecar), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	settings := config.Defaults()
	settings.Quarry.Embedder = thesaurus{}
	settings.Quarry.Clock = func() time.Time { return start }
	corpus, err := standard.Open(t.Context(), filepath.Join(dir, "quarry.db"), settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { corpus.Close() })
	if _, err := corpus.Sync(t.Context(), "docs", to, quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	return corpus
}
