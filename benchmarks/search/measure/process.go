package measure

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// CPU is the user and system time of this process so far.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// ReadMemory tells this process's memory, after a collection.
func ReadMemory() Memory {
	debug.FreeOSMemory()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return Memory{Live: int64(s.HeapAlloc), Anonymous: status("RssAnon"), Mapped: status("RssFile"), Peak: Peak()}
}

// Peak is the most memory that this process had resident so far.
func Peak() int64 { return status("VmHWM") }

// status reads a line of /proc/self/status, which is in units of 1,024 bytes (proc(5)).
func status(name string) int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			var n int64
			fmt.Sscan(rest, &n)
			return n << 10
		}
	}
	return 0
}

// DiskUse is the size of all files below dir.
func DiskUse(dir string) int64 {
	var sum int64
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
