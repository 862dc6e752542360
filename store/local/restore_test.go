package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// A restore brings the backup's state back, whatever stood there and in whatever
// state its log was.
func TestRestore(t *testing.T) {
	ctx := t.Context()
	backup := filepath.Join(t.TempDir(), "backup.db")
	if _, err := open(t, filled(t), Options{}).Backup(ctx, backup, false); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	for what, make := range map[string]func(t *testing.T) string{
		"no store":     func(t *testing.T) string { return filepath.Join(t.TempDir(), "quarry.db") },
		"another one":  filled,
		"an older one": func(t *testing.T) string { return older(t, "format2.db") },
		"an empty file": func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "quarry.db")
			if err := os.WriteFile(path, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			return path
		},
		"a store with a log": func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "quarry.db")
			cmd, lines := spawn(t, "apply", path)
			next(t, lines, 6)
			cmd.Process.Kill()
			cmd.Wait()
			if info, err := os.Stat(path + walSuffix); err != nil || info.Size() == 0 {
				t.Fatalf("there is no log: %v", err)
			}
			return path
		},
		"a damaged one": func(t *testing.T) string {
			path := filled(t)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for at := 4096; at < len(data); at += 512 {
				data[at] ^= 0xff
			}
			if err := os.WriteFile(path, data[:len(data)/2], 0o644); err != nil {
				t.Fatal(err)
			}
			return path
		},
	} {
		t.Run(what, func(t *testing.T) {
			path := make(t)
			if _, err := Restore(ctx, path, backup, time.Second); err != nil {
				t.Fatal(err)
			}
			s := open(t, path, Options{})
			if n, err := generationOf(s); n != 1 || err != nil {
				t.Errorf("generation %d, %v", n, err)
			}
			if err := s.Check(ctx); err != nil {
				t.Error(err)
			}
			if _, err := s.Apply(ctx, generation(4)); err != nil {
				t.Error(err)
			}
			s.Close()
			if after, err := os.ReadFile(backup); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the backup was changed, %v", err)
			}
			if files := filesIn(t, filepath.Dir(path)); !slices.Equal(files, []string{"quarry.db", "quarry.db.lock"}) {
				t.Errorf("left behind: %v", files)
			}
		})
	}
}

// Who has the store open, to write or to read, in this process or another, keeps it.
func TestRestoreRefuses(t *testing.T) {
	ctx := t.Context()
	backup := filled(t)
	text := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(text, []byte(strings.Repeat("notes\n", 500)), 0o644); err != nil {
		t.Fatal(err)
	}
	half := filled(t)
	if err := os.Truncate(half, 8192); err != nil {
		t.Fatal(err)
	}
	const wait = 50 * time.Millisecond
	changed := func(t *testing.T) string {
		t.Helper()
		path := filled(t)
		if _, err := open(t, path, Options{}).Apply(ctx, generation(2)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		what string
		from string
		to   func(t *testing.T) string
		kind error
		says string
	}{
		{"a writer in another process", backup, func(t *testing.T) string {
			path := filled(t)
			_, lines := spawn(t, "hold", path)
			next(t, lines, 1)
			return path
		}, store.ErrBusy, "wait for it to end"},
		{"a reader in another process", backup, func(t *testing.T) string {
			path := filled(t)
			_, lines := spawn(t, "read", path)
			next(t, lines, 1)
			return path
		}, store.ErrBusy, "end it and run the command again"},
		{"a user in this process", backup, changed, store.ErrBusy, "has the store open"},
		{"a text file in the store's place", backup, func(*testing.T) string { return text }, nil, "move it away"},
		{"a backup that is none", text, filled, store.ErrDamaged, "the backup cannot be used"},
		{"half a backup", half, filled, store.ErrDamaged, "the backup cannot be used"},
		{"a backup that is not there", filepath.Join(t.TempDir(), "none.db"), filled, store.ErrNoStore, "there is no such file"},
		{"the store itself", backup, func(*testing.T) string { return backup }, nil, "the store itself"},
	} {
		t.Run(c.what, func(t *testing.T) {
			path := c.to(t)
			before, _ := os.ReadFile(path)
			_, err := Restore(ctx, path, c.from, wait)
			refused(t, err, c.kind, c.says)
			if strings.Contains(err.Error(), "delete it") {
				t.Errorf("%q says to delete what may be the only copy", err)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the store was changed")
			}
			for _, name := range filesIn(t, filepath.Dir(path)) {
				if strings.Contains(name, "partial") {
					t.Errorf("left behind: %s", name)
				}
			}
		})
	}
}

// readForEver keeps a view open until it is killed.
func readForEver(path string) error {
	s, err := Open(context.Background(), path, Options{Existing: true})
	if err != nil {
		return err
	}
	v, err := s.View(context.Background(), document.Scope{})
	if err != nil {
		return err
	}
	defer v.Close()
	fmt.Println("open")
	time.Sleep(time.Minute)
	return errors.New("nobody ended it")
}
