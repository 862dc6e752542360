//go:build unix

package main

import (
	"syscall"
	"time"
)

// used is the CPU time of this process so far, in seconds.
func used() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
