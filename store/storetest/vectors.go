package storetest

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

var model = store.Model{Name: "test", Dims: 3}

// unit scales a vector to length 1.
func unit(x ...float32) []float32 {
	var sum float64
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	for i := range x {
		x[i] /= float32(math.Sqrt(sum))
	}
	return x
}

// vectorOf gives each content key a vector of its own, always the same.
func vectorOf(key document.ContentKey) []float32 {
	h := fnv.New64a()
	h.Write([]byte(key))
	rnd := rand.New(rand.NewPCG(h.Sum64(), 1))
	return unit(rnd.Float32()-0.5, rnd.Float32()-0.5, rnd.Float32()-0.5)
}

func (b *bench) vectorsOf(docs ...store.Revision) []store.Vectors {
	var out []store.Vectors
	for _, r := range docs {
		for _, p := range r.Passages {
			out = append(out, store.Vectors{Key: p.Key, Vectors: [][]float32{vectorOf(p.Key)}})
		}
	}
	return out
}

func (b *bench) putVectors(m store.Model, vectors ...store.Vectors) {
	b.Helper()
	b.ok(b.store.PutVectors(b.ctx, m, vectors), "PutVectors")
}

// nearest gives the texts that are nearest to a vector, the best first.
func (b *bench) nearest(v store.View, m store.Model, query []float32, k int) []string {
	b.Helper()
	hits, err := v.Vector(b.ctx, m, query, k)
	b.ok(err, "Vector")
	return b.texts(v, hits)
}

func (b *bench) wantNearest(m store.Model, query []float32, want ...string) {
	b.Helper()
	v := b.view(everyone)
	defer v.Close()
	if got := b.nearest(v, m, query, 10); !slices.Equal(got, want) {
		b.Errorf("nearest are %q, want %q", got, want)
	}
}

func (b *bench) missing(m store.Model, limit int) []string {
	b.Helper()
	list, err := b.store.MissingVectors(b.ctx, m, limit)
	b.ok(err, "MissingVectors")
	var out []string
	for _, u := range list {
		out = append(out, u.Text)
	}
	return out
}

