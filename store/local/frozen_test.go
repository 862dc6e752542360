package local

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
)

func TestWhenAStoreIsReadAsItStands(t *testing.T) {
	for _, c := range []struct {
		what   string
		a      surroundings
		frozen bool
	}{
		{"the owner", surroundings{fileWritable: true, folderWritable: true}, false},
		{"a reader", surroundings{}, true},
		{"a reader who may write the folder would leave files there", surroundings{folderWritable: true}, true},
		{"a shut folder", surroundings{fileWritable: true}, true},
		{"a log holds changes", surroundings{log: 1}, false},
		{"another process has it open", surroundings{shared: true}, false},
	} {
		if got := c.a.frozen(); got != c.frozen {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// A store that is read as it stands is not read on once it was written.
func TestThawed(t *testing.T) {
	ctx := context.Background()
	path := filled(t)
	for _, name := range []string{path, filepath.Dir(path)} {
		if !writable(name) {
			t.Fatalf("%s is said not to be writable", name)
		}
	}
	s := open(t, path, Options{})
	s.frozen = true
	view := func() error {
		v, err := s.View(ctx, document.Scope{})
		if err == nil {
			v.Close()
		}
		return err
	}
	if err := view(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	refused(t, view(), nil, "written by another process", "run the command again")
}
