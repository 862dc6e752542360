package local

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Names that mean something to SQLite, as a URI or within one, are names of files.
var oddNames = []string{"file:quarry.db", "file:quarry.db?mode=memory", "a?b.db", "a#b.db", "50% done.db", "it's.db", ":memory:", "x y.db"}

// Each verb works on the file that was named and on no other.
func TestOddNames(t *testing.T) {
	ctx := t.Context()
	for _, name := range oddNames {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			copyFile(t, filled(t), name)
			s := open(t, name, Options{})
			backup := "backup of " + name
			if _, err := s.Backup(ctx, backup, false); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Backup(ctx, "file:"+name, false); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Apply(ctx, generation(3)); err != nil {
				t.Fatal(err)
			}
			s.Close()
			if n, err := generationOf(open(t, "file:"+name, Options{})); n != 1 || err != nil {
				t.Errorf("the backup has generation %d, %v", n, err)
			}
			damageFile(t, name, "UPDATE content SET text = replace(text, 'constant', 'variable') WHERE revision = (SELECT max(revision) FROM content)")
			found, err := Repair(ctx, name, Options{})
			if err != nil || len(found) == 0 {
				t.Fatalf("repair found %v, %v", found, err)
			}
			s = open(t, name, Options{})
			if err := s.Check(ctx); err != nil {
				t.Error(err)
			}
			if n := len(paths(t, s)); n != 4 {
				t.Errorf("a repair left %d of 5 documents, of which one was damaged", n)
			}
			s.Close()
			if _, err := Restore(ctx, name, backup, time.Second); err != nil {
				t.Fatal(err)
			}
			if n, err := generationOf(open(t, name, Options{})); n != 1 || err != nil {
				t.Errorf("restored generation %d, %v", n, err)
			}
		})
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func damageFile(t *testing.T, path, statement string) {
	t.Helper()
	if err := edited(t, path, statement).Close(); err != nil {
		t.Fatal(err)
	}
}

// By whatever link a store is named, the file itself is locked, replaced and repaired,
// and the link stays one.
func TestLinks(t *testing.T) {
	ctx := t.Context()
	const wait = 50 * time.Millisecond
	backup := filled(t)
	for what, target := range map[string]func(file string) string{
		"absolute":        func(file string) string { return file },
		"relative":        func(file string) string { return filepath.Join("..", "real", filepath.Base(file)) },
		"through another": func(file string) string { return "second.db" },
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			file, link := filepath.Join(dir, "real", "quarry.db"), filepath.Join(dir, "links", "quarry.db")
			for _, folder := range []string{file, link} {
				if err := os.Mkdir(filepath.Dir(folder), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for _, l := range [][2]string{{target(file), link}, {file, filepath.Join(dir, "links", "second.db")}} {
				if err := os.Symlink(l[0], l[1]); err != nil {
					t.Skipf("SKIPPED: no links here: %v", err)
				}
			}
			made := open(t, link, Options{}) // of a link to nothing, the file is made
			if _, err := made.Apply(ctx, generation(2)); err != nil {
				t.Fatal(err)
			}
			other := open(t, file, Options{LockWait: wait})
			release, err := made.acquire(ctx)
			if err != nil {
				t.Fatal(err)
			}
			_, err = other.Apply(ctx, generation(3))
			refused(t, err, nil, "lock file "+file+".lock")
			release()
			_, err = Restore(ctx, link, backup, wait)
			refused(t, err, nil, "has the store open")
			other.Close()
			made.Close()

			still := func(what string, generation int) {
				t.Helper()
				if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
					t.Errorf("%s: the link is none any more, %v", what, err)
				}
				s := open(t, file, Options{Existing: true})
				defer s.Close()
				if n, err := generationOf(s); n != generation || err != nil {
					t.Errorf("%s: the file has generation %d, %v", what, n, err)
				}
				if err := s.Check(ctx); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			}
			if _, err := Restore(ctx, link, backup, wait); err != nil {
				t.Fatal(err)
			}
			still("restored", 1)
			damageFile(t, file, "DELETE FROM part")
			if found, err := Repair(ctx, link, Options{}); err != nil || len(found) == 0 {
				t.Fatalf("repair found %v, %v", found, err)
			}
			still("repaired", 1)
			if _, err := open(t, file, Options{}).Backup(ctx, link, false); err == nil {
				t.Error("a backup replaced the store itself")
			}
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			if _, err := open(t, backup, Options{}).Backup(ctx, link, false); err != nil {
				t.Fatal(err)
			}
			still("backed up to", 1)
		})
	}
}

func TestLinkToItself(t *testing.T) {
	link := filepath.Join(t.TempDir(), "quarry.db")
	if err := os.Symlink(link, link); err != nil {
		t.Skipf("SKIPPED: no links here: %v", err)
	}
	_, err := Open(t.Context(), link, Options{})
	refused(t, err, nil, "leads to itself")
}
