package transfer

import (
	"fmt"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// models finds out of which models vectors are copied, and makes the one that is in force
// a place where another is in force there.
func (c *copier) models() error {
	from, err := c.from.Models(c.ctx)
	if err != nil {
		return err
	}
	to, err := c.to.Models(c.ctx)
	if err != nil {
		return err
	}
	c.inForce, c.others = from.InForce, from.Beside
	none := store.Model{}
	if c.inForce == none || to.InForce == none || to.InForce == c.inForce {
		return nil
	}
	if !c.options.Replace {
		return fmt.Errorf("%w: vectors of %s with %d dimensions, and not of %s with %d", ErrOtherwise, to.InForce.Name, to.InForce.Dims, c.inForce.Name, c.inForce.Dims)
	}
	return c.to.AddModel(c.ctx, c.inForce)
}

// vectors copies those of the documents of a batch, and gives all of them and those that
// were lacking.
func (c *copier) vectors(model store.Model, list []*copying) (all, lacking []store.Vectors, err error) {
	all, lacking, err = c.lacking(model, list)
	if err == nil && len(lacking) > 0 {
		err = c.to.PutVectors(c.ctx, model, lacking)
	}
	return all, lacking, err
}

// lacking gives the vectors of the documents of a batch, and which of them the store that
// is written has not, or has otherwise. What it has besides is left alone.
func (c *copier) lacking(model store.Model, list []*copying) (all, lacking []store.Vectors, err error) {
	if model == (store.Model{}) {
		return nil, nil, nil
	}
	var keys []document.ContentKey
	for _, d := range list {
		keys = append(keys, d.keys...)
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	all, err = c.from.VectorsOf(c.ctx, model, keys)
	if err != nil {
		return nil, nil, err
	}
	have, err := c.to.VectorsOf(c.ctx, model, keys)
	if err != nil {
		return nil, nil, err
	}
	there := map[document.ContentKey][][]float32{}
	for _, v := range have {
		there[v.Key] = v.Vectors
	}
	lacking = slices.DeleteFunc(slices.Clone(all), func(v store.Vectors) bool {
		return slices.EqualFunc(v.Vectors, there[v.Key], slices.Equal[[]float32])
	})
	return all, lacking, nil
}

// beside puts the copied model in force where it has only a place yet, and copies the
// vectors of models that stand beside it, of which there are some while the store is
// being re-embedded.
func (c *copier) beside() error {
	to, err := c.to.Models(c.ctx)
	if err != nil {
		return err
	}
	if none := (store.Model{}); c.inForce != none && to.InForce != none && to.InForce != c.inForce {
		lacking, err := c.to.CountMissing(c.ctx, c.inForce)
		if err == nil {
			_, err = c.to.AdoptModel(c.ctx, c.inForce, lacking)
		}
		if err != nil {
			return err
		}
	}
	for _, m := range c.others {
		if err := c.to.AddModel(c.ctx, m); err != nil {
			return err
		}
		for _, s := range c.sources {
			for paths := range slices.Chunk(s.paths, batchDocuments) {
				var list []*copying
				if err := c.from.Whole(c.ctx, s.Name, paths, func(w store.Whole) error {
					list = append(list, &copying{keys: keysOf(w)})
					return nil
				}); err != nil {
					return err
				}
				if _, _, err := c.vectors(m, list); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
