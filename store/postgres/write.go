package postgres

import (
	"context"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/seed-d3156d19/quarry/store/postgres/internal/lanes"
)

// querier is a transaction that is read.
type querier = lanes.Querier

// errNothing ends a write that found nothing to write.
var errNothing = errors.New("nothing to write")

// attempts bounds how often a write is tried that the server ended for no fault of its own:
// a deadlock with somebody who holds the store's tables, or a serialization failure.
const attempts = 4

// counters is the row of table meta, which a writer holds.
type counters struct {
	sequence                                 int64
	documents, revisions, sections, passages int64
}

// write runs fn in one transaction that no other writer can come between. An error of
// fn rolls it back; errNothing does so without being an error. fn may run more than once.
func (s *Store) write(ctx context.Context, doing string, fn func(tx pgx.Tx, at *counters) error) error {
	conn, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	for attempt := 1; ; attempt++ {
		err = s.attempt(ctx, conn, fn)
		if attempt == attempts || ctx.Err() != nil || !transient(err) {
			break
		}
	}
	switch {
	case err == nil, err == errNothing:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return s.wrap(doing, err)
}

// beginner is a connection.
type beginner interface {
	BeginTx(context.Context, pgx.TxOptions) (pgx.Tx, error)
}

func (s *Store) attempt(ctx context.Context, conn beginner, fn func(tx pgx.Tx, at *counters) error) error {
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return err
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) // nothing after a commit
	wait := strconv.FormatInt(max(1, s.options.LockWait.Milliseconds()), 10)
	if _, err := tx.Exec(ctx, "SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', '0', true)", wait); err != nil {
		return err
	}
	var at counters
	var format int
	if err := tx.QueryRow(ctx, "SELECT format, sequence, documents, revisions, sections, passages FROM meta FOR UPDATE").
		Scan(&format, &at.sequence, &at.documents, &at.revisions, &at.sections, &at.passages); err != nil {
		return err
	}
	if format > len(migrations) { // since this process opened it
		return s.newer(format)
	}
	before := at
	if err := fn(tx, &at); err != nil {
		return err
	}
	if at != before {
		if _, err := tx.Exec(ctx, `UPDATE meta SET sequence = $1, documents = $2, revisions = $3, sections = $4, passages = $5,
			newest_seen = coalesce((SELECT seen_day FROM revision ORDER BY id DESC LIMIT 1), 0)`,
			at.sequence, at.documents, at.revisions, at.sections, at.passages); err != nil {
			return err
		}
	}
	// From here on the outcome must be known: do not stop half-way.
	return tx.Commit(context.WithoutCancel(ctx))
}

// transient reports whether the server undid a transaction that may succeed as it is.
func transient(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}
