package watch

import (
	"context"
	"time"
)

// A change is told once nothing has happened for quiet, as a file is saved in several
// steps and a folder file by file; where something happens all the time, after longest.
const (
	quiet   = 100 * time.Millisecond
	longest = 500 * time.Millisecond
)

// gather tells what happened, many events as one, until ctx ends.
func gather(ctx context.Context, happened <-chan struct{}, changed chan<- struct{}) {
	still := time.NewTimer(quiet)
	still.Stop()
	var since time.Time // of the first event that was not told yet
	for {
		select {
		case <-ctx.Done():
			return
		case <-happened:
			now := time.Now()
			if since.IsZero() {
				since = now
			}
			still.Reset(min(quiet, max(0, since.Add(longest).Sub(now))))
		case <-still.C:
			since = time.Time{}
			signal(changed)
		}
	}
}

// signal sends unless what was sent before was not taken yet, which says the same.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
