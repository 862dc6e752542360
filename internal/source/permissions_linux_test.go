package source

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// passable is a folder of a test that everyone may pass through to. Permissions count up
// to the root, so the folders above the test's own must let everyone through already.
func passable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, own := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(own, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if info, err := os.Stat(at); err != nil || info.Mode().Perm()&0o111 != 0o111 {
			t.Skipf("SKIPPED: %s, in which temporary files lie, does not let everyone through", at)
		}
	}
	return dir
}

func TestPermissions(t *testing.T) {
	dir := passable(t)
	me := newAccounts().user(uint32(os.Getuid())).name
	us := newAccounts().group(uint32(os.Getgid())).name
	file := func(name string, folder, mode os.FileMode) {
		t.Helper()
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte("text"), 0o644), os.Chmod(at, mode), os.Chmod(filepath.Dir(at), folder)); err != nil {
			t.Fatal(err)
		}
	}
	file("open.md", 0o755, 0o644)
	file("mine.md", 0o755, 0o600)
	file("ours.md", 0o755, 0o640)
	file("closed/open.md", 0o700, 0o644)
	file("closed/deep/er/open.md", 0o755, 0o644)
	file("ours/mine.md", 0o750, 0o600)
	file("ours/open.md", 0o750, 0o644)
	file("passable/open.md", 0o711, 0o644)
	file("passable/unlisted/ours.md", 0o755, 0o640)
	zip := filepath.Join(dir, "closed", "a.zip")
	if err := errors.Join(os.WriteFile(zip, []byte(testkit.ZIP(t, map[string]string{"in/a.md": "text"})), 0o644), os.Chmod(filepath.Join(dir, "closed"), 0o700)); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"open.md": "public", "mine.md": me, "ours.md": us + " " + me, "closed/open.md": me, "closed/deep/er/open.md": me,
		"ours/mine.md": me, "ours/open.md": us + " " + me, "passable/open.md": "public", "passable/unlisted/ours.md": us + " " + me, "closed/a.zip!/in/a.md": me}
	hashes := map[string]string{}
	for _, on := range []bool{true, false} {
		s, err := Open(dir, Options{Permissions: on})
		if err != nil {
			t.Fatal(err)
		}
		listing, err := s.List(t.Context())
		if err != nil || len(listing.Items) != len(want) {
			t.Fatalf("%d items, %v", len(listing.Items), err)
		}
		for _, item := range listing.Items {
			o, err := item.Read(t.Context())
			switch {
			case err != nil:
				t.Error(err)
			case !on && o.Permitted != nil:
				t.Errorf("%s: permissions count by default", item.Path)
			case on && shownAccess(accessOf(o)) != want[item.Path]:
				t.Errorf("%s: %s, not %s", item.Path, shownAccess(accessOf(o)), want[item.Path])
			case !on && hashes[item.Path] == o.Hash:
				t.Errorf("%s: what is permitted is not part of the hash", item.Path)
			}
			hashes[item.Path] = o.Hash
		}
	}
	one, err := Open(filepath.Join(dir, "closed", "open.md"), Options{Permissions: true})
	if err != nil {
		t.Fatal(err)
	}
	listing, err := one.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if o, err := listing.Items[0].Read(t.Context()); err != nil || shownAccess(accessOf(o)) != me {
		t.Errorf("a source of one file: %s, %v", shownAccess(accessOf(o)), err)
	}
}

// What lies above a source closes it as well.
func TestPermissionsAbove(t *testing.T) {
	dir := passable(t)
	inner := filepath.Join(dir, "closed", "source")
	file := filepath.Join(inner, "a.md")
	if err := errors.Join(os.MkdirAll(inner, 0o755), os.WriteFile(file, []byte("text"), 0o644),
		os.Chmod(filepath.Dir(inner), 0o700), os.Chmod(inner, 0o755), os.Chmod(file, 0o644)); err != nil { // whatever the umask of who runs the test
		t.Fatal(err)
	}
	s, err := Open(inner, Options{Permissions: true})
	if err != nil {
		t.Fatal(err)
	}
	read := func() string {
		listing, err := s.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		o, err := listing.Items[0].Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return shownAccess(accessOf(o))
	}
	if have := read(); !strings.HasPrefix(have, "user:") && !strings.HasPrefix(have, "uid:") {
		t.Errorf("below a closed folder: %s", have)
	}
	if err := os.Chmod(filepath.Dir(inner), 0o755); err != nil {
		t.Fatal(err)
	}
	if have := read(); have != "public" {
		t.Errorf("once it is open: %s", have)
	}
}

// A file with an access list is its owner's, since its mode does not show whom the list
// denies.
func TestAccessList(t *testing.T) {
	dir := passable(t)
	name := filepath.Join(dir, "a.md")
	if err := errors.Join(os.WriteFile(name, []byte("text"), 0o644), os.Chmod(name, 0o644)); err != nil {
		t.Fatal(err)
	}
	// user::rw-, user:1:---, group::r--, mask::r--, other::r-- (linux/posix_acl_xattr.h).
	acl := []byte{2, 0, 0, 0}
	for _, e := range [][3]uint32{{1, 6, ^uint32(0)}, {2, 0, 1}, {4, 4, ^uint32(0)}, {0x10, 4, ^uint32(0)}, {0x20, 4, ^uint32(0)}} {
		acl = append(acl, byte(e[0]), 0, byte(e[1]), 0, byte(e[2]), byte(e[2]>>8), byte(e[2]>>16), byte(e[2]>>24))
	}
	if err := unix.Setxattr(name, "system.posix_acl_access", acl, 0); err != nil {
		t.Skipf("SKIPPED: the file system of %s keeps no access lists: %v", dir, err)
	}
	s, err := Open(dir, Options{Permissions: true})
	if err != nil {
		t.Fatal(err)
	}
	listing, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o, err := listing.Items[0].Read(t.Context())
	if want := newAccounts().user(uint32(os.Getuid())).name; err != nil || shownAccess(accessOf(o)) != want {
		t.Errorf("%s, %v, not %s", shownAccess(accessOf(o)), err, want)
	}
}

// Permissions that cannot be read are an error, and no guess.
func TestPermissionsUnreadable(t *testing.T) {
	dir := passable(t)
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	p := &permissions{root: filepath.Join(dir, "moved", "away"), names: newAccounts()}
	if a, err := p.of(root, "a.md"); err == nil {
		t.Errorf("what is above cannot be read, and it is %s", shownAccess(a))
	}
	p = &permissions{root: dir, names: newAccounts()}
	if a, err := p.of(root, "gone/a.md"); !errors.Is(err, ErrGone) {
		t.Errorf("%s, %v", shownAccess(a), err)
	}
}
