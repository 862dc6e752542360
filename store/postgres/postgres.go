// Package postgres is the store in one Postgres database with the extension pgvector:
// Catalog and Index of the store contract, exact profile.
//
// The record stands in tables that a person can read (see migrations), the index beside it
// in those of package lanes, and a change writes both in one transaction. Writers follow
// each other: each holds the row of table meta until it commits. A view is one transaction
// that sees one commit (REPEATABLE READ, READ ONLY) on a connection of its own; it waits for
// nobody. Which revisions a scope sees is one relation (see scope.go), which is part of every
// statement that reads for a question.
//
// Several processes may use one database. Row-level security is a second lock on tenants
// (see security.sql).
package postgres

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/postgres/internal/lanes"
)

// Options of a store in Postgres.
type Options struct {
	// BM25 are the parameters of the keyword and outline lanes; the zero value
	// means store.DefaultBM25.
	BM25 store.BM25
	// Clock tells what day today is and when leases end; nil means time.Now.
	Clock func() time.Time
	// LockWait is how long a write waits for another writer, and anything for a free
	// connection, before it gives store.ErrBusy; 0 means 10 s.
	LockWait time.Duration
	// Existing is for those who only read: where there is no store, none is made
	// and Open gives store.ErrNoStore.
	Existing bool
	// Schema is where the tables are; "" means "quarry".
	Schema string
	// Connections is how many the pool holds at most; each view that is open takes one.
	// 0 means 8.
	Connections int
	// StatementTimeout is how long a statement that reads may take; 0 means 60 s, and less
	// than that no bound.
	StatementTimeout time.Duration
	// Reader is a role that views run under, of which the connection's own is a member: one
	// that does not own the tables and cannot bypass row-level security. "" is none.
	Reader string
}

func (o *Options) ensureDefaults() {
	if o.BM25 == (store.BM25{}) {
		o.BM25 = store.DefaultBM25
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.LockWait == 0 {
		o.LockWait = 10 * time.Second
	}
	if o.Schema == "" {
		o.Schema = "quarry"
	}
	if o.Connections == 0 {
		o.Connections = 8
	}
	if o.StatementTimeout == 0 {
		o.StatementTimeout = time.Minute
	}
}

// Store implements store.Store. Its methods may be called concurrently.
type Store struct {
	options Options
	name    string // the address without its password
	pool    *pgxpool.Pool
	index   *lanes.Index
	classes classes
	answers answers
	closed  atomic.Bool
	// embedded is what MissingVectors knows from the last time.
	embedded progress
}

var _ store.Store = (*Store)(nil)

// Open opens the store in the database at an address such as
// postgres://user@host:5432/database, and makes or migrates its tables.
//
// Errors are one sentence that says what to do and never hold the password of the address;
// errors.Is tells store.ErrNewer (written by a newer version) and, with Options.Existing,
// store.ErrNoStore apart.
func Open(ctx context.Context, address string, opts Options) (*Store, error) {
	opts.ensureDefaults()
	s := &Store{options: opts}
	config, err := s.configure(address)
	if err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, config); err != nil {
		return nil, err
	}
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, s.wrap("opening", err)
	}
	s.index = lanes.New(opts.BM25)
	return s, nil
}

// Close closes the store. Views that are still open keep working until they are
// closed; everything else gives store.ErrClosed.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	if s.pool.Stat().AcquiredConns() > 0 {
		go s.pool.Close() // waits for the views
		return nil
	}
	s.pool.Close()
	return nil
}

func (s *Store) alive() error {
	if s.closed.Load() {
		return fmt.Errorf("%s: %w", s.name, store.ErrClosed)
	}
	return nil
}
