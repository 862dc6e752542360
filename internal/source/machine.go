package source

import (
	"errors"
	"slices"
	"syscall"
)

// OfMachine reports whether an error of Item.Read says nothing about the original:
// the machine, its disk or the network failed, and would have failed for any other.
// What it says of the original (it may not be read, it is too large, it changed) is
// not among them, nor is an error that is not known here.
func OfMachine(err error) bool {
	var errno syscall.Errno
	return errors.As(err, &errno) && slices.Contains(machineErrors, errno)
}
