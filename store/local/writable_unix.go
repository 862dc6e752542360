//go:build unix

package local

import "golang.org/x/sys/unix"

// writable is whether this process may write a file or make files in a folder. It
// asks without opening: closing a file of SQLite's would drop its locks.
func writable(path string) bool {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS) == nil
}

// readable is whether this process may read a file.
func readable(path string) bool {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.R_OK, unix.AT_EACCESS) == nil
}
