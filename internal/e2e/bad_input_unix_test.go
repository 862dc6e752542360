//go:build unix

package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
)

// Links that loop and pipes are reported, not followed, and nothing hangs.
func TestSpecialFiles(t *testing.T) {
	s := withKept(t)
	s.write("bad/good.md", good)
	s.must(os.Symlink(".", s.path("bad/self")))
	s.must(os.Symlink("b", s.path("bad/a")))
	s.must(os.Symlink("a", s.path("bad/b")))
	s.must(os.Symlink("a.md", s.path("bad/a.md")))
	s.must(os.Symlink("../kept", s.path("bad/out")))
	s.must(syscall.Mkfifo(s.path("bad/pipe.md"), 0o644))
	r := s.want(0, "add", "-v", "bad")
	one(t, "special files", r)
	contains(t, "special files", r.out, "1 added", "6 skipped", "self: a symbolic link, not followed", "a.md: a symbolic link, not followed", "pipe.md: a named pipe, not followed")
	for _, c := range []struct {
		path string
		says []string
	}{
		{"bad/a", []string{"bad/a cannot be read", "too many links", "give a folder or a file"}},
		{"bad/pipe.md", []string{"is a named pipe", "give a folder or a file"}},
		{"/dev/null", []string{"is a device", "give a folder or a file"}},
	} {
		for _, line := range [][]string{{"add", c.path}, {"ask", "--docs", c.path, "deposit"}} {
			r := s.want(1, line...)
			one(t, c.path, r)
			contains(t, c.path, r.err, c.says...)
			lacks(t, c.path, r.err, "EvalSymlinks")
		}
	}
	for _, path := range []string{"bad/pipe.md", "/dev/null"} {
		r := s.want(1, "docs", "--store", path)
		one(t, path, r)
		contains(t, path, r.err, "name another store")
	}
	s.keeps("quarry.db")
}

// nobody makes the sandbox's calls run as a user who may not read everything. It
// skips the test where there is none.
func (s *sandbox) nobody(line ...string) result {
	s.t.Helper()
	cmd := s.command(s.t.Context(), line...)
	if os.Geteuid() == 0 {
		const id = 65534
		top := filepath.Dir(s.dir)
		for _, d := range []string{filepath.Dir(top), top} {
			s.must(os.Chmod(d, 0o755))
		}
		s.must(filepath.WalkDir(top, func(name string, _ os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(name, id, id)
		}))
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: id, Gid: id, NoSetGroups: true}}
	}
	return s.end(cmd)
}

// What may not be read fails and is named; what is beside it stays.
func TestUnreadable(t *testing.T) {
	s := withKept(t)
	s.write("bad/good.md", good, "bad/shut.md", "# Shut\n\nThe toll is EUR 5.\n", "bad/deep/in.md", "# In\n\nThe ferry is EUR 6.\n")
	if r := s.nobody("add", "bad"); r.code != 0 {
		t.Skipf("SKIPPED: the command cannot be run as another user here: %s", r.err)
	}
	shut := func(mode os.FileMode, names ...string) {
		for _, n := range names {
			s.must(os.Chmod(s.path(n), mode))
		}
	}
	shut(0, "bad/shut.md")
	r := s.nobody("add", "bad")
	one(t, "an unreadable file", r)
	contains(t, "an unreadable file", r.out, "1 failed", "shut.md: ", "permission denied", "2 unchanged", "0 removed")
	contains(t, "an unreadable file", r.err, "correct what failed and run the command again")

	shut(0o644, "bad/shut.md")
	shut(0, "bad/deep")
	r = s.nobody("add", "bad")
	shut(0o755, "bad/deep")
	one(t, "an unreadable folder", r)
	if r.code != 4 {
		t.Errorf("an unreadable folder: exit code %d", r.code)
	}
	contains(t, "an unreadable folder", r.out, "0 removed", "deep: the folder cannot be listed: permission denied")
	contains(t, "an unreadable folder", r.err, "nothing was removed", "make it readable")
	contains(t, "what it held", s.nobody("search", "ferry").out, "EUR 6")

	shut(0, "quarry.db")
	r = s.nobody("docs")
	one(t, "an unreadable store", r)
	contains(t, "an unreadable store", r.err, "may not be", "give access")
	shut(0o444, "quarry.db")
	shut(0o555, ".")
	r = s.nobody("add", "bad")
	one(t, "a store that may not be written", r)
	if r.code != 1 && r.code != 0 { // there may be nothing to write
		t.Errorf("a store that may not be written: exit code %d, %s", r.code, r.err)
	}
	s.write("bad/more.md", "# More\n\nThe bus is EUR 3.\n")
	r = s.nobody("add", "bad")
	shut(0o755, ".")
	shut(0o644, "quarry.db")
	one(t, "a store that may not be written", r)
	if r.code != 1 {
		t.Errorf("a store that may not be written: exit code %d, %s", r.code, r.err)
	}
	contains(t, "a store that may not be written", r.err, "give access")
	s.keeps("quarry.db")
}

