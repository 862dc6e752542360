//go:build unix

package testkit

import (
	"syscall"
	"time"
)

// processorTime is the user and system time of this process so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it has no other cause than wrong arguments
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
