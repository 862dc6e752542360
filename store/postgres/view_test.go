package postgres

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	testserver "github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/store"
)

func openFor(t *testing.T, opts Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), testserver.Shared(t).Database(t), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func viewOf(t *testing.T, s *Store) *view {
	t.Helper()
	v, err := s.View(context.Background(), document.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v.(*view)
}

// sleep has the server work for a view for as long as it is let.
func sleep(ctx context.Context, v *view) error {
	return v.reads(ctx, "asking", func(q *reading) error {
		return q.QueryRow(ctx, "SELECT pg_sleep(30)::text").Scan(new(string))
	})
}

// A question that nobody waits for is cancelled on the server, and the view goes on.
func TestCancelled(t *testing.T) {
	t.Parallel()
	s := openFor(t, Options{Connections: 2})
	v := viewOf(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	asked := make(chan error)
	go func() { asked <- sleep(ctx, v) }()
	at := viewOf(t, s)
	working := func() (n int) {
		if err := at.conn.QueryRow(context.Background(), "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for working() == 0 {
	}
	cancel()
	if err := <-asked; !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	if working() > 0 {
		t.Error("the server is still at work")
	}
	if _, err := v.Documents(context.Background()); err != nil {
		t.Errorf("the view is of no use any more: %v", err)
	}
}

// A statement that takes too long is ended by the server, and the view goes on.
func TestStatementTimeout(t *testing.T) {
	t.Parallel()
	s := openFor(t, Options{StatementTimeout: time.Second})
	v := viewOf(t, s)
	if err := sleep(context.Background(), v); err == nil || !strings.Contains(err.Error(), "raise the time-out") {
		t.Errorf("it ends with %v", err)
	}
	if _, err := v.Documents(context.Background()); err != nil {
		t.Errorf("the view is of no use any more: %v", err)
	}
	// What writes is not bound by it: a large change takes as long as it takes.
	if err := s.write(context.Background(), "writing", func(tx pgx.Tx, _ *counters) error {
		_, err := tx.Exec(context.Background(), "SELECT pg_sleep(0.05)")
		return err
	}); err != nil {
		t.Errorf("a write ends with %v", err)
	}
}

// Views that are open hold a connection each, but for those narrowed from one; who finds none
// is told so, and the next one finds what was given back.
func TestConnectionsInUse(t *testing.T) {
	t.Parallel()
	s := openFor(t, Options{Connections: 1})
	v := viewOf(t, s)
	s.options.LockWait = 20 * time.Millisecond
	narrow, err := v.Restrict(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.View(context.Background(), document.Scope{}); !errors.Is(err, store.ErrBusy) || !strings.Contains(err.Error(), "all 1 connections") {
		t.Errorf("a second view: %v", err)
	}
	v.Close()
	if _, err := s.Models(context.Background()); !errors.Is(err, store.ErrBusy) {
		t.Errorf("while the narrowed one is open: %v", err)
	}
	narrow.Close()
	s.options.LockWait = 10 * time.Second
	if _, err := s.Models(context.Background()); err != nil {
		t.Errorf("once it is closed: %v", err)
	}
}

// A store that is closed while a view is open lets it end.
func TestClosedBeforeItsView(t *testing.T) {
	s := openFor(t, Options{})
	v := viewOf(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Documents(context.Background()); err != nil {
		t.Errorf("the view: %v", err)
	}
	if _, err := s.View(context.Background(), document.Scope{}); !errors.Is(err, store.ErrClosed) {
		t.Errorf("another view: %v", err)
	}
}
