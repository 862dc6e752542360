package quarry

import (
	"context"
	"fmt"

	"github.com/seed-d3156d19/quarry/store"
)

// embedBatch is how many passages are embedded and stored at once: what an
// interrupted run loses at most.
const embedBatch = 256

// embed gives every passage that has no vector of the configured model one. Text is
// searchable by keyword before; running it again goes on where it stopped.
func (c *Corpus) embed(ctx context.Context, p Progress) (int, error) {
	e := c.options.Embedder
	if e == nil {
		return 0, nil
	}
	model := store.Model{Name: e.Name(), Dims: e.Dims()}
	done := 0
	for {
		missing, err := c.store.MissingVectors(ctx, model, embedBatch)
		if err != nil || len(missing) == 0 {
			return done, err
		}
		texts := make([]string, len(missing))
		for i, m := range missing {
			texts[i] = m.Context + "\n" + m.Text
		}
		vectors, err := e.Passages(ctx, texts)
		if err != nil {
			return done, fmt.Errorf("embedding with %s: %w; what was embedded is kept, run the command again to go on", model.Name, err)
		}
		if len(vectors) != len(missing) {
			return done, fmt.Errorf("embedding with %s gave %d results for %d passages: the model or its service is faulty", model.Name, len(vectors), len(missing))
		}
		put := make([]store.Vectors, len(missing))
		for i, m := range missing {
			if len(vectors[i]) == 0 {
				return done, fmt.Errorf("embedding with %s gave no vector for a passage: the model or its service is faulty", model.Name)
			}
			put[i] = store.Vectors{Key: m.Key, Vectors: vectors[i]}
		}
		if err := c.store.PutVectors(ctx, model, put); err != nil {
			return done, fmt.Errorf("storing the vectors of %s: %w", model.Name, err)
		}
		done += len(missing)
		if p.Embedded != nil {
			p.Embedded(done, 0)
		}
	}
}
