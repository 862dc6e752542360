package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/extract"
)

func TestLacking(t *testing.T) {
	got, want := []string{"a", "b", "a"}, []string{"a", "a", "a", "c", "b"}
	if l := lacking(got, want); !slices.Equal(l, []string{"a", "c"}) || ratio(got, want) != "3/5" || ratio(got, nil) != "" {
		t.Errorf("lacking %v, found %s", l, ratio(got, want))
	}
}

func TestFound(t *testing.T) {
	x, err := extract.Extract("a.md", []byte("# The *Fees*\n\n| Plan | Fee |\n| --- | --- |\n| Team | |\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := found(x)
	if !slices.Equal(r.Heads, []string{"the fees"}) || !slices.Equal(r.Cells, []string{"plan", "fee", "team"}) || len(r.Words) != 5 {
		t.Errorf("%+v", r)
	}
}

// TestBeside: the Markdown of a sample is under its whole name, or under it without ending.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"docx/sources/a.docx", "docx/groundtruth/a.docx.md", "pdf/sources/b.pdf", "pdf/groundtruth/b.md", "c/d.pdf", "README.md"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := originals(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, o := range all {
		names = append(names, o.name+" "+filepath.Base(o.markdown))
	}
	if want := []string{"c/d.pdf .", "docx/a.docx a.docx.md", "pdf/b.pdf b.md"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if _, err := originals(t.TempDir()); err == nil {
		t.Error("an empty folder has samples")
	}
}

// TestMeasure: a program's time and output are its own, and one that fails says so.
func TestMeasure(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if m, err := measure(own, "-test.run", "^$", "-test.list", "TestLacking"); err != nil || len(m.out) == 0 || m.processor <= 0 {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := least(2, own, "-no-such-flag"); err == nil {
		t.Error("a program that fails is measured")
	}
}
