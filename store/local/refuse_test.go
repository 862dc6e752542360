package local

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// refused asserts an error's kind (nil for none of the contract's) and what its
// sentence says.
func refused(t *testing.T, err, kind error, says ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	if kind != nil && !errors.Is(err, kind) {
		t.Errorf("%v is not %v", err, kind)
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%q does not say %q", err, s)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("%q is not one sentence", err)
	}
}

// filled makes a store of one generation, closed.
func filled(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := open(t, path, Options{})
	if _, err := s.Apply(context.Background(), generation(1)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRefuse(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	edit := func(path, statement string) string {
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cut := func(path string, keep float64) string {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, int64(float64(info.Size())*keep)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		what string
		path string
		kind error
		says []string
	}{
		{"a folder", dir, nil, []string{"is a folder", "name a file"}},
		{"a missing folder", filepath.Join(dir, "no", "quarry.db"), nil, []string{"does not exist", "create it"}},
		{"a file as a folder", filepath.Join(write("file", "x"), "quarry.db"), nil, []string{"name another store"}},
		{"a text file", write("notes.txt", "some notes that are longer than a header would be"), store.ErrDamaged, []string{"not a Quarry store"}},
		{"another program's file", edit(filepath.Join(dir, "other.db"), "CREATE TABLE t (x)"), store.ErrDamaged, []string{"another program"}},
		{"a newer format", edit(filled(t), "PRAGMA user_version = 99"), store.ErrNewer, []string{"update quarry"}},
		{"a missing table", edit(filled(t), "DROP TABLE meta"), store.ErrDamaged, nil},
		{"half a file", cut(filled(t), 0.5), store.ErrDamaged, []string{"backup"}},
		{"most of a file", cut(filled(t), 0.98), store.ErrDamaged, []string{"backup"}},
		{"a few bytes", cut(filled(t), 0.001), store.ErrDamaged, nil},
	} {
		t.Run(c.what, func(t *testing.T) {
			before, _ := os.ReadFile(c.path)
			s, err := Open(context.Background(), c.path, Options{})
			if err == nil {
				s.Close()
			}
			refused(t, err, c.kind, append(c.says, filepath.Base(c.path))...)
			if after, _ := os.ReadFile(c.path); !bytes.Equal(before, after) {
				t.Error("the refused file was changed")
			}
		})
	}
}

// Who only reads makes no store of what is none, nor of one that was only begun.
func TestNoStoreIsMadeToRead(t *testing.T) {
	dir := t.TempDir()
	begun := filepath.Join(dir, "begun.db")
	db, err := sql.Open("sqlite", begun)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA journal_mode=WAL; VACUUM"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	empty := filepath.Join(dir, "empty.db")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		begun: "not a Quarry store", empty: "empty file and not a Quarry store",
		filepath.Join(dir, "none.db"): "there is no store yet", filepath.Join(dir, "no", "none.db"): "there is no store yet",
	} {
		before, _ := os.ReadFile(path)
		s, err := Open(context.Background(), path, Options{Existing: true})
		if err == nil {
			s.Close()
		}
		refused(t, err, store.ErrNoStore, path, says, "quarry add")
		if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
			t.Errorf("%s was changed", path)
		}
	}
}

// Bytes flipped anywhere give right answers or store.ErrDamaged, never a panic
// or another error.
func TestFlippedBytes(t *testing.T) {
	whole, err := os.ReadFile(filled(t))
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 3))
	path := filepath.Join(t.TempDir(), "quarry.db")
	found, tries := 0, 240
	for i := range tries {
		broken := bytes.Clone(whole)
		// A sector of noise, so that most tries meet something in use.
		at := rnd.IntN(len(broken))
		for j := at; j < min(at+256, len(broken)); j++ {
			broken[j] ^= byte(1 + rnd.IntN(255))
		}
		for _, suffix := range []string{"", "-wal", "-shm"} {
			os.Remove(path + suffix)
		}
		if err := os.WriteFile(path, broken, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := useAll(path); err != nil {
			found++
			if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrNewer) {
				t.Errorf("try %d, offset %d: %v", i, at, err)
			}
		}
	}
	t.Logf("%d of %d damages were found", found, tries)
	if found < tries/8 { // most of so small a file is unused
		t.Error("too few damages were found")
	}
}

func useAll(path string) error {
	ctx := context.Background()
	s, err := Open(ctx, path, Options{LockWait: time.Second})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Check(ctx); err != nil {
		return err
	}
	v, err := s.View(ctx, document.Scope{})
	if err != nil {
		return err
	}
	defer v.Close()
	hits, err := v.Keyword(ctx, []store.QueryTerm{{Term: "generation", Weight: 1}}, 10)
	if err != nil {
		return err
	}
	for _, h := range hits.Hits {
		if _, err := v.Passages(ctx, []document.PassageID{h.Passage}); err != nil && !errors.Is(err, document.ErrNotFound) {
			return err
		}
	}
	list, err := v.Documents(ctx)
	if err != nil {
		return err
	}
	for _, l := range list {
		if _, err := v.Document(ctx, l.Document, true); err != nil && !errors.Is(err, document.ErrNotFound) {
			return err
		}
	}
	_, err = s.Apply(ctx, generation(2))
	if errors.Is(err, store.ErrInvalid) {
		return nil // ids of documents that the noise changed
	}
	return err
}

// Opening, listing, searching and closing change no byte, and neither does a
// sync that finds nothing to do.
func TestReadingChangesNothing(t *testing.T) {
	path := filled(t)
	os.Remove(path + ".lock")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	s := open(t, path, Options{})
	if _, err := s.States(ctx, "docs"); err != nil {
		t.Fatal(err)
	}
	if n, err := generationOf(s); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if c, err := s.Apply(ctx, generation(1)); c.Changed || err != nil {
		t.Fatal(c, err)
	}
	if jobs, err := s.Claim(ctx, "none", 1, time.Second); len(jobs) != 0 || err != nil {
		t.Fatal(jobs, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file changed (%v)", err)
	}
	files, _ := os.ReadDir(filepath.Dir(path))
	if len(files) != 1 {
		t.Errorf("it left %v", files)
	}
}

func TestAwkwardNames(t *testing.T) {
	for _, name := range []string{"50% done? #1.db", "a b&c=d;e.db", "ünïcode.db", "%2e%2e.db", "mode=memory"} {
		path := filepath.Join(t.TempDir(), name)
		s := open(t, path, Options{})
		if _, err := s.Apply(context.Background(), generation(1)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s is not there: %v", name, err)
		}
	}
}
