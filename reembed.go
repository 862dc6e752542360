package quarry

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// ErrModel is what an error is where the configured embedding model is not the one
// whose vectors are in the store. Nothing is indexed or asked then: vectors of two
// models are never compared. Reembed brings the store to the configured one.
var ErrModel = store.ErrModel

// modelError is an ErrModel with its own sentence.
type modelError struct{ text string }

func (e modelError) Error() string        { return e.text }
func (e modelError) Is(target error) bool { return target == ErrModel }

// fits refuses the configured model where vectors of another are in force. Without a
// configured model there is nothing to compare.
func (c *Corpus) fits(inForce store.Model) error {
	want := c.options.vectors()
	if c.options.Embedder == nil || inForce == (store.Model{}) || inForce == want {
		return nil
	}
	return modelError{fmt.Sprintf("the store's vectors are of the model %s and the configuration names %s: run quarry reembed, which makes vectors of that one beside them and then uses those, or name the former one under embedding again",
		named(inForce), named(want))}
}

// named is a model as sentences say it.
func named(m store.Model) string { return fmt.Sprintf("%q (%d dimensions)", m.Name, m.Dims) }

// checkModel refuses to index for another model than the one in force.
func (c *Corpus) checkModel(ctx context.Context) error {
	if c.options.Embedder == nil {
		return nil
	}
	models, err := c.store.Models(ctx)
	if err != nil {
		return err
	}
	return c.fits(models.InForce)
}

// viewFits refuses a question to a view whose vectors are of another model.
func (c *Corpus) viewFits(ctx context.Context, view store.View) error {
	if c.options.Embedder == nil {
		return nil
	}
	inForce, err := view.Model(ctx)
	if err != nil {
		return err
	}
	return c.fits(inForce)
}

// ReembedOptions say how Reembed runs. The zero value is all defaults.
type ReembedOptions struct {
	Progress Progress // of which Embedded is called
	// Discard gives up what a re-embedding with another model has begun. Else that is
	// an error, as the vectors may have been paid for.
	Discard bool
}

// Reembedded is what Reembed did.
type Reembedded struct {
	Model, Former store.Model // Former is the zero Model where none was replaced
	Vectors       int         // passages embedded in this run
	// Unembedded are the documents with passages that the model refused: they are found
	// by their words, and tried again at the next sync.
	Unembedded []Problem
	Discarded  []store.Model
}

// Reembed brings the store to the configured embedding model: it makes vectors of every
// passage beside those in force, batch by batch, then puts them in force and removes the
// former ones, as one. Until then questions go on with the former model, for whoever is
// configured for it, and so do syncs; a view has the vectors of one model or of the
// other. A run that was ended goes on when it is called again and loses a batch at most.
// Where the configured model is in force already, it embeds what has no vector.
func (c *Corpus) Reembed(ctx context.Context, o ReembedOptions) (Reembedded, error) {
	if err := c.opened(); err != nil {
		return Reembedded{}, err
	}
	if c.options.Embedder == nil {
		return Reembedded{}, errors.New("no embedding model is configured, so there is nothing to make vectors with: name one under embedding")
	}
	out := Reembedded{Model: c.options.vectors()}
	models, err := c.store.Models(ctx)
	if err != nil {
		return out, err
	}
	if out.Discarded, err = c.discard(ctx, models, o.Discard); err != nil {
		return out, err
	}
	if models.InForce != out.Model {
		out.Former = models.InForce
	}
	if err := c.store.AddModel(ctx, out.Model); err != nil {
		return out, err
	}
	run := &embedRun{Corpus: c, model: out.Model, progress: o.Progress, size: firstBatch, refused: map[document.ContentKey]bool{}}
	err = run.replace(ctx, out.Former)
	out.Vectors, out.Unembedded = run.done, run.problems("")
	return out, err
}

// replace embeds until nothing but what the model refuses lacks a vector, and puts the
// model in force.
func (r *embedRun) replace(ctx context.Context, former store.Model) error {
	for {
		if err := r.all(ctx); err != nil || former == (store.Model{}) {
			return err
		}
		// Passages may have been added since.
		if adopted, err := r.store.AdoptModel(ctx, r.model, len(r.refused)); err != nil || adopted {
			return err
		}
	}
}

// discard gives up what was begun with other models, where that is wanted.
func (c *Corpus) discard(ctx context.Context, models store.Models, wanted bool) (gone []store.Model, err error) {
	others := slices.DeleteFunc(slices.Clone(models.Beside), func(m store.Model) bool { return m == c.options.vectors() })
	if len(others) > 0 && !wanted {
		return nil, fmt.Errorf("a re-embedding with the model %s was begun and what it made is kept: go on with that model configured, or give it up with quarry reembed --discard", named(others[0]))
	}
	for _, m := range others {
		if err := c.store.DropModel(ctx, m); err != nil {
			return gone, err
		}
		gone = append(gone, m)
	}
	return gone, nil
}

// EmbeddingStatus is which model's vectors the store has, as its operator sees it.
type EmbeddingStatus struct {
	Configured store.Model // the zero Model where there is none
	InForce    store.Model // the zero Model where there are no vectors yet
	// Begun are re-embeddings that are not done, one in the store that Reembed keeps.
	Begun []Begun
}

// Begun is a re-embedding that is not done.
type Begun struct {
	Model   store.Model
	Missing int // passages without a vector of the model
}

// Embedding tells the operator which model's vectors are in force and how far a
// re-embedding is.
func (c *Corpus) Embedding(ctx context.Context) (EmbeddingStatus, error) {
	if err := c.opened(); err != nil {
		return EmbeddingStatus{}, err
	}
	models, err := c.store.Models(ctx)
	if err != nil {
		return EmbeddingStatus{}, err
	}
	out := EmbeddingStatus{Configured: c.options.vectors(), InForce: models.InForce}
	for _, m := range models.Beside {
		n, err := c.store.CountMissing(ctx, m)
		if err != nil {
			return out, err
		}
		out.Begun = append(out.Begun, Begun{m, n})
	}
	return out, nil
}
