package e2e

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// hashFolder is the least that has to be done to know that nothing changed: walk
// the folder, read every file and hash it.
func hashFolder(dir string) error {
	h := sha256.New()
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		h.Reset()
		h.Write(data)
		h.Sum(nil)
		return nil
	})
}

// fileState is what tells whether a file was written.
type fileState struct {
	size     int64
	modified time.Time
	hash     [sha256.Size]byte
}

func filesBelow(t *testing.T, dir string) map[string]fileState {
	t.Helper()
	files := map[string]fileState{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		files[name] = fileState{info.Size(), info.ModTime(), sha256.Sum256(data)}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestUnchanged adds a folder of 1,000 files (QUARRY_LONG=1: 10,000) again: nothing is written, and it
// costs at most three times what walking and hashing the folder costs, in
// processor time of the whole process, the least of several runs each.
func TestUnchanged(t *testing.T) {
	const most = 3.0
	files := 1000
	if os.Getenv("QUARRY_LONG") != "" {
		files = 10_000
	}
	s := newSandbox(t).words()
	for n := range uint64(files) {
		s.write(fmt.Sprintf("thousand/%02d/d%03d.md", n%100, n), generated(n, 1))
	}
	add := []string{"add", "thousand", "--store", filepath.Join("store", "quarry.db")}
	s.must(os.Mkdir(s.path("store"), 0o755))
	s.want(0, add...)
	before := filesBelow(t, s.path("."))
	contains(t, "the second add", s.want(0, add...).out, fmt.Sprintf("0 added, 0 changed, 0 removed, %d unchanged", files))
	if after := filesBelow(t, s.path(".")); !maps.Equal(before, after) {
		for name := range after {
			if before[name] != after[name] {
				t.Errorf("the second add wrote %s", name)
			}
		}
		for name := range before {
			if _, ok := after[name]; !ok {
				t.Errorf("the second add removed %s", name)
			}
		}
	}

	self, err := os.Executable()
	s.must(err)
	cost := func(state *os.ProcessState) time.Duration { return state.UserTime() + state.SystemTime() }
	var least, base time.Duration
	for runs := 3; runs <= 30; runs += 3 {
		for range 3 {
			if d := cost(s.want(0, add...).state); least == 0 || d < least {
				least = d
			}
			walk := exec.CommandContext(t.Context(), self)
			walk.Env = append(os.Environ(), childWork+"=hash "+s.path("thousand"))
			if d := cost(s.end(walk).state); base == 0 || d < base {
				base = d
			}
		}
		ratio := float64(least) / float64(base)
		t.Logf("after %d runs each: %v, walking and hashing %v, %.2f times", runs, least, base, ratio)
		if ratio <= most {
			return
		}
	}
	t.Errorf("an add that finds nothing to do costs more than %g times walking and hashing the folder", most)
}
