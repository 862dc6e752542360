package postgres

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
	"github.com/seed-d3156d19/quarry/store/postgres/internal/lanes"
)

// view implements store.View: a pinned commit, and a scope on a day.
type view struct {
	*pin
	scope    document.Scope
	day      document.Day
	today    document.Day
	compiled compiled
	closed   atomic.Bool
	// restricted: it is narrowed to places.
	restricted bool
	answers    *answer
	whole      *answer // of the view that it was narrowed from
	tallied    bool    // guarded by answers.mu
	read       lanes.Read
}

// A view's transaction does nothing but read, so one savepoint at its begin lets it go on
// after a statement that was cancelled or failed.
const (
	beginView  = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
	savepoint  = "SAVEPOINT asked"
	rollbackTo = "ROLLBACK TO SAVEPOINT asked"
)

// View implements store.Store, in one round trip.
func (s *Store) View(ctx context.Context, scope document.Scope) (store.View, error) {
	conn, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	v := &view{pin: s.pin(conn), scope: rules.CloneScope(scope)}
	if err := v.open(ctx, conn); err != nil {
		v.release()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, s.wrap("opening a view", err)
	}
	return v, nil
}

func (v *view) open(ctx context.Context, conn querier) error {
	s, tenant := v.store, clean(v.scope.Tenant)
	var seen document.Day
	var news []storedClass
	batch := &pgx.Batch{}
	batch.Queue(beginView)
	batch.Queue("SELECT set_config('quarry.tenant', 't:' || $1::text, true)", tenant)
	if s.options.Reader != "" {
		batch.Queue("SELECT set_config('role', $1, true)", s.options.Reader)
	}
	batch.Queue(savepoint)
	batch.Queue("SELECT sequence, newest_seen FROM meta").QueryRow(func(row pgx.Row) error {
		return row.Scan(&v.commit.Sequence, &seen)
	})
	batch.Queue("SELECT id, access FROM class WHERE tenant = $1 AND id > $2 ORDER BY id", tenant, s.classes.after(tenant)).Query(func(rows pgx.Rows) error {
		var c storedClass
		var text string
		_, err := pgx.ForEachRow(rows, []any{&c.id, &text}, func() error {
			err := c.read(text)
			news = append(news, c)
			return err
		})
		return err
	})
	batch.Queue(listModels).Query(func(rows pgx.Rows) (err error) {
		v.models, err = readModels(rows)
		return err
	})
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	v.today = store.Today(document.DayOf(s.options.Clock()), seen)
	if v.day = v.scope.AsOf; v.day == 0 {
		v.day = v.today
	}
	v.compile(s.classes.add(tenant, news))
	v.answers = s.answers.of(v.compiled.SeenKey)
	v.whole = v.answers
	return nil
}

// Commit implements store.View.
func (v *view) Commit() store.Commit { return v.commit }

// Day implements store.View.
func (v *view) Day() document.Day { return v.day }

// Close implements store.View.
func (v *view) Close() error {
	if !v.closed.Swap(true) {
		v.release()
	}
	return nil
}

func (v *view) alive() error {
	if v.closed.Load() {
		return fmt.Errorf("this view of %s: %w", v.store.name, store.ErrClosed)
	}
	return nil
}

// reads runs fn in a pinned transaction, which nobody else uses meanwhile.
func (v *view) reads(ctx context.Context, doing string, fn func(q *reading) error) error {
	if err := v.alive(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	conn, err := v.take(ctx)
	if err != nil {
		return err
	}
	r := &reading{pin: v.pin, conn: conn}
	err = fn(r)
	r.end(ctx)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case r.conn == nil: // the view was closed
		return err
	}
	return v.store.wrap(doing, err)
}

// args are those of the compiled scope with some more.
func (v *view) args(more pgx.NamedArgs) pgx.NamedArgs {
	for name, value := range v.compiled.Args {
		more[name] = value
	}
	return more
}

// asks reads all rows of a statement of a view, each scanned into targets.
func (v *view) asks(ctx context.Context, q querier, sql string, more pgx.NamedArgs, targets []any, fn func() error) error {
	return query(ctx, q, sql, []any{v.args(more)}, targets, fn)
}
