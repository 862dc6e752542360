package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A full disk: one sentence that says what is kept; with space again the same
// command does it.
func TestFullDisk(t *testing.T) {
	s := newSandbox(t).words()
	disk := s.path("disk")
	s.must(os.Mkdir(disk, 0o755))
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("SKIPPED: a small file system cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(disk, syscall.MNT_DETACH) })
	full := filepath.Join("disk", "quarry.db")
	s.write(keptFile, keptText)
	s.want(0, "add", "kept", "--store", full)
	for n := range uint64(250) {
		s.write(fmt.Sprintf("many/d%03d.md", n), generated(n, 1))
	}
	for run := range 2 {
		r := s.want(1, "add", "many", "--store", full)
		one(t, "a full disk", r)
		contains(t, "a full disk", r.err, "the disk is full", "free some space and run the command again")
		s.keeps(full)
		documents, kept := 0, 0
		status := s.want(0, "status", "--store", full).out
		if _, err := fmt.Sscanf(status[strings.Index(status, ": "):], ": %d documents", &documents); err != nil {
			t.Fatalf("%v in %q", err, status)
		}
		if run == 0 && documents > 1 {
			if _, err := fmt.Sscanf(r.err[strings.LastIndex(r.err, "("):], "(%d of the source's", &kept); err != nil || kept != documents-1 {
				t.Errorf("%d documents were kept and it says %q", documents-1, r.err)
			}
		} else if strings.Contains(r.err, "is kept") {
			t.Errorf("nothing was written and it says %q", r.err)
		}
		t.Logf("%d documents fit", documents)
	}
	s.must(syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=64m"))
	s.want(0, "add", "many", "--store", full)
	contains(t, "with space again", s.want(0, "status", "--store", full).out, "251 documents of 2 sources, 0 failed")
	s.keeps(full)
}
