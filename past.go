package quarry

import (
	"context"
	"errors"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/store"
)

// takePast takes in what the documents of a source were before it was added: day by day,
// the oldest first, as syncs on those days would have. It is done when the source is added
// and never again, since a revision is always the newest of its document. What could not
// be read on a day is left out.
func (in *intake) takePast(ctx context.Context, past []source.Past) error {
	if len(past) == 0 {
		return nil
	}
	synced, err := in.corpus.store.Synced(ctx)
	if err != nil {
		return err
	}
	if !synced[in.source].Whole.IsZero() {
		return nil
	}
	if err := in.startOver(ctx); err != nil {
		return err
	}
	in.series.past = map[string]bool{}
	for _, day := range past {
		err := in.corpus.prepareAll(ctx, in.source, entriesOf(day.Items, day.Since), nil, func(_ string, r prepared) error {
			switch {
			case errors.Is(r.err, source.ErrGone) || errors.Is(r.err, source.ErrUnavailable) || errors.Is(r.err, extract.ErrUnsupported) || r.failure != nil:
				return nil
			case r.err != nil:
				return r.err
			}
			in.series.past[r.revision.Document.Path] = true
			return in.put(ctx, r.revision)
		})
		if err == nil {
			err = in.flush(ctx) // a change names a document once
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// startOver removes what an add that was interrupted left: what it had taken in of the
// past is not the newest any more.
func (in *intake) startOver(ctx context.Context) error {
	if len(in.states) == 0 {
		return nil
	}
	var all []document.ID
	for path := range in.states {
		all = append(all, document.ID{Source: in.source, Path: path})
	}
	in.states = nil
	_, err := in.corpus.store.Apply(ctx, store.Change{Remove: all})
	return err
}
