package main

import "time"

// times are seconds, of all cores and on the clock.
type times struct{ cpu, wall float64 }

func (t *times) least(o times) {
	if t.cpu == 0 || o.cpu < t.cpu {
		t.cpu = o.cpu
	}
	if t.wall == 0 || o.wall < t.wall {
		t.wall = o.wall
	}
}

func measure(f func() error) (times, error) {
	before, start := used(), time.Now()
	err := f()
	return times{used() - before, time.Since(start).Seconds()}, err
}
