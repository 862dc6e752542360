package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/internal/testkit"
	"github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/standard"
)

// access is a corpus of the access matrix in the store at an address, or in a file where
// that is "": of all documents, or of those that one asker may read.
func access(t *testing.T, start time.Time, asker, address string) *standard.Corpus {
	t.Helper()
	dir := t.TempDir()
	for path, content := range testkit.AccessFiles(asker) {
		name := filepath.Join(dir, "docs", filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "groups.yaml"), []byte(testkit.AccessGroups), 0o644); err != nil {
		t.Fatal(err)
	}
	settings := config.Defaults()
	settings.Groups = filepath.Join(dir, "groups.yaml")
	settings.Quarry.Clock = func() time.Time { return start }
	if os.Getenv("QUARRY_LONG") == "" {
		settings.Quarry.Embedder = thesaurus{}
	}
	if address == "" {
		address = filepath.Join(dir, "quarry.db")
	} else {
		settings.Postgres.Reader = postgres.Reader
	}
	corpus, err := standard.Open(t.Context(), address, settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { corpus.Close() })
	if _, err := corpus.Sync(t.Context(), "docs", filepath.Join(dir, "docs"), quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	return corpus
}

// passagesOf are the passages of a document, as its operator would know them.
type passagesOf func(path string) []document.PassageID

// scoped are the calls of the library that take a scope, for one document of the matrix.
var scoped = map[string]func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, of passagesOf) (any, error){
	"Search": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		return c.Search(ctx, d.Asked+" the of hotel limit budget EUR", s)
	},
	"Ask": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		return c.Ask(ctx, d.Asked+" And what is the hotel limit?", s)
	},
	"AskTelling": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		var told []quarry.Said
		asked, err := c.AskTelling(ctx, d.Asked, s, func(said quarry.Said) error { told = append(told, said); return nil })
		return []any{told, asked}, err
	},
	"AskFrom": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, of passagesOf) (any, error) {
		return c.AskFrom(ctx, d.Asked+" And what is the hotel limit?", s, of(d.Path))
	},
	"Why": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		one, err := c.Why(ctx, d.Asked+" Why?", s, quarry.Expected{Document: d.Path})
		if err != nil {
			return one, err
		}
		two, err := c.Why(ctx, d.Asked+" Why?", s, quarry.Expected{Quote: d.Asked + " The hotel limit of " + d.Path, Reader: s.Principals})
		return []any{one, two}, err
	},
	"LostAt": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		asked, err := c.Ask(ctx, d.Asked+" Why?", s)
		if err != nil {
			return nil, err
		}
		return c.LostAt(ctx, asked, s, quarry.Expected{Document: d.Path})
	},
	"Documents": func(ctx context.Context, c *quarry.Corpus, s document.Scope, _ testkit.Guarded, _ passagesOf) (any, error) {
		return c.Documents(ctx, s)
	},
	"Listed": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		return c.Listed(ctx, d.Path, s)
	},
	"Resolve": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		return c.Resolve(ctx, "docs:"+d.Path, s)
	},
	"Document": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		return c.Document(ctx, idOf(d), s)
	},
	"ResolveAny": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		return c.ResolveAny(ctx, d.Path, s)
	},
	"History": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		h, inForce, err := c.History(ctx, idOf(d), s)
		return []any{h, inForce}, err
	},
	"Revision": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		r, held, err := c.Revision(ctx, idOf(d), "current", s)
		return []any{r, held}, err
	},
	"Superseded": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		return c.Superseded(ctx, idOf(d), "00", s)
	},
	"Diff": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		return c.Diff(ctx, idOf(d), "previous", "current", s)
	},
	"Layout": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		return c.Layout(ctx, idOf(d), s)
	},
	"Extraction": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		return c.Extraction(ctx, idOf(d), s)
	},
	"References": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		return c.References(ctx, idOf(d), s)
	},
	"Definitions": func(ctx context.Context, c *quarry.Corpus, s document.Scope, d testkit.Guarded, _ passagesOf) (any, error) {
		return c.Definitions(ctx, idOf(d), s)
	},
}

func idOf(d testkit.Guarded) document.ID { return document.ID{Source: "docs", Path: d.Path} }

