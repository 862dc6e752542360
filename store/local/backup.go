package local

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-d3156d19/quarry/store"
)

// Backup writes the store, as it is at one commit, to a file of its own that is a
// store itself, without the pages that are free. It waits for no writer and keeps
// none waiting. The file is read back whole before it gets its name, so that what
// stood there is replaced by a sound backup or left as it is. An existing file is
// replaced only where it is a store that nobody has open, and, without replace, only
// where it is a backup of this one.
func (s *Store) Backup(ctx context.Context, to string, replace bool) (Copy, error) {
	if err := s.alive(); err != nil {
		return Copy{}, err
	}
	to, err := follow(to)
	if err != nil {
		return Copy{}, err
	}
	if err := s.replaceable(ctx, to, replace); err != nil {
		return Copy{}, err
	}
	made, err := s.copyBeside(ctx, to)
	if err != nil {
		return Copy{}, err
	}
	return made.Copy, made.rename()
}

// Copy is what a backup or a restore wrote.
type Copy struct {
	Documents int // without those that failed
	Bytes     int64
}

// replaceable refuses to put a backup in the place of something else.
func (s *Store) replaceable(ctx context.Context, to string, replace bool) error {
	info, err := os.Stat(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(to)); errors.Is(err, fs.ErrNotExist) {
			return filed(to, "", fmt.Errorf("the folder %s does not exist: make it or name another file for the backup", filepath.Dir(to)))
		}
		return nil
	case err != nil:
		return filed(to, "looking at it", err)
	case s.file != nil && os.SameFile(info, s.file):
		return filed(to, "", errors.New("this is the store itself: name another file for the backup"))
	case info.IsDir():
		return filed(to, "", errors.New("this is a folder: name a file in it for the backup"))
	case !info.Mode().IsRegular():
		return filed(to, "", errors.New("this is not a regular file: name another for the backup"))
	}
	for _, end := range []string{walSuffix, "-shm"} {
		if _, err := os.Stat(to + end); err == nil {
			return filed(to, "", fmt.Errorf("a store that is in use stands there (%s%s): name another file for the backup", to, end))
		}
	}
	if info.Size() == 0 {
		return nil
	}
	same := false
	old, err := Open(ctx, to, Options{Existing: true})
	if err == nil {
		same, err = s.sameAs(ctx, old)
		if closed := old.Close(); err == nil {
			err = closed
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case (err == nil || errors.Is(err, store.ErrNewer)) && (same || replace):
		return nil
	case err == nil, errors.Is(err, store.ErrNewer):
		return filed(to, "", errors.New("a store stands there that is not known for a backup of this one: name another file, or replace it with --force"))
	}
	return filed(to, "", errors.New("another file stands there that is no sound backup: delete it or name another file"))
}

// copied is a whole store under a name that nobody looks for.
type copied struct {
	path string
	to   string // the name that it will have
	Copy
}

// copyBeside copies the store to a new file in the folder of to, checked and on the disk.
func (s *Store) copyBeside(ctx context.Context, to string) (*copied, error) {
	if err := s.thawed(); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(filepath.Dir(to), filepath.Base(to)+".partial-*")
	if err != nil {
		return nil, filed(to, "writing the copy", err)
	}
	file.Close()
	made := &copied{path: file.Name(), to: to}
	if err = s.vacuumInto(ctx, made); err == nil {
		err = made.settle(ctx, s.path)
	}
	if err != nil {
		made.discard()
		return nil, err
	}
	return made, nil
}

// vacuumInto has SQLite write the copy, in one read transaction. A connection that
// is set to read only (query_only) may not do so.
func (s *Store) vacuumInto(ctx context.Context, made *copied) error {
	db, err := s.pool([]string{"busy_timeout(10000)"})
	if err != nil {
		return err
	}
	defer db.Close()
	// An absolute path is no URI, whatever is in it.
	abs, err := filepath.Abs(made.path)
	if err != nil {
		return filed(made.to, "writing the copy", err)
	}
	if _, err = db.ExecContext(ctx, "VACUUM INTO ?", abs); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if isDamage(err) || s.thawed() != nil {
			return s.unsettled("copying it", err)
		}
		return filed(made.to, "writing the copy", err)
	}
	return nil
}

// settle makes a copy fit to be used: in the mode that a store has, read back whole,
// with the permissions of the original, and on the disk.
func (m *copied) settle(ctx context.Context, original string) error {
	if err := setJournal(ctx, m.path, "wal", 0); err != nil {
		return filed(m.to, "writing the copy", err)
	}
	s, err := Open(ctx, m.path, Options{Existing: true})
	if err != nil {
		return err
	}
	damage, err := s.Inspect(ctx)
	if err == nil && len(damage) == 0 {
		m.Documents, err = s.sound(ctx)
	}
	if closed := s.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	if len(damage) > 0 {
		return &failure{kind: store.ErrDamaged, sentence: fmt.Sprintf("%s: %v: %s: %s; quarry doctor says all that is damaged and what to do", original, store.ErrDamaged, damage[0].What, damage[0].Detail)}
	}
	info, err := os.Stat(m.path)
	if err != nil {
		return filed(m.to, "looking at the copy", err)
	}
	m.Bytes = info.Size()
	if info, err := os.Stat(original); err == nil {
		if err := os.Chmod(m.path, info.Mode().Perm()); err != nil {
			return filed(m.to, "writing the copy", err)
		}
	}
	return filed(m.to, "writing the copy to the disk", syncFile(m.path))
}

// sound is how many documents there are that did not fail.
func (s *Store) sound(ctx context.Context) (n int, err error) {
	err = s.reading(ctx, "counting documents", func(c *conn) error {
		_, err := c.get(ctx, "SELECT count(*) FROM document WHERE id NOT IN (SELECT document FROM failure)", nil, &n)
		return err
	})
	return n, err
}

// setJournal sets the journal mode of a store's file, waiting so many milliseconds for
// who has it open.
func setJournal(ctx context.Context, path, mode string, wait int) error {
	name, err := dsn(path, false, []string{fmt.Sprintf("busy_timeout(%d)", wait)})
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return err
	}
	var now string
	err = db.QueryRowContext(ctx, "PRAGMA journal_mode="+mode).Scan(&now)
	if err == nil && now != mode {
		err = fmt.Errorf("the journal mode stays %s", now)
	}
	if closed := db.Close(); err == nil {
		err = closed
	}
	return err
}

// rename gives the copy its name, on the disk too.
func (m *copied) rename() error {
	if err := os.Rename(m.path, m.to); err != nil {
		m.discard()
		return filed(m.to, "putting the copy there", err)
	}
	m.discard() // what was beside it
	return filed(m.to, "writing its folder to the disk", syncFolder(filepath.Dir(m.to)))
}

func (m *copied) discard() {
	for _, end := range []string{"", walSuffix, "-shm", "-journal", ".lock"} {
		os.Remove(m.path + end)
	}
}

func syncFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	return file.Sync()
}

// filed is what went wrong with a file that is not the store, as a sentence.
func filed(path, doing string, err error) error {
	if doing == "" {
		return &failure{sentence: path + ": " + err.Error()}
	}
	return (&Store{path: path}).wrap(doing, err)
}
