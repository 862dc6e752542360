package local

import (
	"context"
	"database/sql"
	"errors"

	"github.com/seed-d3156d19/quarry/store"
)

// conn is a connection whose statements are prepared once, where it lives long
// enough for that to pay.
type conn struct {
	*sql.Conn
	prepared map[string]*sql.Stmt // nil: prepare nothing
}

func (c *conn) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if st, ok := c.prepared[query]; ok {
		return st, nil
	}
	st, err := c.PrepareContext(ctx, query)
	if err == nil {
		c.prepared[query] = st
	}
	return st, err
}

func (c *conn) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if c.prepared == nil {
		return c.ExecContext(ctx, query, args...)
	}
	st, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return st.ExecContext(ctx, args...)
}

func (c *conn) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if c.prepared == nil {
		return c.QueryContext(ctx, query, args...)
	}
	st, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(ctx, args...)
}

// get scans the only row of a query; found is false where there is none.
func (c *conn) get(ctx context.Context, query string, args []any, into ...any) (found bool, err error) {
	rows, err := c.query(ctx, query, args...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	if !rows.Next() {
		return false, rows.Err()
	}
	if err := rows.Scan(into...); err != nil {
		return false, err
	}
	return true, rows.Close()
}

// each calls fn for every row of a query, whose columns into receives.
func (c *conn) each(ctx context.Context, query string, args []any, into []any, fn func() error) error {
	rows, err := c.query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := fn(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// connect opens the connection that writes. The caller holds the right to write.
func (s *Store) connect(ctx context.Context) (*conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writer != nil {
		return s.writer, nil
	}
	db, err := s.pool(writePragmas)
	if err != nil {
		return nil, err
	}
	raw, err := db.Conn(ctx)
	if err != nil {
		db.Close()
		return nil, err
	}
	s.writeDB, s.writer = db, &conn{Conn: raw, prepared: map[string]*sql.Stmt{}}
	return s.writer, nil
}

func (s *Store) dropWriter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writer == nil {
		return
	}
	for _, st := range s.writer.prepared {
		st.Close()
	}
	s.writer.Close()
	s.writeDB.Close()
	s.writer, s.writeDB = nil, nil
}

// errNothing ends a write that found nothing to write.
var errNothing = errors.New("nothing to write")

// write runs fn in one transaction that no other writer can come between. An
// error of fn rolls it back; errNothing does so without being an error.
func (s *Store) write(ctx context.Context, doing string, fn func(c *conn) error) error {
	release, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	c, err := s.connect(ctx)
	if err != nil {
		return s.wrap(doing, err)
	}
	if _, err = c.exec(ctx, "BEGIN IMMEDIATE"); err == nil {
		if err = fn(c); err == nil {
			// From here on the outcome must be known: do not stop half-way.
			_, err = c.exec(context.WithoutCancel(ctx), "COMMIT")
		}
	}
	if err == nil {
		return nil
	}
	_, undone := c.exec(context.WithoutCancel(ctx), "ROLLBACK")
	if undone != nil || !(err == errNothing || errors.Is(err, store.ErrInvalid)) {
		s.dropWriter() // whatever state it is in, the next write begins afresh
	}
	if err == errNothing {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.wrap(doing, err)
}

// read runs fn on a connection that sees one commit throughout.
func (s *Store) reading(ctx context.Context, doing string, fn func(c *conn) error) error {
	p, err := s.pin(ctx)
	if err != nil {
		return err
	}
	defer p.release()
	err = fn(p.conn)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return s.wrap(doing, err)
}
