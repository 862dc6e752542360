//go:build !unix && !windows

package source

import "syscall"

var machineErrors []syscall.Errno
