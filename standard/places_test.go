package standard

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/store"
)

func TestLocate(t *testing.T) {
	for _, c := range []struct {
		address string
		want    document.Source
		bad     string
	}{
		{address: "https://Example.org/docs/#top", want: document.Source{Name: "example.org/docs", Kind: "site", Root: "https://example.org/docs/"}},
		{address: "http://example.org", want: document.Source{Name: "example.org", Kind: "site", Root: "http://example.org/"}},
		{address: "git+https://example.org/a/rules.git#main", want: document.Source{Name: "rules", Kind: "git", Root: "git+https://example.org/a/rules.git#main"}},
		{address: "git+file:///srv/rules", want: document.Source{Name: "rules", Kind: "git", Root: "git+file:///srv/rules"}},
		{address: "s3://rules/docs", want: document.Source{Name: "rules/docs", Kind: "bucket", Root: "s3://rules/docs/"}},
		{address: "https://example.org/rules.git", bad: "write git+https://example.org/rules.git"},
		{address: "ftp://example.org", bad: `sources of the kind "ftp" are not supported`},
	} {
		got, err := Locate(c.address)
		if c.bad != "" && (err == nil || !strings.Contains(err.Error(), c.bad)) || c.bad == "" && (err != nil || got != c.want) {
			t.Errorf("%s: %+v, %v", c.address, got, err)
		}
	}
}

// Every kind that an address can have opens again by what the store remembers of it, and
// removing a source takes what was fetched of it away, and nothing else.
func TestPlaces(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	s := config.Defaults()
	s.Embedding = config.NoModel
	corpus, err := Open(ctx, filepath.Join(dir, "q.db"), s)
	if err != nil {
		t.Fatal(err)
	}
	defer corpus.Close()
	var fetched []string
	for _, address := range []string{"https://example.org/docs/", "git+https://example.org/rules.git#main", "s3://rules/docs"} {
		at, err := Locate(address)
		if err != nil {
			t.Fatal(err)
		}
		place, err := corpus.Place(at)
		if err != nil || place.Kind() != at.Kind || place.Root() != at.Root {
			t.Fatalf("%s: %v", address, err)
		}
		at.Name = at.Kind
		if _, err := corpus.store.Apply(ctx, store.Change{Source: &at}); err != nil {
			t.Fatal(err)
		}
		fetched = append(fetched, corpus.fetched(at.Root))
		if err := os.MkdirAll(filepath.Join(corpus.fetched(at.Root), "data"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := corpus.RemoveSource(ctx, "git"); err != nil {
		t.Fatal(err)
	}
	for i, there := range []bool{true, false, true} {
		if _, err := os.Stat(fetched[i]); (err == nil) != there {
			t.Errorf("%s: %v", fetched[i], err)
		}
	}
	if _, err := corpus.Place(document.Source{Name: "mine", Kind: "upload"}); !errors.Is(err, ErrNoPlace) {
		t.Errorf("a source of a program: %v", err)
	}
}
