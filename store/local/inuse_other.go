//go:build !unix

package local

// inUse cannot be told here by looking: a file that another process has open cannot be
// replaced, which the system then says.
func inUse(string) bool { return false }
