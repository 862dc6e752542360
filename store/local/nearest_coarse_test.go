package local

import (
	"cmp"
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

// One long component makes the codes of a vector coarse: of more such vectors than a
// shortlist holds, each might be better than one whose codes are fine, and is not. The
// best and the least are found all the same.
func TestNearestOfCoarseCodes(t *testing.T) {
	const coarse = 3000
	for _, dims := range []int{64, 384, 1536} {
		t.Run(fmt.Sprint(dims, " dimensions"), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(5, uint64(dims)))
			question := gaussian(rnd, dims, 1)
			question[0] = 0
			unit(question)
			var text strings.Builder
			for i := range coarse + 2 {
				fmt.Fprintf(&text, "words %d\n", i)
			}
			doc := storetest.Make("doc", text.String(), func(r *store.Revision) { r.Seen = time.Unix(1_780_000_000, 0) })
			if len(doc.Passages) < coarse+2 {
				t.Fatalf("%d passages", len(doc.Passages))
			}
			passages := doc.Passages[:coarse+2]
			var vectors []store.Vectors
			scores := map[document.PassageID]float64{}
			put := func(v []float32) {
				p := passages[len(vectors)]
				vectors = append(vectors, store.Vectors{Key: p.Key, Vectors: [][]float32{v}})
				scores[p.ID] = dot(question, v)
			}
			best, least := math.Inf(-1), math.Inf(1)
			for range coarse {
				v := gaussian(rnd, dims, 0.05/math.Sqrt(float64(dims)))
				for i := range v {
					v[i] += 0.6 * question[i]
				}
				v[0] = 0.8
				put(unit(v))
				best, least = max(best, dot(question, v)), min(least, dot(question, v))
			}
			put(scoring(rnd, question, best+0.02))
			put(scoring(rnd, question, least-0.02))

			s := open(t, filepath.Join(t.TempDir(), "quarry.db"), Options{})
			m := store.Model{Name: "m", Dims: dims}
			if _, err := s.Apply(t.Context(), store.Change{Source: &document.Source{Name: "docs"}, Put: []store.Revision{doc}}); err != nil {
				t.Fatal(err)
			}
			if err := s.PutVectors(t.Context(), m, vectors); err != nil {
				t.Fatal(err)
			}
			view, err := s.View(t.Context(), document.Scope{})
			if err != nil {
				t.Fatal(err)
			}
			defer view.Close()
			var order []document.PassageID
			for id := range scores {
				order = append(order, id)
			}
			slices.SortFunc(order, func(a, b document.PassageID) int {
				return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
			})
			for _, k := range []int{1, 10, 100} {
				hits, err := view.Vector(t.Context(), m, question, k)
				if err != nil {
					t.Fatal(err)
				}
				var got []document.PassageID
				for _, h := range hits.Hits {
					got = append(got, h.Passage)
				}
				if !slices.Equal(got, order[:k]) {
					t.Errorf("the best %d are others: the first scores %g, and the best %g", k, hits.Max, scores[order[0]])
				}
				if want := scores[order[len(order)-1]]; hits.Min != want {
					t.Errorf("the least scores %g, not %g", want, hits.Min)
				}
			}
		})
	}
}

func gaussian(rnd *rand.Rand, dims int, size float64) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(size * rnd.NormFloat64())
	}
	return v
}

func unit(v []float32) []float32 {
	length := math.Sqrt(dot(v, v))
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
	return v
}

// scoring is a unit vector, even in all other directions, with that score.
func scoring(rnd *rand.Rand, question []float32, score float64) []float32 {
	v := gaussian(rnd, len(question), 1)
	along := dot(question, v)
	for i := range v {
		v[i] -= float32(along) * question[i]
	}
	unit(v)
	for i := range v {
		v[i] = float32(score)*question[i] + float32(math.Sqrt(1-score*score))*v[i]
	}
	return v
}
