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

// shortDocuments makes changes of 64 documents of one passage of 220 words each,
// like the abstracts of a search test set, and counts the bytes of their text.
func shortDocuments(n int) (changes []store.Change, vectors [][]store.Vectors, text int) {
	rnd := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rnd, 1.1, 4, 30_000)
	for doc := 0; doc < n; {
		c := store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/"}}
		var some []store.Vectors
		for range 64 {
			var words strings.Builder
			for range 220 {
				fmt.Fprintf(&words, "word%d ", zipf.Uint64())
			}
			text += words.Len()
			r := storetest.Make(fmt.Sprintf("doc%06d", doc), words.String(), func(r *store.Revision) { r.Seen = time.Now() })
			r.Sections[0].Description = r.Sections[0].Description[:80] // one line
			x := make([]float32, 384)
			for i := range x {
				x[i] = rnd.Float32()
			}
			c.Put, some = append(c.Put, r), append(some, store.Vectors{Key: r.Passages[0].Key, Vectors: [][]float32{x}})
			doc++
		}
		changes, vectors = append(changes, c), append(vectors, some)
	}
	return changes, vectors, text
}

// writtenBytes is what this process gave the system to write; 0 where it does not
// say.
func writtenBytes() (n float64) {
	b, _ := os.ReadFile("/proc/self/io")
	for line := range strings.Lines(string(b)) {
		fmt.Sscanf(line, "wchar: %g", &n)
	}
	return n
}

// BenchmarkWrite prints how many bytes are written for each byte of text, and for
// each byte of vectors.
func BenchmarkWrite(b *testing.B) {
	ctx := context.Background()
	changes, vectors, text := shortDocuments(5_183)
	model := store.Model{Name: "bench", Dims: 384}
	for b.Loop() {
		s, err := Open(ctx, filepath.Join(b.TempDir(), "quarry.db"), Options{})
		if err != nil {
			b.Fatal(err)
		}
		before, began := writtenBytes(), time.Now()
		for _, c := range changes {
			if _, err := s.Apply(ctx, c); err != nil {
				b.Fatal(err)
			}
		}
		middle, applied := writtenBytes(), time.Now()
		for range vectors {
			missing, err := s.MissingVectors(ctx, model, 64)
			if err != nil || len(missing) != 64 {
				b.Fatal(len(missing), err)
			}
		}
		looked := time.Now()
		for _, v := range vectors {
			if err := s.PutVectors(ctx, model, v); err != nil {
				b.Fatal(err)
			}
		}
		put := time.Now()
		if s.index.latest.Load() != nil {
			b.Error("writing loaded the index")
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric((middle-before)/float64(text), "written/text")
		b.ReportMetric((writtenBytes()-middle)/float64(len(vectors)*64*384*4), "written/vectors")
		b.ReportMetric(applied.Sub(began).Seconds(), "apply-s")
		b.ReportMetric(looked.Sub(applied).Seconds(), "missing-s")
		b.ReportMetric(put.Sub(looked).Seconds(), "vectors-s")
	}
}
