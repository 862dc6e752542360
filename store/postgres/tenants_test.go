package postgres_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	testserver "github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/postgres"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// tenanted is a corpus of tenants that share one table of vectors.
type tenanted struct {
	model   store.Model
	vectors map[string]map[document.PassageID][]float32 // by tenant
}

// TestEveryTenantFindsItsNearest asks tenants of very different sizes, whose vectors lie mixed in
// one HNSW index, for their nearest passages, and compares with all of them. QUARRY_LONG=1
// does so with 200,000 passages of 384 dimensions.
func TestEveryTenantFindsItsNearest(t *testing.T) {
	documents, dims, asked := 300, 16, 20
	if os.Getenv("QUARRY_LONG") != "" {
		documents, dims, asked = 10_000, 384, 100
	}
	ctx := context.Background()
	s, err := postgres.Open(ctx, testserver.Shared(t).Database(t), postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	began := time.Now()
	rnd := rand.New(rand.NewPCG(11, 12))
	c := fillTenants(t, s, rnd, documents, dims)
	t.Logf("%d passages with vectors of %d dimensions after %v", 20*documents, dims, time.Since(began).Round(time.Second))
	const k = 50
	for _, tenant := range []string{"half", "quarter", "fiftieth", "thousandth", "nobody"} {
		view, err := s.View(ctx, document.Scope{Tenant: tenant})
		if err != nil {
			t.Fatal(err)
		}
		found, wanted := 0, 0
		var times []time.Duration
		for range asked {
			query := c.near(rnd)
			began := time.Now()
			hits, err := view.Vector(ctx, c.model, query, k)
			if err != nil {
				t.Fatal(err)
			}
			times = append(times, time.Since(began))
			nearest := c.nearest(tenant, query, k)
			if len(hits.Hits) != len(nearest) || hits.Matched != len(c.vectors[tenant]) {
				t.Fatalf("tenant %s: %d hits of %d that matched, want %d of %d", tenant, len(hits.Hits), hits.Matched, len(nearest), len(c.vectors[tenant]))
			}
			for _, h := range hits.Hits {
				if _, ok := c.vectors[tenant][h.Passage]; !ok {
					t.Fatalf("tenant %s is shown passage %s of another", tenant, h.Passage)
				}
				if slices.Contains(nearest, h.Passage) {
					found++
				}
			}
			wanted += len(nearest)
		}
		view.Close()
		recall := float64(found) / float64(max(wanted, 1))
		slices.Sort(times)
		t.Logf("tenant %s of %d passages: recall %.4f, p50 %v", tenant, len(c.vectors[tenant]), recall, times[len(times)/2])
		if wanted > 0 && recall < 0.98 {
			t.Errorf("tenant %s: recall %.4f of its nearest %d, want 0.98", tenant, recall, k)
		}
	}
}

// fillTenants puts documents of 20 passages, of which every other is of one tenant, about every fourth of
// another, every fiftieth of a third, and every thousandth, one at least, of a fourth.
func fillTenants(t *testing.T, s *postgres.Store, rnd *rand.Rand, documents, dims int) *tenanted {
	t.Helper()
	ctx := context.Background()
	c := &tenanted{model: store.Model{Name: "made", Dims: dims}, vectors: map[string]map[document.PassageID][]float32{}}
	centres := make([][]float32, 40)
	for i := range centres {
		centres[i] = unit(gaussian(rnd, dims))
	}
	for first := 0; first < documents; first += 100 {
		change := store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/"}}
		var vectors []store.Vectors
		for n := first; n < min(first+100, documents); n++ {
			tenant := "others"
			switch {
			case n%1000 == 7:
				tenant = "thousandth"
			case n%50 == 3:
				tenant = "fiftieth"
			case n%2 == 0:
				tenant = "half"
			case n%4 == 1:
				tenant = "quarter"
			}
			var text strings.Builder
			for i := range 20 {
				fmt.Fprintf(&text, "w%d\n", i)
			}
			r := storetest.Make(fmt.Sprintf("d%05d", n), text.String(), func(r *store.Revision) {
				r.Metadata.Tenant, r.Seen = tenant, time.Now()
			})
			change.Put = append(change.Put, r)
			if c.vectors[tenant] == nil {
				c.vectors[tenant] = map[document.PassageID][]float32{}
			}
			centre := centres[rnd.IntN(len(centres))]
			for _, p := range r.Passages {
				v := around(rnd, centre)
				c.vectors[tenant][p.ID] = v
				vectors = append(vectors, store.Vectors{Key: p.Key, Vectors: [][]float32{v}})
			}
		}
		if _, err := s.Apply(ctx, change); err != nil {
			t.Fatal(err)
		}
		if err := s.PutVectors(ctx, c.model, vectors); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func gaussian(rnd *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(rnd.NormFloat64())
	}
	return v
}

func unit(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func around(rnd *rand.Rand, centre []float32) []float32 {
	v := gaussian(rnd, len(centre))
	for i := range v {
		v[i] = centre[i] + v[i]/float32(math.Sqrt(float64(len(v))))
	}
	return unit(v)
}

// near is a question near some passage of anybody.
func (c *tenanted) near(rnd *rand.Rand) []float32 {
	tenants := []string{"half", "quarter", "fiftieth", "thousandth", "others"}
	vectors := c.vectors[tenants[rnd.IntN(len(tenants))]]
	ids := make([]document.PassageID, 0, len(vectors))
	for id := range vectors {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return around(rnd, vectors[ids[rnd.IntN(len(ids))]])
}

func (c *tenanted) nearest(tenant string, query []float32, k int) []document.PassageID {
	type scored struct {
		id    document.PassageID
		score float64
	}
	all := make([]scored, 0, len(c.vectors[tenant]))
	for id, v := range c.vectors[tenant] {
		var sum float64
		for i := range v {
			sum += float64(v[i]) * float64(query[i])
		}
		all = append(all, scored{id, sum})
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id)) })
	var ids []document.PassageID
	for _, s := range all[:min(k, len(all))] {
		ids = append(ids, s.id)
	}
	return ids
}
