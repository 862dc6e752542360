//go:build !unix

package local

import "os"

// writable is whether this process may write a file, as far as its mode says so.
func writable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && (info.IsDir() || info.Mode()&0o200 != 0)
}

// readable is whether this process may read a file: a mode does not say that here,
// and opening it does.
func readable(string) bool { return true }
