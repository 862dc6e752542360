package local

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A full disk leaves the old state and says so.
func TestFullDisk(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	mounted := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m")
	if mounted == nil {
		t.Cleanup(func() { syscall.Unmount(dir, 0) })
	}
	s := open(t, filepath.Join(dir, "quarry.db"), Options{})
	if _, err := s.Apply(ctx, generation(1)); err != nil {
		t.Fatal(err)
	}
	if mounted != nil {
		t.Logf("no file system of 1 MB can be mounted (%v); SQLite's own limit stands in for it", mounted)
		c, err := s.connect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.ExecContext(ctx, "PRAGMA max_page_count = 200"); err != nil {
			t.Fatal(err)
		}
	}
	big := generation(2)
	big.Put[0].Metadata.Category = strings.Repeat(fmt.Sprint(rand.Uint64()), 200_000)
	big.Put[0].Hash = "other"
	_, err := s.Apply(ctx, big)
	refused(t, err, nil, "the disk is full", "free some space")
	if n, err := generationOf(s); n != 1 || err != nil {
		t.Errorf("the store is at generation %d, %v", n, err)
	}
	if _, err := s.Apply(ctx, generation(2)); err != nil {
		t.Errorf("a small change afterwards: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// So does one that is full before it is opened, where SQLite has no room for the file
// of its readers, and a restore into it names the store and not the backup.
func TestFullBefore(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("SKIPPED: no file system of 1 MB can be mounted: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, 0) })
	backup, path := filled(t), filepath.Join(dir, "quarry.db")
	copyFile(t, backup, path)
	rest, err := os.Create(filepath.Join(dir, "rest"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = rest.Write(make([]byte, 4096))
	}
	rest.Close()
	s, err := Open(t.Context(), path, Options{})
	if err == nil {
		_, err = s.Apply(t.Context(), generation(2))
		s.Close()
	}
	refused(t, err, nil, path, "the disk is full", "free some space")
	_, err = Restore(t.Context(), path, backup, 0)
	refused(t, err, nil, path, "the disk is full", "free some space")
}