// TestAccessOfTheLibrary: every call that takes a scope gives, whoever asks and about
// whichever document, what it gives over a store without the documents that he may not
// read: every field, score, count and error, with vectors.
func TestAccessOfTheLibrary(t *testing.T) {
	t.Parallel()
	for i := range reflect.TypeFor[*quarry.Corpus]().NumMethod() {
		m := reflect.TypeFor[*quarry.Corpus]().Method(i)
		for n := range m.Type.NumIn() {
			if _, held := scoped[m.Name]; !held && m.Type.In(n) == reflect.TypeFor[document.Scope]() {
				t.Errorf("%s takes a scope and is not in the matrix", m.Name)
			}
		}
	}
	compare(t, func() string { return "" }, 1)
}

// TestAccessInPostgres is the same over a database, where questions are asked under a role
// that row-level security binds.
func TestAccessInPostgres(t *testing.T) {
	t.Parallel()
	part := 40
	if os.Getenv("QUARRY_LONG") != "" {
		part = 1
	}
	server := postgres.Shared(t)
	compare(t, func() string { return server.Database(t) }, part)
}

// compare makes one of part of the calls over stores at addresses.
func compare(t *testing.T, address func() string, part int) {
	start := time.Now().AddDate(0, 0, -30)
	with := access(t, start, "", address())
	of := operatorsPassages(t, with)
	calls, at := 0, 0
	for _, asker := range testkit.AccessAskers {
		without := access(t, start, asker.Name, address())
		scope := document.Scope{Tenant: asker.Tenant, Principals: asker.As}
		for i, d := range testkit.AccessDocuments {
			for n := range 2 {
				if n != i%2 && os.Getenv("QUARRY_LONG") == "" {
					continue // half of the calls see drafts too
				}
				scope.Drafts = n == 1
				for _, name := range slices.Sorted(maps.Keys(scoped)) {
					call := scoped[name]
					if at++; at%part != 0 {
						continue
					}
					have, leaked := shown(t, call, with, scope, d, of)
					want, _ := shown(t, call, without, scope, d, of)
					calls++
					if have != want {
						t.Errorf("%s by %s (drafts %v) about %s tells a store with hidden documents from one without them:\n%s\n---\n%s", name, asker.Name, scope.Drafts, d.Path, have, want)
					}
					if leaked != "" && !strings.Contains(leaked, " "+asker.Name+" ") {
						t.Errorf("%s by %s for %s shows what is for%s:\n%s", name, asker.Name, d.Path, leaked, have)
					}
				}
			}
		}
	}
	t.Logf("%d pairs of calls", calls)
}

// operatorsPassages finds the passages of every document of a store, as whoever may read
// it sees them.
func operatorsPassages(t *testing.T, c *standard.Corpus) passagesOf {
	t.Helper()
	found := map[string][]document.PassageID{}
	for _, asker := range testkit.AccessAskers {
		for _, d := range testkit.AccessDocuments {
			r, err := c.Document(t.Context(), idOf(d), document.Scope{Tenant: asker.Tenant, Principals: asker.As, Drafts: true})
			if err != nil {
				continue
			}
			var ids []document.PassageID
			for _, p := range r.Passages {
				ids = append(ids, p.ID)
			}
			found[d.Path] = ids
		}
	}
	return func(path string) []document.PassageID {
		if ids := found[path]; ids != nil {
			return ids
		}
		return []document.PassageID{"00"}
	}
}

// shown is all that a call gives, without its times, and for whom what it shows is, ""
// where that is for everyone.
func shown(t *testing.T, call func(context.Context, *quarry.Corpus, document.Scope, testkit.Guarded, passagesOf) (any, error), c *standard.Corpus, s document.Scope, d testkit.Guarded, of passagesOf) (text, leaked string) {
	t.Helper()
	out, err := call(t.Context(), c.Corpus, s, d, of)
	data, broken := json.MarshalIndent(out, "", " ")
	if broken != nil {
		t.Fatal(broken)
	}
	text = withoutTimes(fmt.Sprintf("%s\n%v", data, err))
	asked := d.Asked + " " + d.Path
	for _, g := range testkit.AccessDocuments {
		if strings.Contains(text, g.Secret) && !strings.Contains(asked, g.Secret) {
			if leaked == "" {
				leaked = " " + g.Seen + " "
				continue
			}
			var both []string // who may see all that it shows
			for _, name := range strings.Fields(leaked) {
				if g.SeenBy(name) {
					both = append(both, name)
				}
			}
			leaked = " " + strings.Join(both, " ") + " "
		}
	}
	return text, leaked
}
