package local

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// BenchmarkKeyword asks 20,000 passages, which are applied as any other; or as many
// as QUARRY_BENCH_PASSAGES says, which are put into the index alone. QUARRY_BENCH_STORE
// names a file to make them in, or to find them in.
func BenchmarkKeyword(b *testing.B) {
	ctx := context.Background()
	passages, fill := 20_000, (*zipfCorpus).fill
	if n, err := strconv.Atoi(os.Getenv("QUARRY_BENCH_PASSAGES")); err == nil {
		passages, fill = n, (*zipfCorpus).bare
	}
	path := os.Getenv("QUARRY_BENCH_STORE")
	if path == "" {
		path = filepath.Join(b.TempDir(), "quarry.db")
	}
	_, err := os.Stat(path)
	s, opened := Open(ctx, path, Options{})
	if opened != nil {
		b.Fatal(opened)
	}
	defer s.Close()
	z := newZipfCorpus()
	if err != nil {
		fill(z, b, s, passages)
	}
	ask := func(b *testing.B, s *Store, scope document.Scope, q []store.QueryTerm) {
		v, err := s.View(ctx, scope)
		if err != nil {
			b.Fatal(err)
		}
		defer v.Close()
		if _, err := v.Keyword(ctx, q, 10); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("first question", func(b *testing.B) {
		var memory runtime.MemStats
		var used time.Duration
		for b.Loop() {
			runtime.GC()
			runtime.ReadMemStats(&memory)
			before := memory.HeapAlloc
			began := cpu()
			other, err := Open(ctx, path, Options{})
			if err != nil {
				b.Fatal(err)
			}
			ask(b, other, document.Scope{}, z.questions(6)[0])
			used += cpu() - began
			runtime.GC()
			runtime.ReadMemStats(&memory)
			b.ReportMetric(float64(memory.HeapAlloc-before)/float64(passages), "heap-B/passage")
			other.Close()
		}
		b.ReportMetric(used.Seconds()/float64(b.N), "cpu-s")
	})
	for _, n := range []int{2, 6, 20} {
		b.Run(fmt.Sprintf("%d terms", n), func(b *testing.B) {
			questions := z.questions(n)
			v, err := s.View(ctx, document.Scope{})
			if err != nil {
				b.Fatal(err)
			}
			defer v.Close()
			ask(b, s, document.Scope{}, questions[0]) // with the index in memory
			var took []time.Duration
			used := cpu()
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				if _, err := v.Keyword(ctx, questions[i%len(questions)], 10); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			b.ReportMetric(float64((cpu()-used).Nanoseconds())/float64(b.N), "cpu-ns")
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2]), "p50-ns")
		})
	}
	for _, edits := range []int{1, 2} {
		b.Run(fmt.Sprintf("near terms at %d edits", edits), func(b *testing.B) {
			v, err := s.View(ctx, document.Scope{})
			if err != nil {
				b.Fatal(err)
			}
			defer v.Close()
			terms := 0
			for i := 0; b.Loop(); i++ {
				word := []byte(z.words[1_000+i%20_000])
				word[len(word)/2] = 'x'
				near, err := v.Near(ctx, string(word), edits, 1<<20)
				if err != nil {
					b.Fatal(err)
				}
				terms += len(near)
			}
			b.ReportMetric(float64(terms)/float64(b.N), "near")
			terms = 0
			for _, g := range s.index.latest.Load().segments {
				terms += g.passages.terms.n
			}
			b.ReportMetric(float64(terms), "terms-in-segments")
		})
	}
	for _, share := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("6 terms in one document of %d", share), func(b *testing.B) {
			questions := z.questions(6)
			whole, err := s.View(ctx, document.Scope{})
			if err != nil {
				b.Fatal(err)
			}
			defer whole.Close()
			var places []store.Place
			for doc := 0; doc < passages/20; doc += share {
				places = append(places, store.Place{Document: document.ID{Source: "docs", Path: fmt.Sprintf("folder/doc%07d", doc)}})
			}
			v, err := whole.Restrict(ctx, places)
			if err != nil {
				b.Fatal(err)
			}
			defer v.Close()
			used := cpu()
			for i := 0; b.Loop(); i++ {
				if _, err := v.Keyword(ctx, questions[i%len(questions)], 10); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((cpu()-used).Nanoseconds())/float64(b.N), "cpu-ns")
		})
	}
	b.Run("one document changed", func(b *testing.B) {
		other, err := Open(ctx, path, Options{}) // as another process
		if err != nil {
			b.Fatal(err)
		}
		defer other.Close()
		ask(b, other, document.Scope{}, z.questions(6)[0])
		began, most := cpu(), time.Duration(0)
		changed := 17
		for b.Loop() {
			r := z.document(changed % (passages / 20))
			r.Hash = strconv.FormatInt(time.Now().UnixNano(), 10)
			changed += 31
			used := cpu()
			if _, err := s.Apply(ctx, store.Change{Put: []store.Revision{r}}); err != nil {
				b.Fatal(err)
			}
			ask(b, other, document.Scope{}, z.questions(6)[0])
			most = max(most, cpu()-used)
		}
		b.ReportMetric(float64((cpu()-began).Nanoseconds())/float64(b.N), "cpu-ns")
		b.ReportMetric(most.Seconds(), "most-cpu-s")
	})
}
