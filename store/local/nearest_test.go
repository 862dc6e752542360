package local

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// nearestWorld is a store beside what it should hold.
type nearestWorld struct {
	*testing.T
	ctx     context.Context
	rnd     *rand.Rand
	store   *Store
	model   store.Model
	draw    func(*rand.Rand, []float32)
	docs    map[string]store.Revision
	held    map[string][]document.ContentKey // by document, of all its revisions
	vectors map[document.ContentKey][][]float32
}

// kinds of vectors that codes may find hard.
var kinds = map[string]func(*rand.Rand, []float32){
	"random": func(rnd *rand.Rand, v []float32) {
		for i := range v {
			v[i] = float32(rnd.NormFloat64())
		}
	},
	"clustered": func(rnd *rand.Rand, v []float32) { // far closer together than codes tell apart
		center := rand.New(rand.NewPCG(uint64(rnd.IntN(3)), 7))
		for i := range v {
			v[i] = float32(center.NormFloat64() + 1e-4*rnd.NormFloat64())
		}
	},
	"few values": func(rnd *rand.Rand, v []float32) { // many ties, and vectors of zeros
		for i := range v {
			v[i] = float32(rnd.IntN(3)*rnd.IntN(2)) / 2
		}
	},
	"of all sizes": func(rnd *rand.Rand, v []float32) {
		size := math.Pow(10, float64(rnd.IntN(60)-40))
		for i := range v {
			v[i] = float32(size * rnd.NormFloat64())
		}
	},
	"one long component": func(rnd *rand.Rand, v []float32) { // the rest is lost in its scale
		for i := range v {
			v[i] = float32(rnd.NormFloat64()) / 100
		}
		v[rnd.IntN(len(v))] = 10
	},
}

