package ocr

import "golang.org/x/sys/unix"

const (
	maxMemory    = 2 << 30 // of addresses, of which a page uses a tenth
	maxProcessor = 120     // seconds, also when nobody is left who would end it
)

// limit bounds what a process may use. One that has already ended needs none, and where
// it is not allowed the size of the images is the bound.
func limit(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: maxMemory, Max: maxMemory}, nil)
	_ = unix.Prlimit(pid, unix.RLIMIT_CPU, &unix.Rlimit{Cur: maxProcessor, Max: maxProcessor}, nil)
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
}
