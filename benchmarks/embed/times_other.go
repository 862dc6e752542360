//go:build !unix

package main

import "time"

var started = time.Now()

// used stands for the CPU time where it is not to be had: the time on the clock,
// which is the same for one thread on an idle machine.
func used() float64 { return time.Since(started).Seconds() }
