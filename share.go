package quarry

import (
	"context"
	"sync"
	"time"

	"github.com/seed-d3156d19/quarry/store"
)

// How processes share the work of embedding. One claims so many documents at a time, and holds them by
// extending a short lease: what a process held that is killed, others claim when that is over.
const (
	claimedAtOnce = 16
	claimLease    = 30 * time.Second
	claimPoll     = 200 * time.Millisecond
)

// share is all for a store that other processes may be embedding for as well: each passage is embedded by
// one of them. It ends when every passage has its vector, but for what a model refused: at the end it
// waits for what others hold, and takes that over should their leases run out.
func (r *embedRun) share(ctx context.Context, s store.Sharing) error {
	if err := s.EnqueueMissing(ctx, r.model); err != nil {
		return err
	}
	for {
		jobs, err := r.store.Claim(ctx, store.Embed, claimedAtOnce, claimLease)
		if err != nil {
			return err
		}
		if len(jobs) > 0 {
			if err := r.claimed(ctx, s, jobs); err != nil {
				return err
			}
			continue
		}
		if held, err := s.Held(ctx, store.Embed); err != nil || held == 0 {
			return err
		}
		select {
		case <-time.After(claimPoll):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// claimed embeds the documents of jobs. Where it fails others may claim them at once.
func (r *embedRun) claimed(ctx context.Context, s store.Sharing, jobs []store.Job) (err error) {
	letGo := hold(ctx, s, jobs)
	defer func() {
		letGo()
		after, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeAfterEnd)
		defer cancel()
		if err != nil {
			_ = s.Extend(after, jobs, 0) // else when the lease is over
		} else {
			err = r.store.Done(after, jobs)
		}
	}()
	for {
		missing, err := s.MissingOf(ctx, r.model, jobs, embedBatch+len(r.refused))
		if err != nil {
			return err
		}
		if missing = r.untried(missing); len(missing) == 0 {
			return nil
		}
		if err := r.batches(ctx, missing); err != nil {
			return err
		}
	}
}

// hold extends the leases of jobs until it is called off: a batch may take longer than one.
func hold(ctx context.Context, s store.Sharing, jobs []store.Job) (letGo func()) {
	ctx, cancel := context.WithCancel(ctx)
	var holding sync.WaitGroup
	holding.Go(func() {
		tick := time.NewTicker(claimLease / 3)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = s.Extend(ctx, jobs, claimLease) // again after a while; should it be over, others embed the same
			case <-ctx.Done():
				return
			}
		}
	})
	return func() { cancel(); holding.Wait() }
}
