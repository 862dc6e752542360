package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// failure is an error that already says store, action and what to do.
type failure struct {
	sentence string
	kind     error // a sentinel of the contract, or nil
	cause    error
}

func (f *failure) Error() string { return f.sentence }

func (f *failure) Unwrap() []error {
	var out []error
	for _, e := range []error{f.kind, f.cause} {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

func (s *Store) damaged(why string) error {
	return &failure{kind: store.ErrDamaged, sentence: fmt.Sprintf("%s: %v: %s; restore the database from a backup, or drop schema %s and add the sources again", s.name, store.ErrDamaged, why, s.options.Schema)}
}

// wrap turns what went wrong while doing something to the store into a sentence
// that says what to do, and keeps the cause for errors.Is. Nil stays nil. Of what the server
// says it repeats only what holds no value of a row.
func (s *Store) wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	var done *failure
	if errors.As(err, &done) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, document.ErrNotFound) {
		return err
	}
	for _, kind := range []error{store.ErrInvalid, store.ErrModel, store.ErrBusy, store.ErrClosed, store.ErrNewer, store.ErrDamaged} {
		if errors.Is(err, kind) {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	say := func(kind error, format string, args ...any) error {
		return &failure{sentence: s.name + ": " + fmt.Sprintf(format, args...), kind: kind, cause: err}
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		var refused *pgconn.ConnectError
		if errors.As(err, &refused) {
			return say(nil, "the server cannot be reached (%s); start it, or correct the address", clip(refused.Unwrap()))
		}
		return say(nil, "the connection to the server broke (%s); run the command again once it answers", doing)
	}
	switch code := pg.Code; {
	case code == "55P03", code == "40001", code == "40P01": // lock timeout, serialization failure, deadlock
		return say(store.ErrBusy, "%v (%s); wait for it to end and run the command again", store.ErrBusy, doing)
	case code == "57014": // statement timeout, or cancelled by an administrator
		return say(nil, "%s took longer than a statement may; ask for less, or raise the time-out in the configuration", doing)
	case code == "53300", code == "53400":
		return say(store.ErrBusy, "the server takes no more connections (%s); allow more on the server, or fewer in the configuration", doing)
	case code == "53100":
		return say(nil, "the server's disk is full (%s); free some space and run the command again", doing)
	case strings.HasPrefix(code, "53"):
		return say(nil, "the server has not enough memory or disk (%s); give it more and run the command again", doing)
	case code == "42501", code == "25006":
		return say(store.ErrReadOnly, "this role may not do that (%s); give it the right to the tables of schema %s, or name another store", doing, s.options.Schema)
	case strings.HasPrefix(code, "28"):
		return say(nil, "the server refuses the role or its password; correct the address, or the server's pg_hba.conf")
	case code == "3D000":
		return say(nil, "there is no such database; make it with CREATE DATABASE, or correct the address")
	case strings.HasPrefix(code, "08"), strings.HasPrefix(code, "57"):
		return say(nil, "the server ended the connection (%s, SQLSTATE %s); run the command again once it answers", doing, code)
	case strings.HasPrefix(code, "XX"), strings.HasPrefix(code, "23"), code == "42P01", code == "42703":
		return &failure{kind: store.ErrDamaged, cause: err, sentence: s.damaged(fmt.Sprintf("%s met SQLSTATE %s in %s", doing, code, whereOf(pg))).Error()}
	}
	return say(nil, "%s failed with SQLSTATE %s in %s; the server's log says more", doing, pg.Code, whereOf(pg))
}

// whereOf names what an error is about, if the server says it.
func whereOf(pg *pgconn.PgError) string {
	switch {
	case pg.ConstraintName != "":
		return "constraint " + pg.ConstraintName
	case pg.TableName != "":
		return "table " + pg.TableName
	}
	return "the database"
}

// clip is the first line of an error.
func clip(err error) string {
	if err == nil {
		return "no reason given"
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// notFound is the one answer for what is not there and what may not be seen.
type notFound struct{ what string }

func (e notFound) Error() string { return fmt.Sprintf("%s: %v", e.what, document.ErrNotFound) }
func (e notFound) Unwrap() error { return document.ErrNotFound }
