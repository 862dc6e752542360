package watch

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// patience is how long a test waits for what has to come.
const patience = 30 * time.Second

type onDisk struct {
	*Watcher
	t   *testing.T
	dir string
}

func start(t *testing.T, file string) *onDisk {
	t.Helper()
	w := &onDisk{t: t, dir: t.TempDir()}
	if file != "" {
		w.write(file)
	}
	var err error
	w.Watcher, err = Folder(t.Context(), filepath.Join(w.dir, file), func(path string) bool { return strings.HasPrefix(filepath.Base(path), "quarry.db") })
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *onDisk) write(name string) {
	w.t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *onDisk) told(what string) {
	w.t.Helper()
	select {
	case <-w.Changed():
	case err := <-w.Failed():
		w.t.Fatalf("%s: %v", what, err)
	case <-time.After(patience):
		w.t.Fatalf("%s: nothing was told", what)
	}
}

func TestFolder(t *testing.T) {
	w := start(t, "")
	w.write("a.md")
	w.told("a new file")
	w.write("new/deep/er/b.md")
	w.told("new folders")
	w.write("new/deep/er/c.md")
	w.told("a file in a new folder")
	if err := os.Rename(filepath.Join(w.dir, "new"), filepath.Join(w.dir, "other")); err != nil {
		t.Fatal(err)
	}
	w.told("a renamed folder")
	w.write("other/deep/er/d.md")
	w.told("a file in a renamed folder")
	if err := os.Remove(filepath.Join(w.dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	w.told("a removed file")
}

// What a walk does not see and the store's own files tell nothing; of a file, its
// sidecars count.
func TestCounts(t *testing.T) {
	ignore := func(path string) bool { return strings.HasPrefix(filepath.Base(path), "quarry.db") }
	folder, file := &Watcher{root: "/d", ignore: ignore}, &Watcher{root: "/d", file: "/d/a.md", ignore: ignore}
	for _, c := range []struct {
		w    *Watcher
		name string
		want bool
	}{
		{folder, "/d/a.md", true}, {folder, "/d/x/_meta.yaml", true}, {folder, "/d", true},
		{folder, "/d/.a.md.swp", false}, {folder, "/d/x/.git", false}, {folder, "/d/quarry.db-wal", false},
		{file, "/d/a.md", true}, {file, "/d/a.md.meta.yaml", true}, {file, "/d/_meta.yaml", true}, {file, "/d", true},
		{file, "/d/b.md", false}, {file, "/d/b.md.meta.yaml", false},
	} {
		if got := c.w.counts(fsnotify.Event{Name: filepath.FromSlash(c.name), Op: fsnotify.Write}); got != c.want {
			t.Errorf("%s of %q: %v", c.name, c.w.file, got)
		}
	}
}

func TestFile(t *testing.T) {
	w := start(t, "a.md")
	w.write("b.md")
	w.write("a.md.meta.yaml")
	w.told("its sidecar")
	if err := os.Rename(filepath.Join(w.dir, "b.md"), filepath.Join(w.dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	w.told("another file in its place")
	w.write("a.md")
	w.told("and a change of that")
}

// A folder that goes away ends the watch with an error, as an unmounted disk would.
func TestGone(t *testing.T) {
	w := start(t, "")
	if err := os.Rename(w.dir, w.dir+"-else"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-w.Failed():
		if !strings.Contains(err.Error(), "it is gone") {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("nothing was said")
	}
	if _, err := Folder(t.Context(), w.dir, nil); err == nil {
		t.Error("a folder that is not there is watched")
	}
}

func TestEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w, err := Folder(ctx, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case _, open := <-w.events.Events:
		if open {
			t.Error("there was an event")
		}
	case <-time.After(patience):
		t.Error("it goes on")
	}
}