// A store that may only be read is read, and nothing is left beside it; where its
// log must be taken over first, that is said.
func TestReadOnlyStore(t *testing.T) {
	s := withKept(t)
	if r := s.nobody("docs"); r.code != 0 {
		t.Skipf("SKIPPED: the command cannot be run as another user here: %s", r.err)
	}
	shut := func(file, folder os.FileMode) {
		s.must(os.Chmod(s.path("shared/quarry.db"), file))
		s.must(os.Chmod(s.path("shared"), folder))
	}
	files := func() int {
		entries, err := os.ReadDir(s.path("shared"))
		s.must(err)
		return len(entries)
	}
	s.must(os.Mkdir(s.path("shared"), 0o755))
	copyFile(t, s.path("quarry.db"), s.path("shared/quarry.db"))
	for _, modes := range [][2]os.FileMode{{0o444, 0o555}, {0o644, 0o555}, {0o444, 0o755}} {
		s.nobody("version") // gives the files to the other user
		shut(modes[0], modes[1])
		for _, line := range [][]string{{"docs"}, {"search", "deposit"}, {"status"}} {
			r := s.nobody(append(line, "--store", "shared/quarry.db")...)
			if r.code != 0 || files() != 1 {
				t.Errorf("%q with the modes %o: exit code %d, %d files, %s", line, modes, r.code, files(), r.err)
			}
		}
		r := s.nobody("add", "kept", "--name", "again", "--store", "shared/quarry.db")
		shut(0o644, 0o755)
		one(t, "adding to a store that may only be read", r)
		contains(t, "adding to a store that may only be read", r.err, "give access")
		s.must(removeAllBut(s.path("shared"), "quarry.db"))
	}

	opened, err := local.Open(t.Context(), s.path("quarry.db"), local.Options{})
	s.must(err)
	_, err = opened.Apply(t.Context(), store.Change{Source: &document.Source{Name: "more", Kind: "folder", Root: "/more"}})
	s.must(err)
	copyFile(t, s.path("quarry.db"), s.path("shared/quarry.db"))
	copyFile(t, s.path("quarry.db-wal"), s.path("shared/quarry.db-wal"))
	s.must(opened.Close())
	s.nobody("version")
	shut(0o444, 0o555)
	r := s.nobody("docs", "--store", "shared/quarry.db")
	shut(0o644, 0o755)
	one(t, "a store with a log", r)
	contains(t, "a store with a log", r.err, "quarry.db-wal", "run quarry status")
	s.want(0, "status", "--store", "shared/quarry.db")
	shut(0o444, 0o555)
	r = s.nobody("docs", "--store", "shared/quarry.db")
	shut(0o644, 0o755)
	if r.code != 0 {
		t.Errorf("after its owner has taken the log over: %s", r.err)
	}
}

func removeAllBut(dir, name string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != name {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
