package local

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// failure is an error that already says file, action and what to do.
type failure struct {
	sentence string
	advice   string // what to do, where another one may fit better
	kind     error  // a sentinel of the contract, or nil
	cause    error
}

func (f *failure) Error() string {
	if f.advice == "" {
		return f.sentence
	}
	return f.sentence + "; " + f.advice
}

func (f *failure) Unwrap() []error {
	var out []error
	for _, e := range []error{f.kind, f.cause} {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

const repair = "restore it from a backup with quarry restore FILE, or delete it and add the sources again"

func (s *Store) damaged(why string) error {
	return &failure{sentence: fmt.Sprintf("%s: %v: %s", s.path, store.ErrDamaged, why), advice: repair, kind: store.ErrDamaged}
}

// wrap turns what went wrong while doing something to the store into a sentence
// that says what to do, and keeps the cause for errors.Is. Nil stays nil.
func (s *Store) wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	var done *failure
	if errors.As(err, &done) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	say := func(kind error, format string, args ...any) error {
		return &failure{sentence: s.path + ": " + fmt.Sprintf(format, args...), kind: kind, cause: err}
	}
	code, whole := -1, -1
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		whole = lite.Code()
		code = whole & 0xff // the rest tells kinds of one error apart
	}
	var syntax *json.SyntaxError
	var types *json.UnmarshalTypeError
	switch {
	case code == sqlite3.SQLITE_NOTADB:
		return s.damaged("it is not a Quarry store")
	case code == sqlite3.SQLITE_CORRUPT, errors.Is(err, store.ErrDamaged),
		errors.As(err, &syntax), errors.As(err, &types), broken(err):
		return &failure{sentence: fmt.Sprintf("%s: %v (%s: %s)", s.path, store.ErrDamaged, doing, damageDetail(err)),
			advice: "quarry doctor says what is lost, or " + repair, kind: store.ErrDamaged, cause: err}
	case errors.Is(err, store.ErrInvalid), errors.Is(err, store.ErrModel), errors.Is(err, store.ErrBusy), errors.Is(err, store.ErrClosed), errors.Is(err, store.ErrNewer):
		return fmt.Errorf("%s: %w", s.path, err)
	case whole == sqlite3.SQLITE_IOERR_SHMSIZE: // SQLite does not say why it could not write its shared memory
		return say(nil, "the disk is full or failed (%s); free some space or check the disk, and run the command again", doing)
	case code == sqlite3.SQLITE_FULL, errors.Is(err, syscall.ENOSPC):
		return say(nil, "the disk is full (%s); free some space and run the command again", doing)
	case code == sqlite3.SQLITE_READONLY, errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return say(store.ErrReadOnly, "it may not be written or read by this user (%s); give access to the file and its folder, or name another store", doing)
	case code == sqlite3.SQLITE_CANTOPEN:
		return say(nil, "it cannot be opened (%s); give access to the file and its folder, or name another store", doing)
	case code == sqlite3.SQLITE_BUSY, code == sqlite3.SQLITE_LOCKED:
		return say(store.ErrBusy, "%v (%s); wait for it to end and run the command again", store.ErrBusy, doing)
	case code == sqlite3.SQLITE_IOERR:
		return say(nil, "reading or writing the disk failed (%s: %v); check the disk and run the command again", doing, err)
	case errors.Is(err, sql.ErrConnDone):
		return say(store.ErrClosed, "%v (%s)", store.ErrClosed, doing)
	}
	return say(nil, "%s failed: %v", doing, err)
}

// broken recognises values that cannot stand in the column they came from and
// tables that are gone: the mark of a page that holds other content than it did.
func broken(err error) bool {
	text := err.Error()
	return errors.Is(err, sql.ErrNoRows) || strings.Contains(text, "converting driver.Value type") ||
		strings.Contains(text, "converting NULL to") || strings.Contains(text, "unsupported Scan") ||
		strings.Contains(text, "malformed database schema") || strings.Contains(text, "unsupported file format") || strings.Contains(text, "no such table") ||
		strings.Contains(text, "no such column") || strings.Contains(text, "constraint failed")
}

// notFound is the one answer for what is not there and what may not be seen.
type notFound struct{ what string }

func (e notFound) Error() string { return fmt.Sprintf("%s: %v", e.what, document.ErrNotFound) }
func (e notFound) Unwrap() error { return document.ErrNotFound }

func asNotFound(err error) error {
	var e notFound
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// newer is a store.ErrNewer that says what to do.
func newer(version int) error {
	return fmt.Errorf("%w: its format is %d and this program reads up to %d; update quarry", store.ErrNewer, version, formatVersion)
}

// damageDetail is how damage shows, without the words that say that it is damage.
func damageDetail(err error) string {
	return strings.TrimPrefix(err.Error(), store.ErrDamaged.Error()+": ")
}