func testVectors(t *testing.T, f Factory) {
	two := Make("a", "east\nnorth")
	east, north := two.Passages[0].Key, two.Passages[1].Key
	x, y, z := []float32{1, 0, 0}, []float32{0, 1, 0}, []float32{0, 0, 1}
	one := func(key document.ContentKey, vectors ...[]float32) store.Vectors {
		return store.Vectors{Key: key, Vectors: vectors}
	}
	sub(t, f, "passages are ranked by dot product, those without a vector are no hits", func(b *bench) {
		b.put(two, Make("b", "unembedded"))
		b.wantNearest(model, x)
		b.putVectors(model, one(east, x), one(north, y))
		b.wantNearest(model, unit(1, 0.5, 0), "east", "north")
		b.wantNearest(model, unit(0.5, 1, 0), "north", "east")
	})
	sub(t, f, "a passage counts as the best of its windows", func(b *bench) {
		b.put(two)
		b.putVectors(model, one(east, x, z), one(north, y))
		b.wantNearest(model, unit(0, 0.5, 1), "east", "north")
	})
	sub(t, f, "keys already there are replaced", func(b *bench) {
		b.put(two)
		b.putVectors(model, one(east, x), one(north, y))
		b.putVectors(model, one(east, y), one(north, x))
		b.wantNearest(model, unit(1, 0.5, 0), "north", "east")
	})
	sub(t, f, "keys of no passage are dropped", func(b *bench) {
		b.putVectors(model, one(east, x))
		b.put(two)
		b.wantNearest(model, x)
		if got := b.missing(model, 10); len(got) != 2 {
			b.Errorf("missing %q", got)
		}
	})
	sub(t, f, "a vector that is not as the model's are is ErrInvalid", func(b *bench) {
		b.put(two)
		b.putVectors(model, one(east, x))
		b.is(b.store.PutVectors(b.ctx, model, []store.Vectors{one(north, []float32{1, 0})}), store.ErrInvalid, "a short vector")
		b.is(b.store.PutVectors(b.ctx, model, []store.Vectors{one(north)}), store.ErrInvalid, "no vector")
		b.is(b.store.PutVectors(b.ctx, model, []store.Vectors{one(north, []float32{float32(math.NaN()), 0, 0})}), store.ErrInvalid, "NaN")
		for _, query := range [][]float32{{float32(math.NaN()), 0, 0}, {0, float32(math.Inf(1)), 0}} {
			_, err := b.view(everyone).Vector(b.ctx, model, query, 10)
			b.is(err, store.ErrInvalid, "a question that is not finite")
		}
		_, err := b.view(everyone).Vector(b.ctx, model, []float32{1, 0}, 10)
		b.is(err, store.ErrInvalid, "a short question")
		b.wantNearest(model, x, "east")
	})
	sub(t, f, "vectors of content keys that survive are kept", func(b *bench) {
		b.put(two)
		b.putVectors(model, one(east, x), one(north, y))
		b.put(Make("a", "east\nsouth"))
		b.wantNearest(model, unit(1, 0.5, 0), "east")
		if got := b.missing(model, 10); !slices.Equal(got, []string{"south"}) {
			b.Errorf("missing %q, want south", got)
		}
	})
	sub(t, f, "vectors of removed passages go, unless another document has the key", func(b *bench) {
		copied := Make("b", "east", func(r *store.Revision) { r.Metadata.Title = "a" })
		if copied.Passages[0].Key != east {
			b.Fatal("the copy has another content key")
		}
		b.put(two, copied)
		b.putVectors(model, one(east, x), one(north, y))
		b.remove("a")
		b.wantNearest(model, x, "east")
		b.put(two)
		b.wantNearest(model, unit(1, 0.5, 0), "east", "east")
		if got := b.missing(model, 10); !slices.Equal(got, []string{"north"}) {
			b.Errorf("missing %q, want north", got)
		}
	})
	sub(t, f, "MissingVectors lists each key once, in a stable order, at most limit", func(b *bench) {
		b.put(two, Make("b", "east\nwest", func(r *store.Revision) { r.Metadata.Title = "a" }))
		all := b.missing(model, 10)
		if len(all) != 3 {
			b.Errorf("missing %q, want 3", all)
		}
		for n := range 4 {
			if got := b.missing(model, n); !slices.Equal(got, all[:n]) {
				b.Errorf("at most %d: %q, want %q", n, got, all[:n])
			}
		}
		b.putVectors(model, one(east, x))
		b.reopen()
		if got := b.missing(model, 10); len(got) != 2 {
			b.Errorf("missing %q, want 2", got)
		}
		list, err := b.store.MissingVectors(b.ctx, model, 1)
		b.ok(err, "MissingVectors")
		if list[0].Context != "a" || list[0].Key != north || list[0].Text != "north" || list[0].Document != docID("a") {
			b.Errorf("the first is %+v", list[0])
		}
	})
	sub(t, f, "CountMissing counts what MissingVectors lists without a limit", func(b *bench) {
		count := func(m store.Model, want int) {
			b.Helper()
			got, err := b.store.CountMissing(b.ctx, m)
			b.ok(err, "CountMissing")
			if all := b.missing(m, 100); got != want || len(all) != want {
				b.Errorf("%d are counted and %d listed, want %d", got, len(all), want)
			}
		}
		count(model, 0)
		b.put(two, Make("b", "east\nwest", func(r *store.Revision) { r.Metadata.Title = "a" }))
		count(model, 3)
		b.putVectors(model, one(east, x))
		count(model, 2)
		count(store.Model{Name: "other", Dims: 2}, 3)
		b.reopen()
		count(model, 2)
		b.put(Make("a", "new"))
		count(model, 3) // and of the past revision
		b.putVectors(model, one(north, y))
		b.remove("a")
		count(model, 1)
		b.remove("b")
		count(model, 0)
	})
	sub(t, f, "MissingVectors lists passages of past revisions and of any tenant too", func(b *bench) {
		b.put(Make("a", "old", seen("2026-06-01")), Make("c", "closed", tenant("acme"), readers("user:ann")))
		b.put(Make("a", "new"))
		if got := b.missing(model, 10); len(got) != 3 {
			b.Errorf("missing %q, want 3", got)
		}
	})
	sub(t, f, "vectors are durable", func(b *bench) {
		b.put(two)
		b.putVectors(model, one(east, x), one(north, y, z))
		b.reopen()
		b.wantNearest(model, unit(0.1, 0, 1), "north", "east")
	})
	sub(t, f, "ScoreVector is NaN for a passage without a vector of the model", func(b *bench) {
		b.put(two)
		b.putVectors(model, one(east, unit(3, 4, 0)))
		got, err := b.view(everyone).ScoreVector(b.ctx, model, x, []document.PassageID{two.Passages[1].ID, two.Passages[0].ID})
		b.ok(err, "ScoreVector")
		if len(got) != 2 || !math.IsNaN(got[0]) || math.Abs(got[1]-0.6) > 1e-6 {
			b.Errorf("scores %v, want NaN and 0.6", got)
		}
	})
	sub(t, f, "Min and Max bound the scores of all that have a vector, whatever k is", func(b *bench) {
		b.put(two, Make("b", "unembedded"))
		b.putVectors(model, one(east, unit(3, 4, 0)), one(north, unit(-3, 4, 0)))
		hits, err := b.view(everyone).Vector(b.ctx, model, x, 1)
		b.ok(err, "Vector")
		if got := fmt.Sprintf("%d %d %.3f %.3f", len(hits.Hits), hits.Matched, hits.Min, hits.Max); got != "1 2 -0.600 0.600" {
			b.Errorf("hits, matched, min, max: %s", got)
		}
	})
	sub(t, f, "Similar compares with the first vector of a passage, NaN without a vector of either", func(b *bench) {
		b.put(two, Make("b", "unembedded"), Make("c", "closed", readers("user:ann")))
		b.putVectors(model, one(east, unit(3, 4, 0), z), one(north, z, unit(4, 3, 0)))
		alone, closed := Make("b", "unembedded").Passages[0].ID, Make("c", "closed", readers("user:ann")).Passages[0].ID
		e, n := two.Passages[0].ID, two.Passages[1].ID
		v := b.view(document.Scope{})
		for _, c := range []struct {
			to   document.PassageID
			want string
		}{
			{e, "[1.00 0.96 NaN]"},
			{n, "[1.00 1.00 NaN]"}, // its first is z, of which the other has one too
			{alone, "[NaN NaN NaN]"},
		} {
			got, err := v.Similar(b.ctx, model, c.to, []document.PassageID{e, n, alone})
			b.ok(err, "Similar")
			if s := fmt.Sprintf("%.2f", got); s != c.want {
				b.Errorf("similar to %s: %s, want %s", c.to, s, c.want)
			}
		}
		_, err := v.Similar(b.ctx, model, closed, []document.PassageID{e})
		b.is(err, document.ErrNotFound, "to one that is not seen")
		_, err = v.Similar(b.ctx, model, e, []document.PassageID{closed})
		b.is(err, document.ErrNotFound, "one that is not seen")
		got, err := v.Similar(b.ctx, store.Model{Name: "other", Dims: 2}, e, []document.PassageID{e})
		b.ok(err, "Similar by a model without vectors")
		if len(got) != 1 || !math.IsNaN(got[0]) {
			b.Errorf("by a model without vectors: %v", got)
		}
	})
}
