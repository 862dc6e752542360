//go:build unix

package source

import "syscall"

var machineErrors = []syscall.Errno{
	syscall.EMFILE, syscall.ENFILE, // no more files may be open
	syscall.ENOMEM, syscall.ENOBUFS,
	syscall.EIO, syscall.ENODEV, // the disk
	syscall.ENOSPC, syscall.EDQUOT, // what a network file system writes to read
	syscall.ESTALE, syscall.ENOTCONN, syscall.ETIMEDOUT, syscall.EHOSTDOWN, syscall.EHOSTUNREACH,
	syscall.ENETDOWN, syscall.ENETUNREACH, syscall.ECONNRESET, syscall.ECONNREFUSED, syscall.ECONNABORTED,
}
