package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Closing a handle of SQLite's file drops the locks that this process holds on it
// (POSIX), so nothing beside SQLite may open it: not when a second Store opens the
// same file, nor when it reads.
func TestNothingElseOpensTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quarry.db")
	first, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if _, err := first.Sources(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := locks(t, path)
	if before == 0 {
		t.Fatal("an open store holds no lock on its file: the test looks at the wrong thing")
	}
	second, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if after := locks(t, path); after < before {
		t.Errorf("a second Store of this process left %d of %d locks on the file", after, before)
	}
}

// locks counts the POSIX locks that are held on a file.
func locks(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	inode := fmt.Sprintf(":%d ", info.Sys().(*syscall.Stat_t).Ino)
	return strings.Count(string(all), inode)
}
