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
		if err := s.Backup(t.Context(), to); err != nil {
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
		{"no such folder", filepath.Join(dir, "no", "b.db"), "no such file or directory", t.Context()},
		{"an interrupted one", filepath.Join(dir, "b.db"), "context canceled", ended},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := open(t, path, Options{Existing: true})
			before, _ := os.ReadFile(c.to)
			refused(t, s.Backup(c.ctx, c.to), nil, c.says)
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
	if err := open(t, path, Options{}).Backup(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	s := edited(t, path, "UPDATE content SET text = replace(text, 'constant', 'variable')")
	refused(t, s.Backup(t.Context(), to), store.ErrDamaged, "document docs:doc0", "quarry doctor")
	if n, err := generationOf(open(t, to, Options{})); n != 1 || err != nil {
		t.Errorf("the backup from before: generation %d, %v", n, err)
	}
}
