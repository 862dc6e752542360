package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	testserver "github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/postgres"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// places gives stores schemas of one database, so that a store costs no database of its own.
type places struct {
	address, admin string
	mu             sync.Mutex
	made           int
	idle           []*lent
}

// lent is a store that the next test is given when one is over. Its rows are deleted then and
// what it counts goes on, as after any removal; making tables and connections takes longer
// than most tests.
type lent struct {
	*postgres.Store
	schema string
	clock  func() time.Time // of the test that has it
	t      *testing.T
	ended  bool // by a test; another process opens it again
}

func newPlaces(t testing.TB) *places {
	server := testserver.Shared(t)
	address := server.Database(t)
	config, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	p := &places{address: address, admin: server.Admin(config.Database)}
	t.Cleanup(func() {
		for _, l := range p.idle {
			l.Store.Close()
		}
	})
	return p
}

// schema names a new one.
func (p *places) schema() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made++
	return fmt.Sprintf("quarry %d", p.made) // that is to be quoted
}

func open(t testing.TB, address, schema, reader string, clock func() time.Time) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(context.Background(), address, postgres.Options{Clock: clock, Schema: schema, Reader: reader, Connections: 100})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// lend gives an empty store, one that was used before if there is one.
func (p *places) lend(t *testing.T, clock func() time.Time) *lent {
	t.Helper()
	p.mu.Lock()
	var l *lent
	if n := len(p.idle); n > 0 {
		l, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	p.mu.Unlock()
	if l == nil {
		l = &lent{schema: p.schema()}
		s, err := postgres.Open(context.Background(), p.address, postgres.Options{Clock: func() time.Time { return l.clock() }, Schema: l.schema, Connections: 100})
		if err != nil {
			t.Fatalf("Open: %v", err)
		}
		l.Store = s
	}
	l.t, l.clock = t, clock
	t.Cleanup(func() {
		if l.ended || t.Failed() {
			l.Store.Close()
			return
		}
		p.empty(t, l.schema)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.idle = append(p.idle, l)
	})
	return l
}

// Close ends the store where a test does so, and not where its cleanup does.
func (l *lent) Close() error {
	if l.t.Context().Err() != nil {
		return nil
	}
	l.ended = true
	return l.Store.Close()
}

// empty deletes every row, as who need not mind the order of the tables.
func (p *places) empty(t *testing.T, schema string) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, p.admin)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, statement := range []string{
		"SET session_replication_role = replica",
		"SET search_path = " + pgx.Identifier{schema}.Sanitize(),
		`DO $$ DECLARE name text; BEGIN
			FOR name IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relname <> 'meta'
				AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) LOOP
				IF starts_with(name, 'vector_') THEN EXECUTE format('DROP TABLE %I', name); ELSE EXECUTE format('DELETE FROM %I', name); END IF;
			END LOOP;
			UPDATE meta SET sequence = sequence + 1, newest_seen = 0;
		END $$`,
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
}

// factory makes stores, each in a schema of its own.
func factory(t *testing.T) storetest.Factory {
	in := newPlaces(t)
	again := func(t *testing.T, s store.Store, clock func() time.Time) store.Store {
		l, ok := s.(*lent)
		if !ok {
			l = s.(*reopened).from
		}
		l.ended = true
		return &reopened{open(t, in.address, l.schema, "", clock), l}
	}
	return storetest.Factory{
		Open: func(t *testing.T, clock func() time.Time) store.Store { return in.lend(t, clock) },
		Reopen: func(t *testing.T, s store.Store, clock func() time.Time) store.Store {
			if err := s.Close(); err != nil {
				t.Fatalf("Close: %v", err)
			}
			return again(t, s, clock)
		},
		// What a process that is killed leaves is what the server has: its connections
		// are still there for a while.
		Crash: again,
	}
}

// reopened is a store that was opened where another one was.
type reopened struct {
	*postgres.Store
	from *lent
}

func TestContract(t *testing.T) {
	t.Parallel() // its tests wait for the server, and the server for them
	storetest.Run(t, factory(t))
}
