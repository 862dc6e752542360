package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// What the server says is told apart as the contract wants it, and nothing of a row or of the
// address's password is repeated.
func TestErrors(t *testing.T) {
	s := &Store{name: "postgres://app@host:5432/db", options: Options{Schema: "quarry"}}
	kinds := []error{store.ErrBusy, store.ErrInvalid, store.ErrModel, store.ErrNewer, store.ErrClosed, store.ErrReadOnly, store.ErrDamaged, document.ErrNotFound}
	for _, c := range []struct {
		err  error
		kind error
		says string
	}{
		{&pgconn.PgError{Code: "55P03"}, store.ErrBusy, "wait for it to end"},
		{&pgconn.PgError{Code: "40P01"}, store.ErrBusy, "wait for it to end"},
		{&pgconn.PgError{Code: "53300"}, store.ErrBusy, "allow more on the server"},
		{&pgconn.PgError{Code: "57014"}, nil, "raise the time-out"},
		{&pgconn.PgError{Code: "57P01"}, nil, "run the command again"},
		{&pgconn.PgError{Code: "53100"}, nil, "free some space"},
		{&pgconn.PgError{Code: "42501"}, store.ErrReadOnly, "give it the right"},
		{&pgconn.PgError{Code: "25006"}, store.ErrReadOnly, "give it the right"},
		{&pgconn.PgError{Code: "28P01"}, nil, "correct the address"},
		{&pgconn.PgError{Code: "3D000"}, nil, "CREATE DATABASE"},
		{&pgconn.PgError{Code: "XX001", TableName: "passage"}, store.ErrDamaged, "table passage"},
		{&pgconn.PgError{Code: "22P02"}, nil, "the server's log says more"},
		{io.ErrUnexpectedEOF, nil, "run the command again"},
		{fmt.Errorf("%w: of three dimensions", store.ErrModel), store.ErrModel, "of three dimensions"},
		{s.newer(9), store.ErrNewer, "update quarry"},
		{s.damaged("it has lost its commits"), store.ErrDamaged, "restore the database"},
		{notFound{"document docs:a"}, document.ErrNotFound, "document docs:a"},
	} {
		var pg *pgconn.PgError
		if errors.As(c.err, &pg) {
			pg.Message, pg.Detail, pg.Hint, pg.Where = "secret salary", "secret salary", "secret salary", "secret salary"
		}
		got := s.wrap("applying a change", c.err)
		for _, kind := range kinds {
			if errors.Is(got, kind) != (kind == c.kind) {
				t.Errorf("%v is of kind %v: %v", got, kind, kind != c.kind)
			}
		}
		if !strings.Contains(got.Error(), c.says) || strings.Contains(got.Error(), "secret") || strings.Contains(got.Error(), "\n") {
			t.Errorf("%v, want one sentence that says %q", got, c.says)
		}
		if again := s.wrap("opening", got); again.Error() != got.Error() && errors.As(got, new(*failure)) {
			t.Errorf("wrapped twice it is %v", again)
		}
	}
	if err := s.wrap("asking", context.Canceled); err != context.Canceled {
		t.Errorf("a context that ended is %v", err)
	}
}

// An address that cannot be read, or that nobody answers at, is told without its password.
func TestAddresses(t *testing.T) {
	for _, address := range []string{
		"postgres://app:hunter2@%zz/db", "postgres://app:hunter2@host:port/db", "postgres://app:hunter2@host/db?sslmode=hunter2", "host=hunter2 port=x",
		"postgres://app:hunter2@127.0.0.1:1/db", "postgres://app:hunter2@/db?host=/nowhere/hunter",
	} {
		_, err := Open(context.Background(), address, Options{})
		if err == nil || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v", err)
		}
	}
}
