package local

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// The space of what was removed is used again: a store that is filled and emptied
// over and over does not grow, and a backup leaves that space out.
func TestSpaceIsUsedAgain(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "quarry.db")
	rnd := rand.New(rand.NewPCG(5, 5))
	model := store.Model{Name: "m", Dims: 64}
	size := func() int64 {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	var full []int64
	for cycle := range 4 {
		s := open(t, path, Options{})
		var ids []document.ID
		for range 8 {
			c := store.Change{Source: &document.Source{Name: "docs"}}
			var vectors []store.Vectors
			for range 8 {
				var text strings.Builder
				for range 400 {
					fmt.Fprintf(&text, "w%d ", rnd.IntN(3000))
				}
				r := storetest.Make(fmt.Sprintf("doc%d-%d", cycle, len(ids)), text.String(), func(r *store.Revision) { r.Seen = time.Unix(1_780_000_000, 0) })
				ids, c.Put = append(ids, r.Document), append(c.Put, r)
				v := make([]float32, model.Dims)
				for i := range v {
					v[i] = rnd.Float32()
				}
				vectors = append(vectors, store.Vectors{Key: r.Passages[0].Key, Vectors: [][]float32{v}})
			}
			if _, err := s.Apply(ctx, c); err != nil {
				t.Fatal(err)
			}
			if err := s.PutVectors(ctx, model, vectors); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
		full = append(full, size())
		s = open(t, path, Options{})
		if _, err := s.Apply(ctx, store.Change{Remove: ids[1:]}); err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	s := open(t, path, Options{Existing: true})
	backup := path + ".backup"
	if _, err := s.Backup(ctx, backup, false); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(backup)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("file when full, by cycle: %d KiB; emptied %d KiB, its backup %d KiB", kib(full), size()>>10, info.Size()>>10)
	if last := full[len(full)-1]; last*10 > full[1]*12 {
		t.Errorf("the file grows from cycle to cycle: %v", full)
	}
	if info.Size()*3 > size() {
		t.Errorf("a backup of an emptied store has %d of %d bytes", info.Size(), size())
	}
}

func kib(sizes []int64) []int64 {
	var out []int64
	for _, n := range sizes {
		out = append(out, n>>10)
	}
	return out
}
