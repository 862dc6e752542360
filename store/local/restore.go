package local

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/gofrs/flock"

	"github.com/seed-d3156d19/quarry/store"
)

// Restore puts a copy of the store in the file from in the place of the store at
// path, or makes one there. The copy is written and checked before anything is
// touched; the store is then replaced as one, and only while no other process has
// it open, else it is store.ErrBusy. Commits that the store has and from lacks are
// lost. wait is how long it waits for others, 0 is 10 s.
func Restore(ctx context.Context, path, from string, wait time.Duration) (Copy, error) {
	backup, err := Open(ctx, from, Options{Existing: true})
	if err != nil {
		return Copy{}, unusable(from, err)
	}
	defer backup.Close()
	if path, err = follow(path); err != nil {
		return Copy{}, err
	}
	target := closed(path, wait)
	defer target.lock.Close()
	if info, err := os.Stat(path); err == nil && os.SameFile(info, backup.file) {
		return Copy{}, filed(from, "", errors.New("this is the store itself: name a backup of it"))
	}
	if _, err := target.look(); err != nil {
		return Copy{}, err
	}
	made, err := backup.copyBeside(ctx, path)
	if err != nil {
		return Copy{}, err
	}
	return made.Copy, target.replace(ctx, made)
}

// unusable is why a file is no backup, with advice that spares the file.
func unusable(from string, err error) error {
	var f *failure
	switch {
	case errors.Is(err, store.ErrNoStore):
		what := "there is no such file"
		if _, err := os.Stat(from); err == nil {
			what = "there is no store in it"
		}
		return &failure{sentence: fmt.Sprintf("the backup %s cannot be used: %s; name a file that quarry backup made", from, what), kind: store.ErrNoStore}
	case errors.As(err, &f) && f.advice != "":
		return &failure{sentence: "the backup cannot be used: " + f.sentence, advice: "name another file that quarry backup made", kind: f.kind, cause: f.cause}
	}
	return fmt.Errorf("the backup cannot be used: %w", err)
}

// closed is a store that is not opened, for its path and its lock.
func closed(path string, wait time.Duration) *Store {
	if wait == 0 {
		wait = 10 * time.Second
	}
	return &Store{path: path, wait: wait, index: newIndex(), writing: make(chan struct{}, 1), lock: flock.New(path + ".lock")}
}

// replace puts a copy in the store's place, or discards it.
func (s *Store) replace(ctx context.Context, made *copied) error {
	release, err := s.acquire(ctx)
	if err == nil {
		defer release()
		err = s.fold(ctx)
	}
	if err != nil {
		made.discard()
		return err
	}
	return made.rename()
}

// fold brings a store to the one file that a rename replaces: a log left beside
// would be taken for the new store's. SQLite leaves the write-ahead mode only while
// nobody else has the file open. A store that stays so, after a crash, is sound; the
// next writer sets the mode again.
func (s *Store) fold(ctx context.Context) error {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return s.dropLog()
	}
	if err != nil {
		return s.wrap("looking at the store", err)
	}
	err = setJournal(ctx, s.path, "delete", int(s.wait.Milliseconds()))
	code := -1
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		code = lite.Code() & 0xff
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED:
		return s.shared(err)
	case code == sqlite3.SQLITE_NOTADB:
		return filed(s.path, "", errors.New("what stands there is not a Quarry store, or its first bytes are damaged; move it away and run the command again"))
	case code == sqlite3.SQLITE_CORRUPT: // what the log holds of a damaged store is lost with it
		if err := s.alone(ctx); err != nil {
			return err
		}
		return s.dropLog()
	case err != nil:
		return s.wrap("replacing it", err)
	}
	return nil
}

// alone is store.ErrBusy where somebody else has a damaged store open. A connection that
// keeps its locks (https://sqlite.org/pragma.html#pragma_locking_mode) takes an
// exclusive one to open the log, before it reads a page.
func (s *Store) alone(ctx context.Context) error {
	if info, err := os.Stat(s.path + walSuffix); err != nil || info.Size() == 0 {
		if _, err := os.Stat(s.path + "-shm"); err != nil {
			return nil // who has it open has these beside it
		}
	}
	name, err := dsn(s.path, false, []string{fmt.Sprintf("busy_timeout(%d)", s.wait.Milliseconds()), "locking_mode(EXCLUSIVE)"})
	if err != nil {
		return s.wrap("replacing it", err)
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return s.wrap("replacing it", err)
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "BEGIN IMMEDIATE")
	var lite *sqlite.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &lite) && (lite.Code()&0xff == sqlite3.SQLITE_BUSY || lite.Code()&0xff == sqlite3.SQLITE_LOCKED):
		return s.shared(err)
	case err != nil && !isDamage(err):
		return s.wrap("replacing it", err)
	case err != nil && inUse(s.path): // its header is damaged, so that SQLite gave up before it asked who has it open
		return s.shared(err)
	}
	return nil
}

func (s *Store) shared(err error) error {
	return &failure{kind: store.ErrBusy, cause: err, sentence: s.path + ": another process has the store open; end it and run the command again, nothing was replaced"}
}

func (s *Store) dropLog() error {
	for _, end := range []string{walSuffix, "-shm"} {
		if err := os.Remove(s.path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return s.wrap("replacing it", err)
		}
	}
	return nil
}
