package local

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// Rows are written in batches and sealed from memory: for every number of them, what is
// read back must match its checksums, and a later revision finds the rows it shares.
func TestPassagesInBatches(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{0, 1, passageBatch - 1, passageBatch, passageBatch + 1, 2*passageBatch + 3} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := open(t, filepath.Join(t.TempDir(), "quarry.db"), Options{})
			lines := make([]string, n)
			for i := range lines {
				lines[i] = fmt.Sprintf("passage%d words", i)
			}
			text := strings.Join(lines, "\n")
			superseding := func(r *store.Revision) { r.Metadata.Supersedes = []string{"a"} }
			puts := [][]store.Revision{
				{storetest.Make("a", text), storetest.Make("b", text, superseding)},
				{storetest.Make("a", text+"\none more")},
			}
			for _, put := range puts {
				change := store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/"}, Put: put}
				if _, err := s.Apply(ctx, change); err != nil {
					t.Fatal(err)
				}
				if err := s.Check(ctx); err != nil {
					t.Error(err)
				}
			}
			var rows int
			if err := s.reading(ctx, "counting", func(c *conn) error {
				_, err := c.get(ctx, "SELECT count(*) FROM passage", nil, &rows)
				return err
			}); err != nil || rows != 2*n+1 {
				t.Errorf("%d rows of passages, %v; want %d", rows, err, 2*n+1)
			}
		})
	}
}
