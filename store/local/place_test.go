package local

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A commit into a file that its path no longer names is refused: nobody would
// ever read it.
func TestStoreTakenAway(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: Windows keeps an open file from being deleted or replaced")
	}
	ctx := context.Background()
	remove := func(t *testing.T, path string) {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	replace := func(t *testing.T, path string) {
		other := filepath.Join(t.TempDir(), "other")
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(other, data, 0o644)
		}
		if err == nil {
			err = os.Rename(other, path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		what string
		take func(t *testing.T, path string)
		file string
		says string
	}{
		{"the file deleted", remove, "", "is gone"},
		{"the file replaced", replace, "", "was replaced"},
		{"the log deleted", remove, walSuffix, "is gone"},
		{"the log replaced", replace, walSuffix, "was replaced"},
		{"the folder moved", func(t *testing.T, path string) {
			if err := os.Rename(filepath.Dir(path), filepath.Dir(path)+"2"); err != nil {
				t.Fatal(err)
			}
		}, "", "is gone"},
	} {
		t.Run(c.what+" before a commit", func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "in", "quarry.db")
			if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			s := open(t, path, Options{})
			if _, err := s.Apply(ctx, generation(1)); err != nil {
				t.Fatal(err)
			}
			c.take(t, path+c.file)
			_, err := s.Apply(ctx, generation(2))
			refused(t, err, nil, path, c.says, "leave the store's files where they are")
			if c.file == "" {
				_, err = s.Apply(ctx, generation(1)) // in which there is nothing to do
				refused(t, err, nil, path, c.says)
			}
		})
		t.Run(c.what+" during a commit", func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "in", "quarry.db")
			if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			s := open(t, path, Options{})
			err := s.write(ctx, "testing", func(w *conn) error {
				c.take(t, path+c.file)
				_, err := w.bump(ctx)
				return err
			})
			refused(t, err, nil, path, c.says)
		})
	}
}
