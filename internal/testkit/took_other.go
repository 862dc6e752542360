//go:build !unix

package testkit

import "time"

// processorTime is the time that has passed, where the system does not say the other.
func processorTime() time.Duration { return time.Since(begun) }
