package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree makes a folder from paths and contents.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		write(t, filepath.Join(root, name), content)
	}
	return root
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func list(t *testing.T, root string, o Options) Listing {
	t.Helper()
	s, err := Open(root, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func paths(l Listing) string {
	var out []string
	for _, it := range l.Items {
		out = append(out, it.Path)
	}
	return strings.Join(out, " ")
}

func skipped(l Listing) string {
	var out []string
	for _, s := range l.Skipped {
		out = append(out, s.Path+": "+s.Reason)
	}
	return strings.Join(out, "\n")
}

func read(t *testing.T, l Listing, path string) (Original, error) {
	t.Helper()
	for _, it := range l.Items {
		if it.Path == path {
			return it.Read(context.Background())
		}
	}
	t.Fatalf("%s is not listed among %s", path, paths(l))
	return Original{}, nil
}

func TestListing(t *testing.T) {
	l := list(t, tree(t, map[string]string{
		"b.md": "b", "a/z.txt": "z", "a/b/c.md": "c", "a-b.md": "ab", "a/b/c.md.meta.yaml": "x: 1",
		"_meta.yaml": "", "a/_meta.yaml": "", "gone.md.meta.yaml": "",
		".git/config": "", ".env": "", "a/.hidden": "",
	}), Options{})
	if got, want := paths(l), "a-b.md a/b/c.md a/z.txt b.md"; got != want {
		t.Errorf("items %q, want %q", got, want)
	}
	if !l.Complete {
		t.Error("the listing is incomplete")
	}
	want := ".: 2 hidden files or folders (their names begin with a dot)\n" +
		"a: 1 hidden file or folder (its name begins with a dot)\n" +
		"gone.md.meta.yaml: a sidecar without its document"
	if got := skipped(l); got != want {
		t.Errorf("skipped\n%s\nwant\n%s", got, want)
	}
	if l.Items[1].Size != 1 {
		t.Errorf("size %d, want 1", l.Items[1].Size)
	}
}

func TestSidecarsFromOutermostToNearest(t *testing.T) {
	root := tree(t, map[string]string{
		"a/b/c.md": "text", "a/b/c.md.meta.yaml": "near", "_meta.yaml": "outer", "a/b/_meta.yaml": "inner", "a/x.md": "x",
	})
	l := list(t, root, Options{})
	o, err := read(t, l, "a/b/c.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range o.Sidecars {
		got = append(got, s.Name+"="+string(s.Bytes))
	}
	if want := "_meta.yaml=outer a/b/_meta.yaml=inner a/b/c.md.meta.yaml=near"; strings.Join(got, " ") != want {
		t.Errorf("sidecars %v, want %s", got, want)
	}
	if o, _ := read(t, l, "a/x.md"); len(o.Sidecars) != 1 || string(o.Bytes) != "x" {
		t.Errorf("%+v", o)
	}
}

// A changed file keeps its old passages when its digest leaves something out.
func TestHashCoversContentAndEverySidecar(t *testing.T) {
	files := map[string]string{"a/b.md": "text", "a/b.md.meta.yaml": "near", "_meta.yaml": "outer", "a/_meta.yaml": "inner"}
	hashOf := func() string {
		o, err := read(t, list(t, tree(t, files), Options{}), "a/b.md")
		if err != nil {
			t.Fatal(err)
		}
		return o.Hash
	}
	first := hashOf()
	if len(first) != 64 || first != hashOf() {
		t.Fatalf("the hash %q is no stable SHA-256", first)
	}
	for name := range files {
		old := files[name]
		files[name] = old + "."
		if hashOf() == first {
			t.Errorf("a change of %s does not change the hash", name)
		}
		files[name] = old
	}
	// Bytes that move from one part to the next are a change.
	if hash([]byte("ab"), []Sidecar{{"n", []byte("c")}}, nil, nil) == hash([]byte("a"), []Sidecar{{"n", []byte("bc")}}, nil, nil) ||
		hash(nil, []Sidecar{{"ab", nil}}, nil, nil) == hash(nil, []Sidecar{{"a", []byte("b")}}, nil, nil) {
		t.Error("the framing is ambiguous")
	}
}

func TestSingleFile(t *testing.T) {
	root := tree(t, map[string]string{"up/_meta.yaml": "folder", "up/a.md": "text", "up/a.md.meta.yaml": "own", "up/b.md": ""})
	s, err := Open(filepath.Join(root, "up/a.md"), Options{})
	if err != nil || s.Kind() != "file" {
		t.Fatal(err, s.Kind())
	}
	l, err := s.List(context.Background())
	if err != nil || paths(l) != "a.md" || !l.Complete {
		t.Fatal(err, paths(l))
	}
	o, err := l.Items[0].Read(context.Background())
	if err != nil || len(o.Sidecars) != 2 || string(o.Sidecars[0].Bytes) != "folder" || string(o.Sidecars[1].Bytes) != "own" {
		t.Fatalf("%v %+v", err, o)
	}
	if _, err := Open(filepath.Join(root, "none"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing root gives %v", err)
	}
}

func TestSizeLimitNamesItsKey(t *testing.T) {
	l := list(t, tree(t, map[string]string{"a.md": "123456789", "b.md": "12345678"}), Options{MaxBytes: 8})
	_, err := read(t, l, "a.md")
	if !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "9 bytes") || !strings.Contains(err.Error(), "limit of 8") || !strings.Contains(err.Error(), "limits.document_bytes") {
		t.Errorf("got %v", err)
	}
	if o, err := read(t, l, "b.md"); err != nil || len(o.Bytes) != 8 {
		t.Errorf("at the limit: %v", err)
	}
}

func TestWhatHappensBetweenListingAndReading(t *testing.T) {
	root := tree(t, map[string]string{"gone.md": "x", "new.md": "old", "folder.md": "x"})
	l := list(t, root, Options{})
	for _, name := range []string{"gone.md", "folder.md"} {
		if err := os.Remove(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, "folder.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "other"), "new text") // as editors save
	if err := os.Rename(filepath.Join(root, "other"), filepath.Join(root, "new.md")); err != nil {
		t.Fatal(err)
	}
	if _, err := read(t, l, "gone.md"); !errors.Is(err, ErrGone) {
		t.Errorf("a removed file gives %v", err)
	}
	if _, err := read(t, l, "folder.md"); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that became a folder gives %v", err)
	}
	if o, err := read(t, l, "new.md"); err != nil || string(o.Bytes) != "new text" {
		t.Errorf("a file saved anew gives %q, %v", o.Bytes, err)
	}
}

// A sidecar under a name that is nearly right would be ignored and the document
// published.
func TestSidecarThatCannotBeReadClosesItsDocuments(t *testing.T) {
	l := list(t, tree(t, map[string]string{"a/_meta.yml": "readers: []", "a/x.md": "x", "b/y.md": "y", "b/y.md.meta.yml": "", "c/z.md": "z", "c/_meta.yaml/w": "w"}), Options{})
	for _, p := range []string{"a/x.md", "b/y.md", "c/z.md"} {
		if _, err := read(t, l, p); err == nil {
			t.Errorf("%s is read although its sidecar is not", p)
		}
	}
}

func TestCancelled(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "x"})
	l := list(t, root, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, _ := Open(root, Options{})
	if _, err := s.List(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := l.Items[0].Read(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// BenchmarkSource compares listing and reading 1,000 files with walking the tree
// and reading them, in one run.
func BenchmarkSource(b *testing.B) {
	root := b.TempDir()
	for i := range 1000 {
		dir := filepath.Join(root, fmt.Sprint("d", i%20))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".md")), []byte(strings.Repeat("text ", 400)), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("walk", func(b *testing.B) {
		for b.Loop() {
			err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				data, err := os.ReadFile(p)
				hash(data, nil, nil, nil)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("source", func(b *testing.B) {
		for b.Loop() {
			s, _ := Open(root, Options{})
			l, err := s.List(context.Background())
			if err != nil || len(l.Items) != 1000 {
				b.Fatal(err, len(l.Items))
			}
			for _, it := range l.Items {
				if _, err := it.Read(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
