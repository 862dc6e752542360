//go:build unix

package local

import (
	"io"
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// Where SQLite locks a file that it has open, shared by who reads it (sqlite.org/lockingv3.html).
const (
	lockedFrom = 0x40000000
	lockedLen  = 512
)

// looked are files whose locks were looked at. They stay open: closing one would give up the
// locks that this process itself has on it (fcntl(2)). A damaged store is one at most.
var looked struct {
	sync.Mutex
	files []*os.File
}

// inUse is whether another process has the file of a store open. SQLite says so itself unless
// it cannot read the file's header.
func inUse(path string) bool {
	looked.Lock()
	defer looked.Unlock()
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	at := slices.IndexFunc(looked.files, func(f *os.File) bool {
		kept, err := f.Stat()
		return err == nil && os.SameFile(info, kept)
	})
	if at < 0 {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return false
		}
		at, looked.files = len(looked.files), append(looked.files, f)
	}
	lock := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: lockedFrom, Len: lockedLen}
	return unix.FcntlFlock(looked.files[at].Fd(), unix.F_GETLK, &lock) == nil && lock.Type != unix.F_UNLCK
}
