package mirror

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type note struct{ Tag string }

func open(t *testing.T, dir string) *Mirror[note] {
	t.Helper()
	m, err := Open[note](dir, func(key string) string { return key })
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// holds checks what is kept, as KEY TAG TEXT.
func holds(t *testing.T, m *Mirror[note], want ...string) {
	t.Helper()
	var have []string
	for _, key := range m.Keys() {
		e, _ := m.Get(key)
		data, err := m.Reader(e)()
		if err != nil {
			data = []byte("damaged")
		}
		have = append(have, key+" "+e.Note.Tag+" "+string(data))
	}
	if !slices.Equal(have, want) {
		t.Errorf("it holds %q, not %q", have, want)
	}
}

func TestMirror(t *testing.T) {
	dir := t.TempDir()
	m := open(t, dir)
	ok(t, m.Put("a/b.md", []byte("one"), note{"1"}))
	ok(t, m.Put("a/c.md", []byte("two"), note{"2"}))
	ok(t, m.Put("a/b.md", []byte("three"), note{"3"}))
	ok(t, m.Put("d/e/f.md", []byte("four"), note{"4"}))
	ok(t, m.Delete("d/e/f.md"))
	ok(t, m.Delete("never"))
	holds(t, m, "a/b.md 3 three", "a/c.md 2 two")
	if _, err := os.Stat(filepath.Join(Data(dir), "d")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder with nothing in it is left, %v", err)
	}
	if _, err := Open[note](dir, nil); !errors.Is(err, ErrBusy) {
		t.Errorf("opened twice: %v", err)
	}
	e, _ := m.Get("a/b.md")
	read := m.Reader(e)
	ok(t, m.Close())
	if data, err := read(); err != nil || string(data) != "three" {
		t.Errorf("after the end it reads %q, %v", data, err)
	}

	m = open(t, dir)
	holds(t, m, "a/b.md 3 three", "a/c.md 2 two")
	ok(t, os.WriteFile(filepath.Join(Data(dir), "a", "c.md"), []byte("twe"), 0o600))
	holds(t, m, "a/b.md 3 three", "a/c.md 2 damaged")
	ok(t, m.Close())
}

// Whatever a crash leaves of the journal, the lines before it count and the mirror
// takes more.
func TestCutJournal(t *testing.T) {
	dir := t.TempDir()
	m := open(t, dir)
	ok(t, m.Put("a", []byte("one"), note{"1"}))
	ok(t, m.Put("b", []byte("two"), note{"2"}))
	ok(t, m.Close())
	journal, err := os.ReadFile(filepath.Join(dir, journalFile))
	ok(t, err)
	first := strings.IndexByte(string(journal), '\n') + 1
	for cut := range journal {
		ok(t, os.WriteFile(filepath.Join(Data(dir), "a"), []byte("one"), 0o600))
		ok(t, os.WriteFile(filepath.Join(dir, journalFile), journal[:cut], 0o600))
		m := open(t, dir)
		var want []string
		if cut >= first {
			want = []string{"a 1 one"}
		}
		holds(t, m, want...)
		ok(t, m.Put("b", []byte("two"), note{"3"}))
		holds(t, m, append(want, "b 3 two")...)
		ok(t, m.Close())
	}
}

// The folder is read as a source: what a crash left in it must not become a document.
func TestStrayFiles(t *testing.T) {
	dir := t.TempDir()
	m := open(t, dir)
	ok(t, m.Put("a/b.md", []byte("one"), note{"1"}))
	ok(t, m.Put("gone", []byte("two"), note{"2"}))
	ok(t, m.Close())
	journal, err := os.ReadFile(filepath.Join(dir, journalFile))
	ok(t, err)
	first := strings.IndexByte(string(journal), '\n') + 1
	ok(t, os.WriteFile(filepath.Join(dir, journalFile), journal[:first], 0o600))
	ok(t, os.MkdirAll(filepath.Join(Data(dir), "c", "d"), 0o700))
	for _, name := range []string{"a/c.md", "c/d/e.md"} {
		ok(t, os.WriteFile(filepath.Join(Data(dir), filepath.FromSlash(name)), []byte("stray"), 0o600))
	}
	m = open(t, dir)
	defer m.Close()
	holds(t, m, "a/b.md 1 one")
	for _, name := range []string{"gone", "a/c.md", "c"} {
		if _, err := os.Lstat(filepath.Join(Data(dir), filepath.FromSlash(name))); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", name, err)
		}
	}
	ok(t, m.Put("c", []byte("a file where a folder was"), note{"3"}))
}

// No key leads out of the folder.
func TestKeyOutside(t *testing.T) {
	top := t.TempDir()
	m := open(t, filepath.Join(top, "mirror"))
	defer m.Close()
	for _, key := range []string{"../../x", "../../../x", "a/../../../x", "../journal", "/x", ""} {
		if err := m.Put(key, []byte("x"), note{}); err == nil {
			t.Errorf("%s was put", key)
		}
	}
	if _, err := os.Stat(filepath.Join(top, "x")); err == nil {
		t.Error("a file was written outside")
	}
}

func FuzzJournal(f *testing.F) {
	f.Add([]byte(`{"key":"a","sum":"00","note":{"Tag":"1"}}` + "\n" + `{"key":"a","gone":true}` + "\n"))
	f.Add([]byte("{}\n\n"))
	f.Fuzz(func(t *testing.T, journal []byte) {
		dir := t.TempDir()
		ok(t, os.MkdirAll(Data(dir), 0o700))
		ok(t, os.WriteFile(filepath.Join(dir, journalFile), journal, 0o600))
		m, err := Open[note](dir, nil)
		ok(t, err)
		for _, key := range m.Keys() {
			if e, _ := m.Get(key); m.Whole(e) {
				t.Errorf("a journal alone gives %q data", key)
			}
		}
		ok(t, m.Close())
	})
}

// What is kept of a document is counted while it is, by whatever of its address is its path.
func TestNaming(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "copies")
	naming := func(document string, want int) {
		t.Helper()
		if n, err := Naming(dir, document); err != nil || n != want {
			t.Errorf("%d copies name %s, want %d, %v", n, document, want, err)
		}
	}
	naming("a.md", 0)
	m, err := Open[int](dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a.md", "https://example.org/docs/a.md", "https://example.org/docs/ba.md", "b.md"} {
		if err := m.Put(key, []byte("x"), 1); err != nil {
			t.Fatal(err)
		}
	}
	naming("a.md", 2)
	naming("b.md", 1)
	for _, key := range []string{"a.md", "b.md"} {
		if err := m.Delete(key); err != nil {
			t.Fatal(err)
		}
	}
	naming("a.md", 1)
	naming("b.md", 0)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	naming("a.md", 1)
}
