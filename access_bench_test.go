package quarry_test

import (
	"fmt"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/local"
)

// BenchmarkHiddenWord asks for a word that no document holds which the asker may read:
// what the time tells of 4,000 that he may not read, when all of them hold it, when none
// does, and when they are not there.
func BenchmarkHiddenWord(b *testing.B) {
	const seen, hidden = 1000, 4000
	for _, c := range []struct {
		name, word string
		hidden     int
	}{{"held by what is hidden", "zebra", hidden}, {"held by nothing", "horse", hidden}, {"nothing is hidden", "horse", 0}} {
		b.Run(c.name, func(b *testing.B) {
			s, err := local.Open(b.Context(), b.TempDir()+"/q.db", local.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			corpus, err := quarry.Open(quarry.Options{Store: s})
			if err != nil {
				b.Fatal(err)
			}
			uploads := func(yield func(quarry.Upload, error) bool) {
				for i := range seen + c.hidden {
					u := quarry.Upload{Path: fmt.Sprintf("d%d.md", i), Data: fmt.Appendf(nil, "# Report %d\n\nThe budget of project %d is settled.\n", i, i%97),
						Metadata: document.Metadata{Access: document.Public()}}
					if i >= seen {
						u.Metadata.Access = document.Access{Readers: []string{"group:board"}}
						u.Data = fmt.Appendf(u.Data, "\nThe %s is in file %d.\n", c.word, i)
					}
					if !yield(u, nil) {
						return
					}
				}
			}
			if _, err := corpus.Put(b.Context(), document.Source{Name: "docs", Kind: "upload", Root: "docs"}, uploads, quarry.Progress{}); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if r, err := corpus.Search(b.Context(), "zebra of the budget", document.Scope{}); err != nil || len(r.Candidates) == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}
