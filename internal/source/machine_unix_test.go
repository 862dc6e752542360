//go:build unix

package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

func TestErrorsOfTheMachine(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{syscall.EMFILE, true}, {syscall.EIO, true}, {syscall.ENOSPC, true}, {syscall.ESTALE, true},
		{fmt.Errorf("read a.md: sidecar _meta.yaml: %w", &fs.PathError{Op: "open", Path: "x", Err: syscall.ENFILE}), true},
		{syscall.EACCES, false}, {syscall.EPERM, false}, {syscall.ELOOP, false}, {syscall.ENAMETOOLONG, false},
		{ErrGone, false}, {ErrChanged, false}, {ErrTooLarge, false}, {errors.New("other"), false}, {nil, false},
	} {
		if got := OfMachine(c.err); got != c.want {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}

// What the system says when it reads is what is recognised: the memory of a process
// cannot be read at 0 and gives EIO.
func TestReadingFails(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: a file that cannot be read for sure is known on Linux only")
	}
	link := filepath.Join(t.TempDir(), "memory.md")
	if err := os.Symlink("/proc/self/mem", link); err != nil {
		t.Fatal(err)
	}
	s, err := Open(link, Options{})
	if err != nil {
		t.Skipf("SKIPPED: /proc/self/mem cannot be opened here: %v", err)
	}
	listing, err := s.List(t.Context())
	if err != nil || len(listing.Items) != 1 {
		t.Fatalf("%+v, %v", listing, err)
	}
	if _, err := listing.Items[0].Read(t.Context()); !OfMachine(err) {
		t.Errorf("it is no error of the machine: %v", err)
	}
}
