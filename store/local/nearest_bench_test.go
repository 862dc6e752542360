package local

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// shares are the filters: of every n-th document.
var shares = []int{1, 10, 100, 1000}

// nearestCorpus fills a store with documents of 50 short passages, and returns their
// vectors in the order of the passages.
func nearestCorpus(b *testing.B, m *mixture, passages int) (*Store, []float32) {
	b.Helper()
	ctx := context.Background()
	dir := os.Getenv("QUARRY_KEEP")
	if dir == "" {
		dir = b.TempDir()
	}
	path := filepath.Join(dir, fmt.Sprintf("vectors%d.db", passages))
	_, err := os.Stat(path)
	made := err == nil
	s, err := Open(ctx, path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	rnd := rand.New(rand.NewPCG(1, 2))
	all := make([]float32, passages*m.dims)
	for i := 0; i < len(all); i += m.dims {
		m.draw(rnd, all[i:i+m.dims])
	}
	var applying, putting time.Duration
	for doc := 0; doc < passages/50 && !made; {
		c := store.Change{Source: &document.Source{Name: "docs"}}
		var v []store.Vectors
		for range 20 {
			var text strings.Builder
			for i := range 50 {
				fmt.Fprintf(&text, "passage %d of %d\n", i, doc)
			}
			r := storetest.Make(fmt.Sprintf("doc%06d", doc), text.String(), func(r *store.Revision) {
				r.Seen, r.Metadata.Attributes = time.Now(), map[string][]string{}
				for _, share := range shares {
					if doc%share == 0 {
						r.Metadata.Attributes["share"] = append(r.Metadata.Attributes["share"], strconv.Itoa(share))
					}
				}
			})
			for i, p := range r.Passages {
				v = append(v, store.Vectors{Key: p.Key, Vectors: [][]float32{all[(doc*50+i)*m.dims:][:m.dims]}})
			}
			c.Put = append(c.Put, r)
			doc++
		}
		began := time.Now()
		if _, err := s.Apply(ctx, c); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		if err := s.PutVectors(ctx, store.Model{Name: "bench", Dims: m.dims}, v); err != nil {
			b.Fatal(err)
		}
		applying, putting = applying+middle.Sub(began), putting+time.Since(middle)
	}
	if !made {
		b.Logf("%d passages: %v to apply, %v to store vectors", passages, applying.Round(time.Second), putting.Round(time.Second))
	}
	return s, all
}

// BenchmarkNearest asks for the nearest 50 of QUARRY_PASSAGES passages (20,000 unless
// given) under filters, beside what reading their vectors from memory once costs in
// the same run; and what starting and changing one document cost. QUARRY_KEEP names a
// folder where the store is kept for the next time.
func BenchmarkNearest(b *testing.B) {
	const dims, k = 384, 50
	passages := 20_000
	if n, err := strconv.Atoi(os.Getenv("QUARRY_PASSAGES")); err == nil {
		passages = n
	}
	ctx := context.Background()
	m := newMixture(b, dims)
	s, all := nearestCorpus(b, m, passages)
	model := store.Model{Name: "bench", Dims: dims}
	rnd := rand.New(rand.NewPCG(21, 22))

	v, err := s.View(ctx, document.Scope{})
	if err != nil {
		b.Fatal(err)
	}
	defer v.Close()
	if _, err := v.Keyword(ctx, []store.QueryTerm{{Term: "passage", Weight: 1}}, 1); err != nil { // loads the index
		b.Fatal(err)
	}
	p := v.(*view).pin
	vectors := &snapshot{segments: p.snap.segments}
	before, began := liveHeap(), time.Now()
	if err := vectors.loadVectors(ctx, p.conn, &snapshot{}); err != nil {
		b.Fatal(err)
	}
	keys, keysHeap := time.Since(began), liveHeap()-before
	began = time.Now()
	if _, err := vectors.vectors[model].fill(ctx, p.conn); err != nil {
		b.Fatal(err)
	}
	codes, heap := time.Since(began), liveHeap()-before
	b.Logf("keys loaded in %v, codes in %v; live heap %.0f bytes a passage, %.0f of them to find its vector",
		keys, codes, float64(heap)/float64(passages), float64(keysHeap)/float64(passages))
	runtime.KeepAlive(vectors)
	vectors = nil
	if _, err := v.Vector(ctx, model, m.question(rnd), k); err != nil { // loads the codes
		b.Fatal(err)
	}

	for _, share := range shares {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("one of %d, %d threads", share, threads), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
				v, err := s.View(ctx, document.Scope{Where: map[string][]string{"share": {strconv.Itoa(share)}}})
				if err != nil {
					b.Fatal(err)
				}
				defer v.Close()
				var asking, reading []time.Duration
				found, wanted := 0, 0
				for b.Loop() {
					q := m.question(rnd)
					began := time.Now()
					hits, err := v.Vector(ctx, model, q, k)
					if err != nil {
						b.Fatal(err)
					}
					asking = append(asking, time.Since(began))
					began = time.Now()
					readOnce(all, threads)
					reading = append(reading, time.Since(began))
					if threads == 1 && len(asking) <= 20 {
						least := fiftieth(all, dims, q, share, k)
						wanted += k
						for _, h := range hits.Hits {
							if h.Score >= least-1e-6 {
								found++
							}
						}
					}
				}
				slices.Sort(asking)
				slices.Sort(reading)
				b.ReportMetric(asking[len(asking)/2].Seconds()*1000, "p50-ms")
				b.ReportMetric(asking[len(asking)*99/100].Seconds()*1000, "p99-ms")
				b.ReportMetric(asking[len(asking)/2].Seconds()/reading[len(reading)/2].Seconds(), "p50/read")
				if wanted > 0 {
					b.ReportMetric(float64(found)/float64(wanted), "recall@50")
				}
			})
		}
	}
	b.Run("score 200 passages", func(b *testing.B) {
		hits, err := v.Vector(ctx, model, m.question(rnd), 200)
		if err != nil {
			b.Fatal(err)
		}
		var ids []document.PassageID
		for _, h := range hits.Hits {
			ids = append(ids, h.Passage)
		}
		for b.Loop() {
			s.index.vectors = vectorCache{}
			if _, err := v.ScoreVector(ctx, model, m.question(rnd), ids); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("counts", func(b *testing.B) {
		for b.Loop() {
			if _, err := v.Counts(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("change one document", func(b *testing.B) {
		var putting, asking time.Duration
		for i := 0; b.Loop(); i++ {
			r := storetest.Make("another", fmt.Sprintf("changed %d\nagain %d", i, i), func(r *store.Revision) { r.Seen = time.Now() })
			if _, err := s.Apply(ctx, store.Change{Put: []store.Revision{r}}); err != nil {
				b.Fatal(err)
			}
			began := time.Now()
			q := m.question(rnd)
			if err := s.PutVectors(ctx, model, []store.Vectors{{Key: r.Passages[0].Key, Vectors: [][]float32{q}}}); err != nil {
				b.Fatal(err)
			}
			putting += time.Since(began)
			v, err := s.View(ctx, document.Scope{Sources: []string{"docs"}})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := v.Keyword(ctx, []store.QueryTerm{{Term: "changed", Weight: 1}}, 1); err != nil { // loads the words
				b.Fatal(err)
			}
			narrow, err := v.Restrict(ctx, []store.Place{{Document: r.Document}})
			if err != nil {
				b.Fatal(err)
			}
			began = time.Now()
			if hits, err := narrow.Vector(ctx, model, q, 1); err != nil || len(hits.Hits) != 1 || hits.Hits[0].Passage != r.Passages[0].ID {
				b.Fatal(hits, err)
			}
			asking += time.Since(began)
			narrow.Close()
			v.Close()
		}
		b.ReportMetric(putting.Seconds()*1000/float64(b.N), "put-vectors-ms")
		b.ReportMetric(asking.Seconds()*1000/float64(b.N), "first-vector-question-ms")
	})
}

// fiftieth is the k-th best score of a plain loop over every share-th document.
func fiftieth(all []float32, dims int, q []float32, share, k int) float64 {
	var scores []float64
	for doc := 0; doc*50*dims < len(all); doc += share {
		for i := range 50 {
			scores = append(scores, dot(q, all[(doc*50+i)*dims:][:dims]))
		}
	}
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	return scores[min(k, len(scores))-1]
}

var readSum uint64

// readOnce loads every cache line of the vectors.
func readOnce(all []float32, threads int) {
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&all[0])), len(all)/2)
	sums := make(chan uint64, threads)
	for n := range threads {
		go func() {
			part := words[len(words)*n/threads : len(words)*(n+1)/threads]
			var a, b, c, d uint64
			for ; len(part) >= 32; part = part[32:] {
				a, b, c, d = a+part[0], b+part[8], c+part[16], d+part[24]
			}
			sums <- a + b + c + d
		}()
	}
	for range threads {
		readSum += <-sums
	}
}

func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
