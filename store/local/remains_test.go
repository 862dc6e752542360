package local

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/store"
)

// Of a store whose end is missing, what can be read is told from what is lost, document
// by document, and a repair keeps the one without the other.
func TestCutShort(t *testing.T) {
	ctx := t.Context()
	const page = 4096
	whole, err := os.ReadFile(varied(t))
	if err != nil {
		t.Fatal(err)
	}
	repairs, partly := 0, 0
	for pages := 1; pages < len(whole)/page; pages++ {
		path := filepath.Join(t.TempDir(), "quarry.db")
		if err := os.WriteFile(path, whole[:pages*page], 0o644); err != nil {
			t.Fatal(err)
		}
		found, err := Inspect(ctx, path)
		if err != nil {
			if pages > len(whole)/page-2 {
				t.Errorf("without %d pages: %v", len(whole)/page-pages, err)
			}
			refused(t, err, nil, "quarry restore FILE")
			if strings.Contains(err.Error(), "quarry doctor") {
				t.Errorf("%d pages: the doctor sends to the doctor: %v", pages, err)
			}
			continue
		}
		if len(found) == 0 {
			t.Errorf("%d pages: no damage was found", pages)
		}
		if _, err := Repair(ctx, path, Options{}); err != nil {
			t.Errorf("%d pages can be read and not repaired: %v", pages, err)
			continue
		}
		repairs++
		s := open(t, path, Options{})
		if err := s.Check(ctx); err != nil {
			t.Errorf("%d pages, after the repair: %v", pages, err)
		}
		if len(paths(t, s)) > 0 {
			partly++
		}
		s.Close()
	}
	t.Logf("of %d lengths %d were repaired, %d of these with documents", len(whole)/page-1, repairs, partly)
	if partly < repairs/2 {
		t.Errorf("of %d that were repaired %d have documents", repairs, partly)
	}
}

// A store is in use by who reads it, whatever is damaged in it: its log is kept then.
func TestDamagedInUse(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "quarry.db")
	writer, lines := spawn(t, "apply", path)
	next(t, lines, 6)
	reading, reader := spawn(t, "read", path)
	next(t, reader, 1)
	writer.Process.Kill() // which would empty the log at times
	writer.Wait()
	before, err := os.Stat(path + walSuffix)
	if err != nil {
		t.Fatal(err)
	}
	damage(t, path)
	s := closed(path, 50*time.Millisecond)
	defer s.lock.Close()
	refused(t, s.alone(ctx), store.ErrBusy, "has the store open")
	if info, err := os.Stat(path + walSuffix); err != nil || info.Size() != before.Size() {
		t.Errorf("the log is not what it was: %v", err)
	}
	reading.Process.Kill()
	reading.Wait()
	if err := s.alone(ctx); err != nil {
		t.Errorf("when nobody has it open: %v", err)
	}
}

// Of a store whose log is empty SQLite reads the header first, and says nothing of who has it
// open.
func TestDamagedInUseWithoutLog(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "quarry.db")
	writer, lines := spawn(t, "apply", path)
	next(t, lines, 6)
	writer.Process.Kill()
	writer.Wait()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	reading, reader := spawn(t, "read", path)
	next(t, reader, 1)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path + walSuffix); err != nil || info.Size() != 0 {
		t.Fatalf("the log is not empty: %v", err)
	}
	damage(t, path)
	s := closed(path, 50*time.Millisecond)
	defer s.lock.Close()
	for range 2 { // the first look changes nothing for the second
		refused(t, s.alone(ctx), store.ErrBusy, "has the store open")
	}
	reading.Process.Kill()
	reading.Wait()
	if err := s.alone(ctx); err != nil {
		t.Errorf("when nobody has it open: %v", err)
	}
}

// damage writes over the header of a store.
func damage(t *testing.T, path string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteAt(make([]byte, 90), 10)
	file.Close()
	if err != nil {
		t.Fatal(err)
	}
}
