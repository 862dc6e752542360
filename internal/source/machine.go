package source

import (
	"errors"
	"syscall"
)

// OfMachine reports whether an error of Item.Read says nothing about the original:
// the machine, its disk or the network failed, and would have failed for any other.
// What it says of the original (it may not be read, it is too large, it changed) is
// not among them, nor is an error that is not known here.
func OfMachine(err error) bool {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return false
	}
	for _, e := range machineErrors {
		if errno == e {
			return true
		}
	}
	return false
}
