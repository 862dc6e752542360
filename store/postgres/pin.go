package postgres

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-d3156d19/quarry/store"
)

// pin is a transaction that sees one commit, shared by a view and those that are narrowed
// from it.
type pin struct {
	store  *Store
	commit store.Commit
	models []storedModel // the one in force first
	conn   *pgxpool.Conn

	free  chan *pgxpool.Conn // holds the connection while nobody reads from it
	ended chan struct{}      // closed with the last view

	mu   sync.Mutex
	refs int // views that are open
}

func (s *Store) pin(conn *pgxpool.Conn) *pin {
	p := &pin{store: s, refs: 1, conn: conn, free: make(chan *pgxpool.Conn, 1), ended: make(chan struct{})}
	p.free <- conn
	return p
}

// take gives the connection to who reads from it alone until it is given back into free.
func (p *pin) take(ctx context.Context) (*pgxpool.Conn, error) {
	select {
	case conn := <-p.free:
		return conn, nil
	case <-p.ended:
		return nil, fmt.Errorf("this view of %s: %w", p.store.name, store.ErrClosed)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// share takes one more view of the pin, if it is still open.
func (p *pin) share() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refs == 0 {
		return false
	}
	p.refs++
	return true
}

// release ends the transaction with the last view, once nobody reads in it.
func (p *pin) release() {
	p.mu.Lock()
	p.refs--
	last := p.refs == 0
	p.mu.Unlock()
	if !last {
		return
	}
	close(p.ended)
	conn := <-p.free
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn.Exec(ctx, "ROLLBACK") // a connection for which that fails is not used again
	conn.Release()
}

// reading is the connection of a pin while one caller uses it. It is a querier.
type reading struct {
	*pin
	conn *pgxpool.Conn
}

func (r *reading) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return r.conn.Query(ctx, sql, args...)
}

func (r *reading) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return r.conn.QueryRow(ctx, sql, args...)
}

func (r *reading) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return r.conn.SendBatch(ctx, b)
}

// apart runs what needs no connection, while others may use it.
func (r *reading) apart(ctx context.Context, fn func() error) error {
	r.free <- r.conn
	r.conn = nil
	runtime.Gosched() // who waited for the connection asks the server before this goes on
	if err := fn(); err != nil {
		return err
	}
	var err error
	r.conn, err = r.take(ctx)
	return err
}

// end gives the connection back, able to go on.
func (r *reading) end(ctx context.Context) {
	if r.conn == nil {
		return
	}
	if r.conn.Conn().PgConn().TxStatus() == 'E' {
		r.conn.Exec(context.WithoutCancel(ctx), rollbackTo)
	}
	r.free <- r.conn
}
