package service

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// realTime is the Clock that is used outside of tests.
type realTime struct{}

func (realTime) Now() time.Time { return time.Now() }

func (realTime) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// limit is the rate limit that all requests of a client share: while it is closed,
// none is sent.
type limit struct {
	clock Clock
	mu    sync.Mutex
	until time.Time
}

func (l *limit) close(d time.Duration) {
	until := l.clock.Now().Add(d)
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.until) {
		l.until = until
	}
}

// closed is for how long from now.
func (l *limit) closed() time.Duration {
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.until.Sub(now)
}

// Back-off is exponential with jitter, so that clients that failed together do not
// come back together.
const (
	firstWait   = 500 * time.Millisecond
	longestWait = 30 * time.Second
)

// backoff is how long to wait after so many tries: the upper half of the step at
// random.
func backoff(tries int) time.Duration {
	d := longestWait
	if tries < 8 {
		d = min(d, firstWait<<(tries-1))
	}
	return d/2 + rand.N(d/2+1)
}

// asked is how long a refusal asks to wait: Retry-After in seconds or as a date, the
// milliseconds that OpenAI and Azure add, or else when the limit that is used up
// is full again. 0: it does not say.
func asked(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	after := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(after, 64); err == nil && s >= 0 && s < 1e9 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(after); err == nil {
		// By the service's clock, where it tells its time.
		if date, err := http.ParseTime(h.Get("Date")); err == nil {
			now = date
		}
		return max(0, at.Sub(now))
	}
	return usedUp(h)
}

// usedUp is how long until a limit is full again that has nothing left: OpenAI
// writes "1s" or "6m0s", others seconds.
func usedUp(h http.Header) time.Duration {
	var longest time.Duration
	for _, limit := range []string{"Requests", "Tokens"} {
		if h.Get("X-Ratelimit-Remaining-"+limit) != "0" {
			continue
		}
		reset := h.Get("X-Ratelimit-Reset-" + limit)
		d, err := time.ParseDuration(reset)
		if err != nil {
			d, _ = time.ParseDuration(reset + "s")
		}
		longest = max(longest, d)
	}
	return longest
}
