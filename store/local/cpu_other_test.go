//go:build !unix

package local

import "time"

var start = time.Now()

// cpu is the time since the start, where that of the processor is not to be had.
func cpu() time.Duration { return time.Since(start) }
