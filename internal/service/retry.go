package service

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/seed-d3156d19/quarry/internal/retry"
)

// limit is the rate limit that all requests of a client share: while it is closed,
// none is sent.
type limit struct {
	clock retry.Clock
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

// asked is how long a refusal asks to wait: Retry-After in seconds or as a date, the
// milliseconds that OpenAI and Azure add, or else when the limit that is used up
// is full again. 0: it does not say.
func asked(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	if d, ok := retry.After(h, now); ok {
		return d
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
