//go:build unix

package quarry

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/store/local"
)

// When the machine fails, no document is said to have failed and none is removed;
// when a document may not be read, it alone fails.
func TestMachineFails(t *testing.T) {
	ctx := t.Context()
	s, err := local.Open(ctx, filepath.Join(t.TempDir(), "q.db"), local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := Open(Options{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	files := []string{"a.md", "b.md", "c.md"}
	sync := func(fails string, with error) (Report, error) {
		in, err := c.intake(ctx, document.Source{Name: "docs", Kind: "folder", Root: "/docs"}, Progress{})
		if err != nil {
			t.Fatal(err)
		}
		err = in.take(ctx, func(yield func(entry, error) bool) {
			for _, name := range files {
				read := func(context.Context) (source.Original, error) {
					if name == fails {
						return source.Original{}, fmt.Errorf("read %s: %w", name, with)
					}
					return source.Original{Bytes: []byte("# " + name + "\n\nSome words of it.\n"), Hash: name}, nil
				}
				if !yield(entry{path: name, name: name, read: read}, nil) {
					return
				}
			}
		})
		return in.report, err
	}
	inForce := func() int {
		list, err := c.Documents(ctx, document.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, d := range list {
			if d.Error == "" {
				n++
			}
		}
		return n
	}
	if _, err := sync("", nil); err != nil || inForce() != 3 {
		t.Fatalf("%d documents, %v", inForce(), err)
	}
	files = []string{"a.md", "b.md"}
	for _, errno := range []syscall.Errno{syscall.EMFILE, syscall.EIO, syscall.ENOSPC} {
		report, err := sync("b.md", errno)
		if err == nil || !strings.Contains(err.Error(), "read b.md: "+errno.Error()) || len(report.Failed)+len(report.Removed) != 0 {
			t.Errorf("%v: %+v, %v", errno, report, err)
		}
		if n := inForce(); n != 3 {
			t.Errorf("%v: %d documents are left", errno, n)
		}
	}
	if report, err := sync("b.md", syscall.EACCES); err != nil || len(report.Failed) != 1 || len(report.Removed) != 1 || inForce() != 1 {
		t.Errorf("%+v, %d documents, %v", report, inForce(), err)
	}
}
