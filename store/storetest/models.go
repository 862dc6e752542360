package storetest

import (
	"slices"
	"sync"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// other has the name of model, which alone does not make it the same.
var other = store.Model{Name: model.Name, Dims: 2}

func (b *bench) wantModels(inForce store.Model, beside ...store.Model) {
	b.Helper()
	have, err := b.store.Models(b.ctx)
	b.ok(err, "Models")
	if have.InForce != inForce || !slices.Equal(have.Beside, beside) {
		b.Errorf("in force is %v and beside are %v, want %v and %v", have.InForce, have.Beside, inForce, beside)
	}
	v := b.view(everyone)
	defer v.Close()
	seen, err := v.Model(b.ctx)
	b.ok(err, "View.Model")
	if seen != inForce {
		b.Errorf("a view says %v, want %v", seen, inForce)
	}
}

func (b *bench) adopt(m store.Model, lacking int, want bool) {
	b.Helper()
	got, err := b.store.AdoptModel(b.ctx, m, lacking)
	b.ok(err, "AdoptModel")
	if got != want {
		b.Errorf("AdoptModel is %v, want %v", got, want)
	}
}

func testModels(t *testing.T, f Factory) {
	two := Make("a", "east\nnorth")
	east, north := two.Passages[0].Key, two.Passages[1].Key
	one := func(key document.ContentKey, v ...float32) store.Vectors {
		return store.Vectors{Key: key, Vectors: [][]float32{v}}
	}
	none := store.Model{}
	third := store.Model{Name: "third", Dims: 1}
	// begun is a store of two passages with vectors, and one vector of another model.
	begun := func(b *bench) {
		b.put(two)
		b.putVectors(model, one(east, 1, 0, 0), one(north, 0, 1, 0))
		b.ok(b.store.AddModel(b.ctx, other), "AddModel")
		b.putVectors(other, one(east, 0, 1))
	}
	sub(t, f, "the first vectors put their model in force", func(b *bench) {
		b.put(two)
		b.wantModels(none)
		b.ok(b.store.AddModel(b.ctx, third), "AddModel")
		b.wantModels(none)
		b.putVectors(model, one(east, 1, 0, 0))
		b.wantModels(model)
		b.reopen()
		b.wantModels(model)
	})
	sub(t, f, "vectors of a model without a place are ErrModel", func(b *bench) {
		b.put(two)
		b.putVectors(model, one(east, 1, 0, 0))
		for _, m := range []store.Model{other, {Name: "third", Dims: 3}} {
			b.is(b.store.PutVectors(b.ctx, m, []store.Vectors{one(east, make([]float32, m.Dims)...)}), store.ErrModel, "PutVectors")
			_, err := b.store.AdoptModel(b.ctx, m, 10)
			b.is(err, store.ErrModel, "AdoptModel")
			b.ok(b.store.DropModel(b.ctx, m), "DropModel")
		}
		b.wantModels(model)
		b.wantNearest(model, []float32{1, 0, 0}, "east")
	})
	sub(t, f, "a model whose vectors are all gone holds no place", func(b *bench) {
		b.put(two)
		b.putVectors(model, one(east, 1, 0, 0))
		b.remove("a")
		b.wantModels(none)
		b.put(two)
		b.putVectors(other, one(east, 0, 1))
		b.wantModels(other)
		b.wantNearest(other, []float32{0, 1}, "east")
		b.wantNearest(model, []float32{1, 0, 0})
	})
	sub(t, f, "a model beside is not in force, and is counted apart", func(b *bench) {
		begun(b)
		b.wantModels(model, other)
		b.ok(b.store.AddModel(b.ctx, other), "AddModel again")
		b.ok(b.store.AddModel(b.ctx, model), "AddModel of the one in force")
		b.reopen()
		b.wantModels(model, other)
		b.wantNearest(model, []float32{1, 0, 0}, "east", "north")
		b.wantNearest(other, []float32{0, 1}, "east")
		counts, err := b.view(everyone).Counts(b.ctx)
		b.ok(err, "Counts")
		if counts.Vectors[model] != 2 || counts.Vectors[other] != 1 {
			b.Errorf("counts %v", counts.Vectors)
		}
		if got := b.missing(other, 10); !slices.Equal(got, []string{"north"}) {
			b.Errorf("missing %q, want north", got)
		}
		list, err := b.view(everyone).Documents(b.ctx)
		b.ok(err, "Documents")
		if list[0].Vectors != 2 {
			b.Errorf("%d passages have a vector of the model in force, want 2", list[0].Vectors)
		}
		b.remove("a")
		b.wantNearest(other, []float32{0, 1})
	})
	sub(t, f, "adopting waits until no more lack a vector than may, and removes the vectors of the others", func(b *bench) {
		begun(b)
		b.ok(b.store.AddModel(b.ctx, third), "AddModel")
		b.adopt(model, 0, true)
		b.wantModels(model, other, third)
		b.adopt(other, 0, false)
		b.wantModels(model, other, third)
		before := b.view(everyone)
		defer before.Close()
		commit := before.Commit()
		b.adopt(other, 1, true)
		b.wantModels(other)
		b.wantNearest(other, []float32{0, 1}, "east")
		b.wantNearest(model, []float32{1, 0, 0})
		if v := b.view(everyone); v.Commit().Sequence <= commit.Sequence {
			b.Error("it is no commit, so other processes do not see it")
		}
		// A view that was opened before goes on with what it saw.
		if m, err := before.Model(b.ctx); m != model || err != nil {
			b.Errorf("the view before says %v, %v", m, err)
		}
		if got := b.nearest(before, model, []float32{1, 0, 0}, 10); !slices.Equal(got, []string{"east", "north"}) {
			b.Errorf("the view before finds %q", got)
		}
		b.is(b.store.PutVectors(b.ctx, model, []store.Vectors{one(east, 1, 0, 0)}), store.ErrModel, "PutVectors of the former model")
		b.putVectors(other, one(north, 1, 0))
		b.reopen()
		b.wantModels(other)
		b.wantNearest(other, []float32{0, 1}, "east", "north")
	})
	sub(t, f, "a model that was dropped begins anew", func(b *bench) {
		begun(b)
		b.putVectors(other, one(north, 1, 0))
		if got := b.missing(other, 10); len(got) != 0 {
			b.Errorf("missing %q", got)
		}
		b.ok(b.store.DropModel(b.ctx, other), "DropModel")
		b.is(b.store.DropModel(b.ctx, model), store.ErrModel, "DropModel of the one in force")
		b.wantModels(model)
		b.wantNearest(other, []float32{0, 1})
		b.ok(b.store.AddModel(b.ctx, other), "AddModel")
		if got := b.missing(other, 10); len(got) != 2 {
			b.Errorf("missing %q, want both", got)
		}
		b.putVectors(other, one(east, 1, 0))
		b.wantNearest(other, []float32{1, 0}, "east")
	})
	sub(t, f, "views see the vectors of one model whole while another is adopted", func(b *bench) {
		begun(b)
		b.putVectors(other, one(north, 1, 0))
		var readers sync.WaitGroup
		done := make(chan struct{})
		for range 3 {
			readers.Go(func() {
				for stop := false; !stop; {
					select {
					case <-done:
						stop = true // after one more look
					default:
					}
					b.seesOneModel()
				}
			})
		}
		b.adopt(other, 0, true)
		close(done)
		readers.Wait()
	})
}

// seesOneModel checks that a view has the vectors of the model that it says, and
// no other.
func (b *bench) seesOneModel() {
	v, err := b.store.View(b.ctx, everyone)
	if err != nil {
		b.Errorf("View: %v", err)
		return
	}
	defer v.Close()
	in, err := v.Model(b.ctx)
	if err != nil {
		b.Errorf("Model: %v", err)
		return
	}
	query := make([]float32, in.Dims)
	query[0] = 1
	hits, err := v.Vector(b.ctx, in, query, 10)
	if err != nil || len(hits.Hits) != 2 {
		b.Errorf("in force is %v and finds %d, %v", in, len(hits.Hits), err)
	}
	if in == other {
		if hits, err := v.Vector(b.ctx, model, []float32{1, 0, 0}, 10); err != nil || len(hits.Hits) != 0 {
			b.Errorf("the former model finds %d, %v", len(hits.Hits), err)
		}
	}
}
