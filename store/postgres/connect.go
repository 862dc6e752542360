package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-d3156d19/quarry/store"
)

// configure reads the address. The error of one that cannot be read does not repeat it, as
// a password may stand anywhere in it.
func (s *Store) configure(address string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, errors.New("the address of the Postgres store cannot be read: write postgres://USER@HOST:PORT/DATABASE, with special characters of a password as %XX")
	}
	c := config.ConnConfig
	s.name = fmt.Sprintf("postgres://%s@%s/%s", c.User, net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))), c.Database)
	config.MaxConns = int32(s.options.Connections)
	// A plan that was made for one scope may be a bad one for another: with
	// the cached plan of a large tenant a small one waits for its whole index to be read.
	c.RuntimeParams["plan_cache_mode"] = "force_custom_plan"
	c.RuntimeParams["random_page_cost"] = "1.1" // what is asked for again and again is in memory
	c.RuntimeParams["jit"] = "off"              // it takes longer to compile a question than to answer it
	c.RuntimeParams["statement_timeout"] = strconv.FormatInt(max(0, s.options.StatementTimeout).Milliseconds(), 10)
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "quarry"
	}
	// What the caller does not wait for any more is cancelled on the server, and the
	// connection goes on.
	c.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: 5 * time.Second}
	}
	return config, nil
}

// connectWait is how long the server may take to take a connection.
const connectWait = 10 * time.Second

// acquire takes a connection of the pool.
func (s *Store) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	if err := s.alive(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	wait := s.options.LockWait
	if s.pool.Stat().AcquiredConns() < s.pool.Config().MaxConns { // for the server, not for others
		wait = max(wait, connectWait)
	}
	bounded, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	conn, err := s.pool.Acquire(bounded)
	switch {
	case err == nil:
		return conn, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case s.closed.Load():
		return nil, s.alive()
	case errors.Is(err, context.DeadlineExceeded) && s.pool.Stat().AcquiredConns() < s.pool.Config().MaxConns:
		return nil, &failure{cause: err, sentence: fmt.Sprintf("%s: the server took no connection in %s; run the command again once it answers", s.name, wait)}
	case errors.Is(err, context.DeadlineExceeded):
		return nil, &failure{kind: store.ErrBusy, cause: err, sentence: fmt.Sprintf("%s: all %d connections are in use; allow more in the configuration, or ask less at once", s.name, s.options.Connections)}
	}
	return nil, s.wrap("connecting", err)
}

// reading runs fn in a transaction that sees one commit throughout.
func (s *Store) reading(ctx context.Context, doing string, fn func(tx pgx.Tx) error) error {
	conn, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	err = pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, fn)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return s.wrap(doing, err)
}
