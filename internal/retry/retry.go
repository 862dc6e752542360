// Package retry says how long to wait before something that failed is tried again.
package retry

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	// Sleep waits for d, or until ctx ends, and then returns its error.
	Sleep(ctx context.Context, d time.Duration) error
}

// Real is the Clock that is used outside of tests.
type Real struct{}

// Now implements Clock.
func (Real) Now() time.Time { return time.Now() }

// Sleep implements Clock.
func (Real) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Back-off is exponential with jitter, so that clients that failed together do not
// come back together.
const (
	First   = 500 * time.Millisecond
	Longest = 30 * time.Second
)

// Backoff is how long to wait after so many tries: the upper half of the step at
// random.
func Backoff(tries int) time.Duration {
	d := Longest
	if tries < 8 {
		d = min(d, First<<(tries-1))
	}
	return d/2 + rand.N(d/2+1)
}

// After is how long an answer asks to wait, in seconds or until a date (RFC 9110,
// section 10.2.3); ok is false where it does not say.
func After(h http.Header, now time.Time) (d time.Duration, ok bool) {
	after := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(after, 64); err == nil && s >= 0 && s < 1e9 {
		return time.Duration(s * float64(time.Second)), true
	}
	at, err := http.ParseTime(after)
	if err != nil {
		return 0, false
	}
	// By the service's clock, where it tells its time.
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return max(0, at.Sub(now)), true
}
