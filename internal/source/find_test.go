package source

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// Find gives of every path what List does, and looks nowhere else.
func TestFind(t *testing.T) {
	root := tree(t, map[string]string{
		"b.md": "b", "a/z.txt": "z", "a/b/c.md": "c", "a/b/c.md.meta.yaml": "near", "a/b/d.md": "d", "_meta.yaml": "outer", "a/b/_meta.yaml": "inner",
		"a-b/c.md": "other", ".git/config": "", "a/.env": "",
	})
	if err := os.Symlink(filepath.Join(root, "b.md"), filepath.Join(root, "a-b", "link.md")); err != nil {
		t.Fatal(err)
	}
	all := list(t, root, Options{})
	s, err := Open(root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range all.Items {
		l, err := s.Find(t.Context(), want.Path)
		if err != nil || len(l.Items) != 1 || !l.Complete {
			t.Fatalf("%s: %v, %v", want.Path, paths(l), err)
		}
		a, errA := want.Read(t.Context())
		b, errB := l.Items[0].Read(t.Context())
		if errA != nil || errB != nil || a.Hash != b.Hash || len(a.Sidecars) != len(b.Sidecars) || l.Items[0].Size != want.Size {
			t.Errorf("%s is %+v, %v; listed it is %+v, %v", want.Path, b, errB, a, errA)
		}
		for _, skipped := range l.Skipped {
			if skipped.Path == "a-b/link.md" && filepath.Dir(want.Path) != "a-b" {
				t.Errorf("looking for %s it came by %s", want.Path, skipped.Path)
			}
		}
	}
	for _, none := range []string{"c.md", "a", "a/b", "a/b/c.md/x", "a/.env", ".git/config", "a-b/link.md", "_meta.yaml", "a/b/c.md.meta.yaml", "../b.md", "no/such/folder.md"} {
		if l, err := s.Find(t.Context(), none); err != nil || len(l.Items) != 0 || !l.Complete {
			t.Errorf("%s: found %q, complete %v, %v", none, paths(l), l.Complete, err)
		}
	}

	one, err := Open(filepath.Join(root, "a", "b", "c.md"), Options{})
	if err == nil {
		t.Fatalf("a file below a folder with metadata is opened: %v", one)
	}
	single, err := Open(filepath.Join(tree(t, map[string]string{"c.md": "c", "d.md": "d"}), "c.md"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"c.md": 1, "d.md": 0} {
		if l, err := single.Find(t.Context(), path); err != nil || len(l.Items) != want {
			t.Errorf("%s of a source that is one file: %q, %v", path, paths(l), err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Find(ctx, "b.md"); err == nil {
		t.Error("it goes on though it was given up")
	}
}
