//go:build !linux

package e2e

import "testing"

func TestFullDisk(t *testing.T) {
	t.Skip("SKIPPED: a small file system is mounted on Linux only")
}
