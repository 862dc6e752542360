package quarry_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
)

// What is found under another path is the same document: nothing of it is embedded again or
// counted as lost, and its text is in force since it was first seen.
func TestRenames(t *testing.T) {
	lamp := func(colour string) string { return "# Lamp\n\nThe lamp is " + colour + ".\n" }
	for _, c := range []struct {
		what          string
		before, after map[string]string
		renamed       []string // "from > to"
		report        string   // added, changed, removed, unchanged, withheld
		embeds        int
	}{
		{"a file", map[string]string{"a.md": lamp("red"), "b.md": lamp("blue")}, map[string]string{"c.md": lamp("red"), "b.md": lamp("blue")},
			[]string{"a.md > c.md"}, "0 0 0 1 0", 0},
		{"a folder, more than may be removed at once",
			map[string]string{"old/1.md": lamp("red"), "old/2.md": lamp("blue"), "old/3.md": lamp("green"), "old/4.md": lamp("white"), "x.md": lamp("black")},
			map[string]string{"new/1.md": lamp("red"), "new/2.md": lamp("blue"), "new/3.md": lamp("green"), "new/4.md": lamp("white"), "x.md": lamp("black")},
			[]string{"old/1.md > new/1.md", "old/2.md > new/2.md", "old/3.md > new/3.md", "old/4.md > new/4.md"}, "0 0 0 1 0", 0},
		{"one of several copies", map[string]string{"a.md": lamp("red"), "b.md": lamp("red")}, map[string]string{"b.md": lamp("red"), "c.md": lamp("red"), "d.md": lamp("red")},
			[]string{"a.md > c.md"}, "1 0 0 1 0", 0},
		{"all copies", map[string]string{"a.md": lamp("red"), "b.md": lamp("red")}, map[string]string{"c.md": lamp("red"), "d.md": lamp("red")},
			[]string{"a.md > c.md", "b.md > d.md"}, "0 0 0 0 0", 0},
		{"a copy is none", map[string]string{"a.md": lamp("red")}, map[string]string{"a.md": lamp("red"), "b.md": lamp("red")}, nil, "1 0 0 1 0", 0},
		{"and edited, it is another", map[string]string{"a.md": lamp("red"), "x.md": lamp("black")}, map[string]string{"b.md": lamp("green"), "x.md": lamp("black")}, nil, "1 0 1 1 0", 1},
		{"in the place of another, which changes", map[string]string{"a.md": lamp("red"), "b.md": lamp("blue")}, map[string]string{"b.md": lamp("red")}, nil, "0 1 1 0 0", 0},
		{"changed places", map[string]string{"a.md": lamp("red"), "b.md": lamp("blue")}, map[string]string{"a.md": lamp("blue"), "b.md": lamp("red")}, nil, "0 2 0 0 0", 0},
		{"under another sidecar, who may read it is another matter",
			map[string]string{"open/a.md": lamp("red"), "x.md": lamp("black")}, map[string]string{"shut/a.md": lamp("red"), "shut/_meta.yaml": "readers: [user:ann]\n", "x.md": lamp("black")}, nil, "1 0 1 1 0", 0},
	} {
		t.Run(c.what, func(t *testing.T) {
			corpus := newChanging(t)
			root := t.TempDir()
			fill := func(files map[string]string) {
				t.Helper()
				if err := os.RemoveAll(root); err != nil {
					t.Fatal(err)
				}
				for name, text := range files {
					name = filepath.Join(root, filepath.FromSlash(name))
					if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			fill(c.before)
			synced(t, corpus.Corpus, root)
			first := corpus.now
			corpus.now = first.Add(10 * 24 * time.Hour)
			fill(c.after)
			n := corpus.embedded(func() {
				r := synced(t, corpus.Corpus, root)
				var renamed []string
				for _, x := range r.Renamed {
					renamed = append(renamed, x.From+" > "+x.To)
				}
				report := fmt.Sprintln(len(r.Added), len(r.Changed), len(r.Removed), r.Unchanged, len(r.Withheld))
				if !slices.Equal(renamed, c.renamed) || report != c.report+"\n" {
					t.Errorf("the report is %+v", r)
				}
			})
			if n != c.embeds {
				t.Errorf("%d passages were embedded, want %d", n, c.embeds)
			}
			delete(c.after, "shut/_meta.yaml")
			delete(c.after, "shut/a.md") // which everybody may not read
			if got := shown(t, corpus.Corpus); !maps.Equal(got, c.after) {
				t.Errorf("in force are %v", slices.Sorted(maps.Keys(got)))
			}
			for _, x := range c.renamed {
				_, to, _ := strings.Cut(x, " > ")
				id := document.ID{Source: "docs", Path: to}
				for day, want := range map[document.Day]bool{document.DayOf(first) - 1: false, document.DayOf(first): true, document.DayOf(first) + 5: true} {
					if _, err := corpus.Document(t.Context(), id, document.Scope{AsOf: day}); (err == nil) != want {
						t.Errorf("as of %s, %s: %v", day, to, err)
					}
				}
			}
			if r := synced(t, corpus.Corpus, root); len(r.Renamed)+len(r.Added)+len(r.Removed) > 0 {
				t.Errorf("the next report is %+v", r)
			}
		})
	}
}
