package local

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// corpus fills a store with documents of 20 passages of 60 words, whose
// frequencies fall off as in a language (Zipf), and vectors of 384 dimensions.
func corpus(b *testing.B, passages int, vectors bool) *Store {
	b.Helper()
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(b.TempDir(), "quarry.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	rnd := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rnd, 1.1, 4, 30_000)
	model := store.Model{Name: "bench", Dims: 384}
	began := time.Now()
	var spent time.Duration
	for doc := 0; doc < passages/20; {
		c := store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/"}}
		var v []store.Vectors
		for range 50 {
			var text strings.Builder
			for i := range 20 {
				if i%5 == 0 {
					fmt.Fprintf(&text, "# part %d of w%d\n", i, zipf.Uint64())
				}
				for range 60 {
					fmt.Fprintf(&text, "w%d ", zipf.Uint64())
				}
				text.WriteString("\n")
			}
			r := storetest.Make(fmt.Sprintf("doc%06d", doc), text.String(), func(r *store.Revision) { r.Seen = began })
			doc++
			c.Put = append(c.Put, r)
			for _, p := range r.Passages {
				x := make([]float32, model.Dims)
				for i := range x {
					x[i] = rnd.Float32() - 0.5
				}
				v = append(v, store.Vectors{Key: p.Key, Vectors: [][]float32{x}})
			}
		}
		from := time.Now()
		if _, err := s.Apply(ctx, c); err != nil {
			b.Fatal(err)
		}
		spent += time.Since(from)
		if vectors {
			if err := s.PutVectors(ctx, model, v); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Logf("%d passages applied at %.0f a second", passages, float64(passages)/spent.Seconds())
	return s
}

func BenchmarkStore(b *testing.B) {
	const n = 20_000
	ctx := context.Background()
	s := corpus(b, n, true)
	question := []store.QueryTerm{{Term: "w3", Weight: 1}, {Term: "w20", Weight: 1}, {Term: "w150", Weight: 1},
		{Term: "w900", Weight: 1}, {Term: "w4000", Weight: 1}, {Term: "w12000", Weight: 1}}
	query := make([]float32, 384)
	query[0] = 1
	newView := func(b *testing.B) store.View {
		v, err := s.View(ctx, document.Scope{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { v.Close() })
		return v
	}
	fresh := func() {
		s.index.latest.Store(nil)
		s.index.contents = contentCache{}
	}
	b.Run("load", func(b *testing.B) {
		var loading, building time.Duration
		for b.Loop() {
			fresh()
			began := time.Now()
			v := newView(b)
			if _, err := v.Keyword(ctx, question[3:4], 100); err != nil {
				b.Fatal(err)
			}
			loading += time.Since(began)
			b.StopTimer()
			if building == 0 {
				began = time.Now()
				if err := s.index.rebuild(ctx, v.(*view).pin, &snapshot{}); err != nil {
					b.Fatal(err)
				}
				building = time.Since(began)
			}
			b.StartTimer()
			v.Close()
		}
		b.ReportMetric(building.Seconds()/loading.Seconds()*float64(b.N), "rebuilding/loading")
	})
	b.Run("load with vectors", func(b *testing.B) {
		for b.Loop() {
			fresh()
			v := newView(b)
			if _, err := v.Vector(ctx, store.Model{Name: "bench", Dims: 384}, query, 100); err != nil {
				b.Fatal(err)
			}
			v.Close()
		}
	})
	v := newView(b)
	var ids []document.PassageID
	b.Run("keyword", func(b *testing.B) {
		for b.Loop() {
			hits, err := v.Keyword(ctx, question, 100)
			if err != nil {
				b.Fatal(err)
			}
			ids = ids[:0]
			for _, h := range hits.Hits {
				ids = append(ids, h.Passage)
			}
		}
	})
	b.Run("vector", func(b *testing.B) {
		vector := func() {
			if _, err := v.Vector(ctx, store.Model{Name: "bench", Dims: 384}, query, 100); err != nil {
				b.Fatal(err)
			}
		}
		began := time.Now()
		for b.Loop() {
			vector()
		}
		all := time.Since(began) / time.Duration(b.N)
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		began = time.Now()
		for range b.N {
			vector()
		}
		b.ReportMetric(float64(time.Since(began)/time.Duration(b.N))/float64(all), "one-core/all")
	})
	b.Run("open view and keyword", func(b *testing.B) {
		for b.Loop() {
			v := newView(b)
			if _, err := v.Keyword(ctx, question, 100); err != nil {
				b.Fatal(err)
			}
			v.Close()
		}
	})
	b.Run("score 100 passages", func(b *testing.B) {
		for b.Loop() {
			if _, err := v.ScoreKeyword(ctx, question, ids); err != nil {
				b.Fatal(err)
			}
		}
	})
	passages := func(b *testing.B) {
		v := newView(b)
		if _, err := v.Passages(ctx, ids); err != nil {
			b.Fatal(err)
		}
		v.Close()
	}
	b.Run("100 passages", func(b *testing.B) {
		began := time.Now()
		for b.Loop() {
			passages(b)
		}
		cached := time.Since(began) / time.Duration(b.N)
		began = time.Now()
		s.index.contents = contentCache{}
		passages(b)
		b.ReportMetric(float64(time.Since(began).Microseconds()), "first-µs")
		b.ReportMetric(float64(time.Since(began))/float64(cached), "first/again")
	})
	b.Run("counts", func(b *testing.B) {
		for b.Loop() {
			if _, err := v.Counts(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("documents", func(b *testing.B) {
		for b.Loop() {
			if _, err := v.Documents(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("change one document and search", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			r := storetest.Make("doc000001", fmt.Sprintf("# part\nw3 changed %d", i), func(r *store.Revision) { r.Seen = time.Now() })
			if _, err := s.Apply(ctx, store.Change{Put: []store.Revision{r}}); err != nil {
				b.Fatal(err)
			}
			v := newView(b)
			if _, err := v.Keyword(ctx, question, 100); err != nil {
				b.Fatal(err)
			}
			v.Close()
		}
	})
}