// Vector gives what a plain loop over the vectors gives: the same best, the same
// scores, under every filter, while documents come, change and go.
func TestNearest(t *testing.T) {
	steps := 5
	if testing.Short() {
		steps = 2
	}
	for name, draw := range kinds {
		for _, dims := range []int{1, 40, 384} {
			t.Run(fmt.Sprintf("%s, %d dimensions", name, dims), func(t *testing.T) {
				t.Parallel()
				w := &nearestWorld{T: t, ctx: t.Context(), rnd: rand.New(rand.NewPCG(1, uint64(dims))), draw: draw,
					store: open(t, filepath.Join(t.TempDir(), "quarry.db"), Options{}), model: store.Model{Name: "m", Dims: dims},
					docs: map[string]store.Revision{}, held: map[string][]document.ContentKey{}, vectors: map[document.ContentKey][][]float32{}}
				for range steps {
					w.step()
					w.check()
				}
				if err := w.store.Check(w.ctx); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func (w *nearestWorld) step() {
	w.Helper()
	c := store.Change{Source: &document.Source{Name: "docs"}}
	for range 12 {
		path := fmt.Sprint("doc", w.rnd.IntN(30))
		if slices.ContainsFunc(c.Put, func(r store.Revision) bool { return r.Document.Path == path }) {
			continue
		}
		if _, ok := w.docs[path]; ok && w.rnd.IntN(3) == 0 {
			c.Remove = append(c.Remove, document.ID{Source: "docs", Path: path})
			delete(w.docs, path)
			delete(w.held, path)
			continue
		}
		if slices.Contains(c.Remove, document.ID{Source: "docs", Path: path}) {
			continue
		}
		var text strings.Builder
		for range 1 + w.rnd.IntN(40) {
			fmt.Fprintf(&text, "words %d\n", w.rnd.IntN(1000))
		}
		r := storetest.Make(path, text.String(), func(r *store.Revision) {
			r.Seen, r.Metadata.Title = time.Now(), "of all" // so that documents share keys
			if w.rnd.IntN(10) == 0 {
				r.Metadata.Tenant = "acme"
			}
		})
		w.docs[path] = r
		for _, p := range r.Passages {
			w.held[path] = append(w.held[path], p.Key)
		}
		c.Put = append(c.Put, r)
	}
	if _, err := w.store.Apply(w.ctx, c); err != nil {
		w.Fatal(err)
	}
	has := map[document.ContentKey]bool{}
	var list []store.Vectors
	for _, r := range w.docs {
		for _, p := range r.Passages {
			if has[p.Key] {
				continue
			}
			has[p.Key] = true
			if w.vectors[p.Key] != nil && w.rnd.IntN(10) > 0 || w.rnd.IntN(5) == 0 {
				continue
			}
			v := store.Vectors{Key: p.Key}
			for range 1 + max(0, w.rnd.IntN(6)-3) {
				x := make([]float32, w.model.Dims)
				w.draw(w.rnd, x)
				v.Vectors = append(v.Vectors, x)
			}
			w.vectors[p.Key] = v.Vectors
			list = append(list, v)
		}
	}
	for _, keys := range w.held {
		for _, key := range keys {
			has[key] = true
		}
	}
	for key := range w.vectors {
		if !has[key] {
			delete(w.vectors, key)
		}
	}
	for part := range slices.Chunk(list, 50) {
		if err := w.store.PutVectors(w.ctx, w.model, part); err != nil {
			w.Fatal(err)
		}
	}
}

func (w *nearestWorld) check() {
	w.Helper()
	for _, tenant := range []string{"", "acme"} {
		v, err := w.store.View(w.ctx, document.Scope{Tenant: tenant})
		if err != nil {
			w.Fatal(err)
		}
		var within []store.Place
		seen := map[string]bool{}
		for path, r := range w.docs {
			if r.Metadata.Tenant == tenant {
				seen[path] = len(seen) < 4
				if seen[path] {
					within = append(within, store.Place{Document: r.Document})
				}
			}
		}
		narrow, err := v.Restrict(w.ctx, within)
		if err != nil {
			w.Fatal(err)
		}
		for _, k := range []int{0, 1, 10, 60, 5000} {
			query := make([]float32, w.model.Dims)
			w.draw(w.rnd, query)
			w.compare(v, query, k, func(path string) bool { _, ok := seen[path]; return ok })
			w.compare(narrow, query, k, func(path string) bool { return seen[path] })
		}
		narrow.Close()
		v.Close()
	}
}

// compare asks a view that sees the given documents.
func (w *nearestWorld) compare(v store.View, query []float32, k int, sees func(string) bool) {
	w.Helper()
	scores := map[document.PassageID]float64{}
	var order []document.PassageID
	for path, r := range w.docs {
		if !sees(path) {
			continue
		}
		for _, p := range r.Passages {
			for n, x := range w.vectors[p.Key] {
				sum := 0.0
				for i := range x {
					sum += float64(x[i]) * float64(query[i])
				}
				if had, ok := scores[p.ID]; !ok || sum > had {
					scores[p.ID] = sum
				}
				if n == 0 {
					order = append(order, p.ID)
				}
			}
		}
	}
	slices.SortFunc(order, func(a, b document.PassageID) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	hits, err := v.Vector(w.ctx, w.model, query, k)
	if err != nil {
		w.Fatal(err)
	}
	if hits.Matched != len(order) || len(hits.Hits) != min(k, len(order)) {
		w.Fatalf("%d matched and %d hits, want %d and %d", hits.Matched, len(hits.Hits), len(order), min(k, len(order)))
	}
	if len(order) == 0 {
		return
	}
	top, low := scores[order[0]], scores[order[len(order)-1]]
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(top), math.Abs(low)) }
	if !near(hits.Min, low) || !near(hits.Max, top) {
		w.Errorf("from %g to %g, want %g to %g", hits.Min, hits.Max, low, top)
	}
	var ids []document.PassageID
	for i, h := range hits.Hits {
		if !near(h.Score, scores[h.Passage]) || !near(h.Score, scores[order[i]]) {
			w.Errorf("rank %d of %d: %s scores %g, want %g; a plain loop has %g", i+1, k, h.Passage, h.Score, scores[h.Passage], scores[order[i]])
		}
		if i > 0 && (h.Score > hits.Hits[i-1].Score || h.Score == hits.Hits[i-1].Score && h.Passage <= hits.Hits[i-1].Passage) {
			w.Errorf("rank %d of %d stands behind a lower one", i+1, k)
		}
		ids = append(ids, h.Passage)
	}
	again, err := v.ScoreVector(w.ctx, w.model, query, ids)
	if err != nil {
		w.Fatal(err)
	}
	for i, h := range hits.Hits {
		if again[i] != h.Score {
			w.Errorf("ScoreVector gives %g, Vector %g", again[i], h.Score)
		}
	}
}

// The bounds hold for every vector, and are as narrow as codes of a byte allow.
func TestBounds(t *testing.T) {
	for name, draw := range kinds {
		for _, dims := range []int{1, 33, 64, 384, 4096} {
			rnd := rand.New(rand.NewPCG(3, uint64(dims)))
			c := newCodes(dims)
			var vectors [][]float32
			for range 50 {
				v := make([]float32, dims)
				draw(rnd, v)
				vectors = append(vectors, v)
				c.add(v)
			}
			query := make([]float32, dims)
			draw(rnd, query)
			q := newQuestion(query)
			for i, v := range vectors {
				sum := 0.0
				for j := range q.codes {
					sum += float64(q.codes[j]) * float64(int8(c.rows[i*c.stride+j]))
				}
				scale := float64(c.scales[i])
				want, got, slack := dot(query, v), scale*q.scale*sum, scale*q.slack(&c)
				if math.Abs(got-want) > slack {
					t.Errorf("%s, %d dimensions: codes give %g for %g, further off than %g", name, dims, got, want, slack)
				}
				// Half a step in each component at most, of the vector and of the question.
				root := math.Sqrt(float64(dims))
				if most := 1.001 * 0.5 * scale * root * (q.length + 127*root*q.scale); slack > most {
					t.Errorf("%s, %d dimensions: an error of %g is allowed for, of %g there may be", name, dims, slack, most)
				}
			}
		}
	}
}

// Whatever the bounds and however few a list holds, the best k are found, also over
// several lists.
func TestShortlist(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for round := range 300 {
		k := 1 + rnd.IntN(20)
		n := rnd.IntN(400)
		scores := map[string]float64{}
		finals := newFinalists(k, func(fn func(func(candidate) (float64, error)) error) error {
			return fn(func(c candidate) (float64, error) { return scores[c.id], nil })
		})
		lists := []*shortlist{newShortlist(k, finals), newShortlist(k, finals), newShortlist(k, finals)}
		for _, l := range lists {
			l.full = 1 + rnd.IntN(100)
		}
		var order []string
		for i := range n {
			id := fmt.Sprintf("%03d", i)
			s := math.Round(rnd.NormFloat64() * 10) // with ties
			scores[id] = s
			order = append(order, id)
			c := candidate{upper: s + rnd.Float64()*5*float64(rnd.IntN(2)), id: id}
			if l := lists[rnd.IntN(3)]; c.upper >= l.floor {
				l.offer(s-rnd.Float64()*5*float64(rnd.IntN(2)), c)
				if len(l.likely) >= l.full {
					t.Fatalf("round %d: a list for %d holds %d", round, l.full, len(l.likely))
				}
			}
		}
		lists[0].merge(lists[1])
		lists[0].merge(lists[2])
		lists[0].settle()
		if finals.err != nil {
			t.Fatal(finals.err)
		}
		slices.SortFunc(order, func(a, b string) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), strings.Compare(a, b)) })
		var got []string
		for _, h := range finals.best.top.best() {
			got = append(got, h.id)
		}
		if want := order[:min(k, n)]; !slices.Equal(got, want) {
			t.Fatalf("round %d: %v, want %v", round, got, want)
		}
	}
}
