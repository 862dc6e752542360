package postgres_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	testserver "github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/store/postgres"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// A server that has no room left keeps the old state and says so; with room again the
// same change goes on.
func TestFullDisk(t *testing.T) {
	server := testserver.Shared(t)
	dir, err := os.MkdirTemp("", "quarry-small-") // the server reaches it, as it does not a folder of the test
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(dir) })
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64m"); err != nil {
		t.Skipf("SKIPPED: a small file system cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	s := openAt(t, server.DatabaseIn(t, dir), postgres.Options{})
	apply(t, s, 1)

	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(dir, "ballast")
	const left = 200 << 10
	if err := os.WriteFile(ballast, make([]byte, int64(disk.Bavail)*disk.Bsize-left), 0o600); err != nil {
		t.Fatal(err)
	}
	big := storetest.Generation(2)
	big.Put[0] = storetest.Make("big", strings.Repeat("no room for so many words\n", left/60))
	big.Put[0].Seen = big.Put[1].Seen
	for range 2 {
		_, err = s.Apply(t.Context(), big)
		sentence(t, err, "disk is full", "free some space")
		between(t, s, 1, 1)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Apply(t.Context(), big); err != nil {
		t.Error(err)
	}
}
