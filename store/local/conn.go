package local

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/seed-d3156d19/quarry/store"
)

// conn is a connection whose statements are prepared once.
type conn struct {
	*sql.Conn
	prepared map[string]*sql.Stmt
	piece    []byte                        // scratch of insertPart
	builder  *builder                      // that is not in use; see newBuilder
	holding  map[string]map[int64]*holders // by column and segment
}

func newConn(raw *sql.Conn) *conn {
	return &conn{Conn: raw, prepared: map[string]*sql.Stmt{}, holding: map[string]map[int64]*holders{}}
}

func (c *conn) close() {
	for _, st := range c.prepared {
		st.Close()
	}
	c.Close()
}

// idleConns is how many connections that read are kept for later views; each view
// holds one while it is open.
const idleConns = 8

func (s *Store) borrow(ctx context.Context) (*conn, error) {
	s.mu.Lock()
	if n := len(s.idle); n > 0 {
		c := s.idle[n-1]
		s.idle = s.idle[:n-1]
		s.mu.Unlock()
		return c, nil
	}
	s.mu.Unlock()
	raw, err := s.read.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return newConn(raw), nil
}

func (s *Store) giveBack(c *conn, whole bool) {
	s.mu.Lock()
	keep := whole && len(s.idle) < idleConns && !s.closed.Load()
	if keep {
		s.idle = append(s.idle, c)
	}
	s.mu.Unlock()
	if !keep {
		c.close()
	}
}

func (s *Store) dropIdle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.idle {
		c.close()
	}
	s.idle = nil
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
	st, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return st.ExecContext(ctx, args...)
}

func (c *conn) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
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
		return false, marked(err)
	}
	defer rows.Close()
	if !rows.Next() {
		return false, marked(rows.Err())
	}
	if err := rows.Scan(into...); err != nil {
		return false, err
	}
	return true, marked(rows.Close())
}

// each calls fn for every row of a query, whose columns into receives.
func (c *conn) each(ctx context.Context, query string, args []any, into []any, fn func() error) error {
	rows, err := c.query(ctx, query, args...)
	if err != nil {
		return marked(err)
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
	return marked(rows.Err())
}

// marked says of a page that SQLite cannot use what a checksum says of a value: what
// is derived is then made again.
func marked(err error) error {
	var lite *sqlite.Error
	if errors.As(err, &lite) && lite.Code()&0xff == sqlite3.SQLITE_CORRUPT {
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	}
	return err
}

func (s *Store) dropWriter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writer == nil {
		return
	}
	s.writer.close()
	s.writeDB.Close()
	s.writer, s.writeDB, s.log = nil, nil, nil
}
