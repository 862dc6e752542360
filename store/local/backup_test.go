package local

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/store"
)

// Backups taken while another process writes are each whole, of one commit, and
// leave nothing else behind.
func TestBackupBesideWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := open(t, path, Options{})
	cmd, lines := spawn(t, "apply", path)
	next(t, lines, 2)
	to := filepath.Join(t.TempDir(), "backup.db")
	last := 0
	for range 10 {
		if _, err := s.Backup(t.Context(), to, false); err != nil {
			t.Fatal(err)
		}
		b := open(t, to, Options{Existing: true})
		n, err := generationOf(b)
		if err != nil || n < last || n == 0 {
			t.Errorf("generation %d after %d, %v", n, last, err)
		}
		last = n
		b.Close()
		next(t, lines, 2) // the writer goes on
	}
	if last < 3 {
		t.Errorf("the last backup is of generation %d: the writer stood still", last)
	}
	cmd.Process.Kill()
	if files := filesIn(t, filepath.Dir(to)); !slices.Equal(files, []string{"backup.db"}) {
		t.Errorf("beside the backup there is %v", files)
	}
}

func next(t *testing.T, lines *bufio.Scanner, n int) {
	t.Helper()
	for range n {
		if !lines.Scan() {
			t.Fatal("the other process ended")
		}
	}
}

func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// What a backup may not replace stays as it is, and a backup that fails leaves nothing.
func TestBackupRefuses(t *testing.T) {
	path := filled(t)
	dir := t.TempDir()
	write := func(name, content string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	inUse := filled(t)
	user := open(t, inUse, Options{})
	if _, err := user.Apply(t.Context(), generation(2)); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		what, to, says string
		ctx            context.Context
	}{
		{"the store itself", path, "the store itself", t.Context()},
		{"a folder", dir, "is a folder", t.Context()},
		{"a file of something else", write("notes.txt", strings.Repeat("notes\n", 500)), "no sound backup", t.Context()},
		{"a store in use", inUse, "in use", t.Context()},
		{"no such folder", filepath.Join(dir, "no", "b.db"), "make it or name another file", t.Context()},
		{"an interrupted one", filepath.Join(dir, "b.db"), "context canceled", ended},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := open(t, path, Options{Existing: true})
			before, _ := os.ReadFile(c.to)
			_, err := s.Backup(c.ctx, c.to, true)
			refused(t, err, nil, c.says)
			if after, _ := os.ReadFile(c.to); !bytes.Equal(before, after) {
				t.Error("what stood there was changed")
			}
		})
	}
	if files := filesIn(t, dir); !slices.Equal(files, []string{"notes.txt"}) {
		t.Errorf("left behind: %v", files)
	}
}

// A damaged store gives no backup, and the backup from before stays.
func TestBackupOfDamage(t *testing.T) {
	path := filled(t)
	to := filepath.Join(t.TempDir(), "backup.db")
	if _, err := open(t, path, Options{}).Backup(t.Context(), to, false); err != nil {
		t.Fatal(err)
	}
	s := edited(t, path, "UPDATE content SET text = replace(text, 'constant', 'variable')")
	_, err := s.Backup(t.Context(), to, false)
	refused(t, err, store.ErrDamaged, "document docs:doc0", "quarry doctor")
	if n, err := generationOf(open(t, to, Options{})); n != 1 || err != nil {
		t.Errorf("the backup from before: generation %d, %v", n, err)
	}
}

// Without being told to, a backup replaces no store but its own backups.
func TestBackupReplaces(t *testing.T) {
	ctx := t.Context()
	path := filled(t)
	own := func(t *testing.T) string {
		t.Helper()
		to := filepath.Join(t.TempDir(), "backup.db")
		if _, err := open(t, path, Options{}).Backup(ctx, to, false); err != nil {
			t.Fatal(err)
		}
		return to
	}
	for _, c := range []struct {
		what string
		to   func(t *testing.T) string
		says string // "" where it is replaced
	}{
		{"nothing", func(t *testing.T) string { return filepath.Join(t.TempDir(), "backup.db") }, ""},
		{"a backup of its own", own, ""},
		{"a backup that was repaired", func(t *testing.T) string {
			to := own(t)
			damageFile(t, to, "DELETE FROM part")
			if _, err := Repair(ctx, to, Options{}); err != nil {
				t.Fatal(err)
			}
			return to
		}, ""},
		{"a store that was restored from one", func(t *testing.T) string {
			to := filled(t)
			if _, err := Restore(ctx, to, own(t), 0); err != nil {
				t.Fatal(err)
			}
			return to
		}, ""},
		{"another store", filled, "--force"},
		{"a store of a format without identities", func(t *testing.T) string { return older(t, "format3.db") }, "--force"},
		{"a store of a newer format", func(t *testing.T) string {
			to := own(t)
			execute(t, to, "PRAGMA user_version = 99")
			return to
		}, "--force"},
	} {
		t.Run(c.what, func(t *testing.T) {
			s, to := open(t, path, Options{}), c.to(t)
			before, _ := os.ReadFile(to)
			_, err := s.Backup(ctx, to, false)
			if c.says == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			refused(t, err, nil, c.says)
			if after, _ := os.ReadFile(to); !bytes.Equal(before, after) {
				t.Error("what stood there was changed")
			}
			made, err := s.Backup(ctx, to, true)
			if err != nil || made.Documents != 5 || made.Bytes == 0 {
				t.Errorf("by force: %+v, %v", made, err)
			}
		})
	}
}

// Of a store of an older format a backup has no identity until the store is written.
func TestBackupOfOlder(t *testing.T) {
	ctx := t.Context()
	path := older(t, "format3.db")
	to := filepath.Join(t.TempDir(), "backup.db")
	s := open(t, path, Options{})
	if _, err := s.Backup(ctx, to, false); err != nil {
		t.Fatal(err)
	}
	_, err := s.Backup(ctx, to, false)
	refused(t, err, nil, "--force")
	if _, err := s.Apply(ctx, generation(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Backup(ctx, to, true); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Backup(ctx, to, false); err != nil {
		t.Errorf("over a backup with its identity: %v", err)
	}
}
