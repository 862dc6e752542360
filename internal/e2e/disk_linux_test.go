package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A full disk: one sentence, the store as it was; with space again the same
// command does it.
func TestFullDisk(t *testing.T) {
	s := newSandbox(t)
	disk := s.path("disk")
	s.must(os.Mkdir(disk, 0o755))
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(disk, syscall.MNT_DETACH) })
	full := filepath.Join("disk", "quarry.db")
	s.write(keptFile, keptText)
	s.want(0, "add", "kept", "--store", full)
	for n := range uint64(250) {
		s.write(fmt.Sprintf("many/d%03d.md", n), generated(n, 1))
	}
	for range 2 {
		r := s.want(1, "add", "many", "--store", full)
		one(t, "a full disk", r)
		contains(t, "a full disk", r.err, "the disk is full", "free some space and run the command again")
		s.keeps(full)
	}
	s.must(syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=64m"))
	s.want(0, "add", "many", "--store", full)
	contains(t, "with space again", s.want(0, "status", "--store", full).out, "251 documents of 2 sources, 0 failed")
	s.keeps(full)
}
