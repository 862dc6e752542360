package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// BenchmarkApply prints how long a passage takes to be stored, in new documents and in ones
// that change one of their ten passages, and its vector; and the same of a local store.
func BenchmarkApply(b *testing.B) {
	ctx := context.Background()
	const documents, passages, dims, atOnce = 1024, 10, 384, 64
	rnd := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rnd, 1.1, 4, 30_000)
	line := func() string {
		var words strings.Builder
		for range 80 {
			fmt.Fprintf(&words, "word%d ", zipf.Uint64())
		}
		return words.String()
	}
	var fresh, changed []store.Change
	var vectors [][]store.Vectors
	for from := 0; from < documents; from += atOnce {
		first := store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/"}}
		second := first
		var some []store.Vectors
		for d := range atOnce {
			lines := make([]string, passages)
			for i := range lines {
				lines[i] = line()
			}
			make := func() store.Revision {
				return storetest.Make(fmt.Sprintf("doc%05d", from+d), strings.Join(lines, "\n"), func(r *store.Revision) { r.Seen = time.Now() })
			}
			r := make()
			for _, p := range r.Passages {
				x := [dims]float32{}
				for i := range x {
					x[i] = rnd.Float32()
				}
				some = append(some, store.Vectors{Key: p.Key, Vectors: [][]float32{x[:]}})
			}
			first.Put = append(first.Put, r)
			lines[rnd.IntN(passages)] = line()
			second.Put = append(second.Put, make())
		}
		fresh, changed, vectors = append(fresh, first), append(changed, second), append(vectors, some)
	}
	m := store.Model{Name: "m", Dims: dims}
	took := func(fn func(i int) error) time.Duration {
		begin := time.Now()
		for i := range fresh {
			if err := fn(i); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(begin) / (documents * passages)
	}
	run := func(s store.Store) (out [3]time.Duration) {
		apply := func(changes []store.Change) func(int) error {
			return func(i int) error { _, err := s.Apply(ctx, changes[i]); return err }
		}
		out[0] = took(apply(fresh))
		out[1] = took(func(i int) error { return s.PutVectors(ctx, m, vectors[i]) })
		out[2] = took(apply(changed))
		return out
	}
	in := newPlaces(b)
	for range b.N {
		s := open(b, in.address, in.schema(), "", time.Now)
		ours := run(s)
		l, err := local.Open(ctx, filepath.Join(b.TempDir(), "quarry.db"), local.Options{})
		if err != nil {
			b.Fatal(err)
		}
		theirs := run(l)
		s.Close()
		l.Close()
		for i, name := range []string{"new", "vector", "changed"} {
			b.ReportMetric(float64(ours[i].Microseconds()), name+"-µs")
			b.ReportMetric(float64(ours[i])/float64(theirs[i]), name+"/local")
		}
	}
}
