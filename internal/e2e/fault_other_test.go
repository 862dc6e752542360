//go:build !linux || !amd64

package e2e

import "testing"

func TestFaults(t *testing.T) {
	t.Skip("SKIPPED: faults at system calls are made on Linux on amd64 only")
}
