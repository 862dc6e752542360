//go:build unix

package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestLinksAndSpecialFilesAreReportedNotFollowed(t *testing.T) {
	outside := tree(t, map[string]string{"secret.md": "secret"})
	root := tree(t, map[string]string{"a.md": "a", "d/b.md": "b"})
	must(t, os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(root, "link.md")))
	must(t, os.Symlink(outside, filepath.Join(root, "linked")))
	must(t, os.Symlink("..", filepath.Join(root, "d/loop")))
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe.md"), 0o644))
	l := list(t, root, Options{})
	if got := paths(l); got != "a.md d/b.md" || !l.Complete {
		t.Errorf("items %q", got)
	}
	for _, want := range []string{"link.md: a symbolic link", "linked: a symbolic link", "d/loop: a symbolic link", "pipe.md: a named pipe"} {
		if !strings.Contains(skipped(l), want) {
			t.Errorf("%q is missing from\n%s", want, skipped(l))
		}
	}
}

func TestRootMayBeALink(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "a", "_meta.yaml": "m"})
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(root, link))
	if l := list(t, link, Options{}); paths(l) != "a.md" {
		t.Errorf("items %q", paths(l))
	}
	file := filepath.Join(t.TempDir(), "current.md")
	must(t, os.Symlink(filepath.Join(root, "a.md"), file))
	l := list(t, file, Options{})
	if o, err := read(t, l, "current.md"); err != nil || string(o.Bytes) != "a" || len(o.Sidecars) != 1 {
		t.Errorf("%+v %v", o, err)
	}
}

// What takes the place of a listed file is not read through, and a pipe does
// not block.
func TestReplacedByLinkOrPipe(t *testing.T) {
	outside := tree(t, map[string]string{"secret.md": "secret"})
	root := tree(t, map[string]string{"out.md": "x", "in.md": "x", "pipe.md": "x", "d/e.md": "x", "other.md": "other"})
	l := list(t, root, Options{})
	for _, name := range []string{"out.md", "in.md", "pipe.md", "d/e.md", "d"} {
		must(t, os.Remove(filepath.Join(root, name)))
	}
	must(t, os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(root, "out.md")))
	must(t, os.Symlink("other.md", filepath.Join(root, "in.md")))
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe.md"), 0o644))
	must(t, os.Symlink(outside, filepath.Join(root, "d")))
	write(t, filepath.Join(outside, "e.md"), "secret")
	done := make(chan bool)
	go func() {
		for _, name := range []string{"out.md", "in.md", "pipe.md", "d/e.md"} {
			if o, err := read(t, l, name); err == nil {
				t.Errorf("%s gives %q", name, o.Bytes)
			}
		}
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("reading blocks")
	}
}

// A sidecar that is a link is not followed, and its documents are not read with
// the access of nobody having said anything.
func TestLinkedSidecar(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "a", "meta": "readers: []"})
	must(t, os.Symlink("meta", filepath.Join(root, "_meta.yaml")))
	if _, err := read(t, list(t, root, Options{}), "a.md"); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("got %v", err)
	}
}

func TestNameThatIsNotUTF8(t *testing.T) {
	root := tree(t, map[string]string{"ok.md": "x"})
	if err := os.WriteFile(filepath.Join(root, "caf\xe9.md"), []byte("x"), 0o644); err != nil {
		t.Skipf("SKIPPED: the file system refuses such names: %v", err)
	}
	l := list(t, root, Options{})
	if paths(l) != "ok.md" || skipped(l) != "caf\uFFFD.md: the name is not valid UTF-8: rename it" {
		t.Errorf("items %q, skipped %q", paths(l), skipped(l))
	}
}

// A listing that failed half-way must delete nothing.
func TestFolderThatCannotBeListed(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("root may list every folder; the partial listing is tested with a folder that vanished")
		root := tree(t, map[string]string{"a.md": "a", "d/b.md": "b"})
		r, err := os.OpenRoot(root)
		must(t, err)
		w := &walk{in: disk{r}, max: DefaultMaxBytes, found: &found{}}
		inner, err := w.descend(t.Context(), folder{path: "."})
		must(t, err)
		must(t, os.RemoveAll(filepath.Join(root, "d")))
		if _, err := w.descend(t.Context(), inner[0]); err == nil {
			t.Error("a folder that is gone is listed")
		}
		if l := w.found.listing(); l.Complete || !strings.Contains(skipped(l), "d: the folder cannot be listed") {
			t.Errorf("%+v", l)
		}
		return
	}
	root := tree(t, map[string]string{"a.md": "a", "d/b.md": "b", "c.md": "c"})
	must(t, os.Chmod(filepath.Join(root, "d"), 0))
	defer os.Chmod(filepath.Join(root, "d"), 0o755)
	must(t, os.Chmod(filepath.Join(root, "c.md"), 0))
	l := list(t, root, Options{})
	if l.Complete || paths(l) != "a.md c.md" || !strings.Contains(skipped(l), "d: the folder cannot be listed") {
		t.Errorf("%+v", l)
	}
	if _, err := read(t, l, "c.md"); err == nil || errors.Is(err, ErrGone) {
		t.Errorf("an unreadable file gives %v", err)
	}
}

func TestRootThatVanished(t *testing.T) {
	root := filepath.Join(t.TempDir(), "r")
	write(t, filepath.Join(root, "a.md"), "a")
	s, err := Open(root, Options{})
	must(t, err)
	must(t, os.RemoveAll(root))
	if _, err := s.List(context.Background()); err == nil {
		t.Error("a root that is gone lists as empty")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
