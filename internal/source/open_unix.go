//go:build unix

package source

import "syscall"

// openFlags keeps the opening of something that has just become a pipe or a
// terminal from waiting for its other end.
const openFlags = syscall.O_NONBLOCK
