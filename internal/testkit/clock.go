// Package testkit is what tests of several packages share: a clock that nobody
// waits for and fake services of models.
package testkit

import (
	"context"
	"sync"
	"time"
)

// Clock is a time that passes only while somebody sleeps, and then at once.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock gives a clock that shows noon of 15 June 2026, UTC.
func NewClock() *Clock {
	return &Clock{now: time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)}
}

// Now tells the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep moves the clock by d.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return nil
}
