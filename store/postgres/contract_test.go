package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	testserver "github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/postgres"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// opened is a store with where it is.
type opened struct {
	*postgres.Store
	schema string
}

var schemas atomic.Int64

func open(t testing.TB, address, schema string, clock func() time.Time) opened {
	t.Helper()
	return openUnder(t, address, schema, "", clock)
}

// openUnder opens a store whose views are bound by row-level security, if a role is named.
func openUnder(t testing.TB, address, schema, reader string, clock func() time.Time) opened {
	t.Helper()
	s, err := postgres.Open(context.Background(), address, postgres.Options{Clock: clock, Schema: schema, Reader: reader, Connections: 100})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { s.Close() })
	return opened{s, schema}
}

// places gives stores schemas of one database. A schema is emptied after its test and given
// again: most tests are over in less time than it takes to make the tables.
type places struct {
	address, admin string
	mu             sync.Mutex
	free           []string
}

func newPlaces(t testing.TB) *places {
	server := testserver.Shared(t)
	address := server.Database(t)
	config, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	return &places{address: address, admin: server.Admin(config.Database)}
}

func (p *places) schema(t testing.TB) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	name := fmt.Sprintf("quarry %d", schemas.Add(1)) // that is to be quoted
	if n := len(p.free); n > 0 {
		name, p.free = p.free[n-1], p.free[:n-1]
	}
	t.Cleanup(func() {
		if !t.Failed() {
			p.empty(t, name)
		}
	})
	return name
}

// empty deletes every row, as who need not mind the order of the tables.
func (p *places) empty(t testing.TB, schema string) {
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
			UPDATE meta SET sequence = 0, newest_seen = 0, documents = 0, revisions = 0, sections = 0, passages = 0;
		END $$`,
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, schema)
}

// factory makes stores, each in a schema of its own.
func factory(t *testing.T) storetest.Factory {
	in := newPlaces(t)
	return storetest.Factory{
		Open: func(t *testing.T, clock func() time.Time) store.Store {
			return open(t, in.address, in.schema(t), clock)
		},
		Reopen: func(t *testing.T, s store.Store, clock func() time.Time) store.Store {
			if err := s.Close(); err != nil {
				t.Fatalf("Close: %v", err)
			}
			return open(t, in.address, s.(opened).schema, clock)
		},
		// What a process that is killed leaves is what the server has: its connections
		// are still there for a while.
		Crash: func(t *testing.T, s store.Store, clock func() time.Time) store.Store {
			return open(t, in.address, s.(opened).schema, clock)
		},
	}
}

func TestContract(t *testing.T) { storetest.Run(t, factory(t)) }
