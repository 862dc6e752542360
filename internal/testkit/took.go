package testkit

import "time"

// begun is about when this process was.
var begun = time.Now()

// Took is how long f takes on a machine that does nothing else: the time that passes or the
// processor time of this process, whichever is less. Beside other work the first is longer, and where
// many cores are idle the second, as the collector then runs on all of them. f is to run in one goroutine.
func Took(f func()) time.Duration {
	began, used := time.Now(), processorTime()
	f()
	return min(time.Since(began), processorTime()-used)
}
