package quarry

import (
	"context"
	"errors"
	"time"

	"github.com/seed-d3156d19/quarry/store"
)

// freshness is how exactly it is known when a source was last synced, where the sync
// found nothing to do: it writes nothing then, but for this once in a while. Where a
// target is set it is known four times as exactly as that.
func (o Options) freshness() time.Duration {
	if o.Freshness > 0 {
		return min(time.Hour, o.Freshness/4)
	}
	return time.Hour
}

// mark notes what a sync did, and that the source was compared whole if it was.
func (in *intake) mark(ctx context.Context) error {
	if in.change.Source != nil { // it holds nothing, and is not kept
		return nil
	}
	failure := ""
	if in.report.Incomplete {
		failure = "a part of it could not be listed, so nothing was removed"
	}
	return in.note(ctx, failure)
}

// note keeps how the sync went, if that differs from what is noted.
func (in *intake) note(ctx context.Context, failure string) error {
	now := in.corpus.options.Clock()
	synced, err := in.corpus.store.Synced(ctx)
	if err != nil {
		return err
	}
	r, last := &in.report, synced[in.source]
	next := store.Sync{Whole: last.Whole, At: now, Added: len(r.Added), Changed: len(r.Changed), Renamed: len(r.Renamed), Removed: len(r.Removed),
		Unchanged: r.Unchanged, Failed: len(r.Failed), Unreached: len(r.Unreached), Withheld: len(r.Withheld), Skipped: len(r.Skipped), Error: failure}
	if whole := failure == "" && len(r.Withheld) == 0; whole {
		next.Whole = now
	}
	if in.kept == 0 && next.Failed == last.Failed && next.Unreached == last.Unreached && next.Withheld == last.Withheld && next.Error == last.Error {
		stale := !next.Whole.Equal(last.Whole) && (last.Whole.IsZero() || now.Before(last.Whole) || now.Sub(last.Whole) >= in.corpus.options.freshness())
		if !stale {
			return nil
		}
		whole := next.Whole
		next = last // which did something
		next.Whole = whole
	}
	err = in.corpus.store.MarkSynced(ctx, in.source, next)
	if in.kept == 0 && (errors.Is(err, store.ErrReadOnly) || errors.Is(err, store.ErrBusy)) {
		return nil // there was nothing to write, so it need not be written
	}
	return err
}

// NoteFailure keeps for Status why a source could not be synced, where Sync was not
// reached, as of a folder that is not there. Of a source that was not added nothing is kept.
func (c *Corpus) NoteFailure(ctx context.Context, source string, failure error) error {
	if err := c.opened(); err != nil {
		return err
	}
	in := &intake{corpus: c, source: source}
	return in.failed(ctx, failure)
}

// failed notes why a sync ended early. That cannot be noted where the store itself cannot
// be written, and is of no interest where the source was never added.
func (in *intake) failed(ctx context.Context, failure error) error {
	if ctx.Err() != nil || errors.Is(failure, store.ErrBusy) || errors.Is(failure, store.ErrReadOnly) {
		return nil
	}
	err := in.note(ctx, failure.Error())
	if errors.Is(err, store.ErrInvalid) {
		return nil
	}
	return err
}
