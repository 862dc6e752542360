package quarry

import (
	"context"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// SourceStatus is what a source has in the store, as its operator sees it:
// scopes do not apply.
type SourceStatus struct {
	Source    document.Source
	Documents int
	Failed    []FailedDocument
	// Last is how the last syncs of the source went.
	Last store.Sync
	// Lag is how long ago a sync last compared the source whole, to the hour where it found
	// nothing to do, or to a quarter of Options.Freshness; 0 where that is not known.
	Lag time.Duration
	// Late is set where Lag exceeds Options.Freshness, or is not known.
	Late bool
}

// FailedDocument is a document that could not be turned into passages.
type FailedDocument struct {
	Problem
	// Retry says when it is tried again: RetryNext or RetryChanged.
	Retry string `json:"retry"`
}

// When a document that failed is tried again.
const (
	RetryNext    = "at the next sync"
	RetryChanged = "when it changes"
)

// Status tells the operator what is indexed, how fresh it is and what failed.
func (c *Corpus) Status(ctx context.Context) ([]SourceStatus, error) {
	if err := c.opened(); err != nil {
		return nil, err
	}
	sources, err := c.store.Sources(ctx)
	if err != nil {
		return nil, err
	}
	synced, err := c.store.Synced(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]SourceStatus, 0, len(sources))
	for _, s := range sources {
		states, err := c.store.States(ctx, s.Name)
		if err != nil {
			return nil, err
		}
		status := SourceStatus{Source: s, Last: synced[s.Name]}
		if whole := status.Last.Whole; !whole.IsZero() {
			status.Lag = max(0, c.options.Clock().Sub(whole)) // a clock that was set back knows of no lag
		}
		if target := c.options.Freshness; target > 0 {
			status.Late = status.Last.Whole.IsZero() || status.Lag > target
		}
		for _, d := range states {
			switch {
			case d.Failed && d.Hash == "":
				status.Failed = append(status.Failed, FailedDocument{Problem{d.Path, d.Reason}, RetryNext})
			case d.Failed:
				status.Failed = append(status.Failed, FailedDocument{Problem{d.Path, d.Reason}, RetryChanged})
			default:
				status.Documents++
			}
		}
		out = append(out, status)
	}
	return out, nil
}

// Remains counts what the store still holds of a document, whoever may read it: nothing
// where it was removed. It is the operator's view.
func (c *Corpus) Remains(ctx context.Context, id document.ID) (store.Remains, error) {
	if err := c.opened(); err != nil {
		return store.Remains{}, err
	}
	return c.store.Remains(ctx, id)
}
