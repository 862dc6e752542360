package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	testserver "github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/postgres"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

func openAt(t *testing.T, address string, opts postgres.Options) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), address, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func connect(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func execute(t *testing.T, conn *pgx.Conn, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// nameOf is the database of an address.
func nameOf(t *testing.T, address string) string {
	t.Helper()
	config, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	return config.Database
}

// sentence checks that an error is one that a person can act on.
func sentence(t *testing.T, err error, says ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	if text := err.Error(); strings.Contains(text, "\n") || !strings.HasPrefix(text, "postgres://"+testserver.App+"@") {
		t.Errorf("%q is no sentence that begins with the store's name", text)
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%q does not say %q", err, s)
		}
	}
}

// between checks that a store is at a generation from done to begun, whole, and that
// the next change brings it on; it returns where it was.
func between(t *testing.T, s store.Store, done, begun int) int {
	t.Helper()
	n, err := storetest.GenerationOf(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if n < done || n > begun {
		t.Fatalf("the store is at generation %d; done was %d, begun %d", n, done, begun)
	}
	return n
}

// A server that is killed in the middle of changes has the old state or the new one when
// it comes back, every change that was reported as done, and the next change goes on.
func TestKilledServer(t *testing.T) {
	kills := 2
	if os.Getenv("QUARRY_LONG") != "" {
		kills = 40
	}
	server := testserver.New(t, "")
	address := server.Database(t)
	rnd := rand.New(rand.NewPCG(3, 3))
	done := 0
	for range kills {
		s := openAt(t, address, postgres.Options{LockWait: time.Second})
		begun := done
		first := make(chan struct{})
		var failed error
		var group sync.WaitGroup
		group.Go(func() {
			for tell := sync.OnceFunc(func() { close(first) }); failed == nil; tell() {
				begun++
				if _, failed = s.Apply(context.Background(), storetest.Generation(begun)); failed == nil {
					done = begun
				}
			}
		})
		<-first
		<-time.After(time.Duration(rnd.IntN(60_000)) * time.Microsecond) // somewhere within a change
		server.Kill(t)
		group.Wait()
		sentence(t, failed)
		s.Close()
		server.Start(t)
		again := openAt(t, address, postgres.Options{})
		done = between(t, again, done, begun)
		again.Close()
	}
	t.Logf("%d kills over %d generations", kills, done)
	if done < kills {
		t.Error("the changes did not go on")
	}
}

// Connections that are cut in the middle of changes leave the old state or the new one,
// and the same store goes on with others.
func TestCutConnections(t *testing.T) {
	server := testserver.Shared(t)
	address := server.Database(t)
	s := openAt(t, address, postgres.Options{})
	admin := connect(t, server.Admin(nameOf(t, address)))
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			// One that is in a change, when there is one.
			_, _ = admin.Exec(context.Background(), `SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
				WHERE usename = $1 AND datname = current_database() AND state <> 'idle' AND random() < 0.2`, testserver.App)
		}
	})
	done, cuts := 0, 0
	for n := 1; cuts < 6 && n < 3000; n++ {
		_, err := s.Apply(t.Context(), storetest.Generation(done+1))
		if err == nil {
			done++
			continue
		}
		cuts++
		sentence(t, err, "run the command again")
		// Where it is, unless that is cut too.
		if at, err := storetest.GenerationOf(t.Context(), s); err == nil {
			if at < done || at > done+1 {
				t.Fatalf("the store is at generation %d; done was %d", at, done)
			}
			done = at
		}
	}
	close(stop)
	group.Wait()
	if cuts < 6 {
		t.Errorf("%d changes were cut", cuts)
	}
	// What the pool holds may be cut still.
	for range 20 {
		if _, err := s.Apply(t.Context(), storetest.Generation(done+1)); err == nil {
			break
		}
	}
	between(t, s, done+1, done+1)
	t.Logf("%d cuts over %d generations", cuts, done)
}

// A change that the server ends because of a deadlock is tried again.
func TestDeadlock(t *testing.T) {
	server := testserver.Shared(t)
	address := server.Database(t)
	s := openAt(t, address, postgres.Options{Schema: "kept", LockWait: 20 * time.Second})
	apply(t, s, 1)
	other, watch := connect(t, address), connect(t, address)
	execute(t, other, "SET search_path = kept")
	n := 1
	for undone := false; !undone; {
		if n++; n > 6 {
			t.Fatal("the server never undid the change")
		}
		execute(t, other, "BEGIN", "LOCK TABLE occurrence IN SHARE MODE")
		ended := make(chan error, 1)
		go func() {
			_, err := s.Apply(context.Background(), storetest.Generation(n))
			ended <- err
		}()
		waitsFor(t, watch, "kept.occurrence", ended)
		// The change holds the row of meta and waits for the table: who now waits for the row
		// closes the ring. The server undoes the one that has waited longer, mostly the change;
		// the other then gets the row.
		_, err := other.Exec(t.Context(), "SELECT FROM meta FOR UPDATE")
		undone = err == nil
		execute(t, other, "ROLLBACK")
		if err := <-ended; err != nil {
			t.Errorf("a change that met a deadlock: %v", err)
		}
		between(t, s, n, n)
	}
}

// A change that waits too long for somebody else says so and has changed nothing.
func TestBusy(t *testing.T) {
	server := testserver.Shared(t)
	address := server.Database(t)
	s := openAt(t, address, postgres.Options{LockWait: 50 * time.Millisecond})
	apply(t, s, 1)
	other := connect(t, address)
	execute(t, other, "BEGIN", "SELECT FROM quarry.meta FOR UPDATE")
	_, err := s.Apply(t.Context(), storetest.Generation(2))
	sentence(t, err, "wait for it to end")
	if !errors.Is(err, store.ErrBusy) {
		t.Errorf("%v is not ErrBusy", err)
	}
	if commit, err := s.Apply(t.Context(), storetest.Generation(1)); err != nil || commit.Changed {
		t.Errorf("a change that changes nothing waits: %v, %v", commit, err)
	}
	between(t, s, 1, 1)
	execute(t, other, "ROLLBACK")
	apply(t, s, 2)
	between(t, s, 2, 2)
}

func apply(t *testing.T, s store.Store, n int) {
	t.Helper()
	if _, err := s.Apply(t.Context(), storetest.Generation(n)); err != nil {
		t.Fatal(err)
	}
}

// waitsFor returns once somebody waits for a table.
func waitsFor(t *testing.T, watch *pgx.Conn, table string, ended chan error) {
	t.Helper()
	for range 5000 {
		var n int
		if err := watch.QueryRow(t.Context(), "SELECT count(*) FROM pg_locks WHERE relation = $1::regclass AND NOT granted", table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			return
		}
		select {
		case err := <-ended:
			t.Fatalf("the change did not wait: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	t.Fatal("nobody waits")
}

// A migration that fails at whichever of its statements leaves nothing behind, and the
// next one makes the tables.
func TestInterruptedMigration(t *testing.T) {
	server := testserver.Shared(t)
	address := server.Database(t)
	admin := connect(t, server.Admin(nameOf(t, address)))
	execute(t, admin, "CREATE SEQUENCE public.statements", "GRANT USAGE ON SEQUENCE public.statements TO "+testserver.App,
		"CREATE TABLE public.fault (at bigint)", "INSERT INTO public.fault VALUES (1)", "GRANT SELECT ON public.fault TO "+testserver.App,
		`CREATE FUNCTION public.stumble() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
			IF nextval('public.statements') = (SELECT at FROM public.fault) THEN RAISE EXCEPTION 'stumbled' USING ERRCODE = '57P01'; END IF; END $$`,
		"CREATE EVENT TRIGGER stumble ON ddl_command_end EXECUTE FUNCTION public.stumble()")
	step := 25
	if os.Getenv("QUARRY_LONG") != "" {
		step = 1
	}
	faults := 0
	for at := 1; ; at += step {
		if _, err := admin.Exec(t.Context(), "UPDATE public.fault SET at = $1", at); err != nil {
			t.Fatal(err)
		}
		execute(t, admin, "SELECT setval('public.statements', 1, false)")
		s, err := postgres.Open(t.Context(), address, postgres.Options{})
		if err == nil {
			s.Close()
			break
		}
		faults++
		sentence(t, err, "run the command again")
		var left int
		if err := admin.QueryRow(t.Context(), "SELECT count(*) FROM pg_namespace WHERE nspname = 'quarry'").Scan(&left); err != nil {
			t.Fatal(err)
		}
		if left != 0 {
			t.Fatalf("statement %d failed and a part of the tables is there", at)
		}
	}
	if faults < 2 {
		t.Errorf("%d statements failed", faults)
	}
	execute(t, admin, "DROP EVENT TRIGGER stumble")
	s := openAt(t, address, postgres.Options{})
	apply(t, s, 1)
	between(t, s, 1, 1)
	t.Logf("%d statements failed", faults)
}

// Several processes that open a database at once make its tables once; one of an older
// version refuses what a newer one has made, also when that is done behind its back.
func TestOpenedAtOnce(t *testing.T) {
	server := testserver.Shared(t)
	address := server.Database(t)
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			s, err := postgres.Open(t.Context(), address, postgres.Options{Connections: 2})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := s.Apply(t.Context(), storetest.Generation(1)); err != nil {
				t.Error(err)
			}
			s.Close()
		})
	}
	group.Wait()
	s := openAt(t, address, postgres.Options{})
	between(t, s, 1, 1)
	execute(t, connect(t, address), "UPDATE quarry.meta SET format = format + 1")
	_, err := s.Apply(t.Context(), storetest.Generation(2))
	sentence(t, err, "update quarry")
	if !errors.Is(err, store.ErrNewer) {
		t.Errorf("%v is not ErrNewer", err)
	}
	_, err = postgres.Open(t.Context(), address, postgres.Options{})
	sentence(t, err, "update quarry")
	if !errors.Is(err, store.ErrNewer) {
		t.Errorf("%v is not ErrNewer", err)
	}
}

// What an administrator must do first is said in a sentence, and no password is in it.
func TestRefused(t *testing.T) {
	server := testserver.Shared(t)
	bare, made := server.Bare(t), server.Database(t)
	config, err := pgx.ParseConfig(made)
	if err != nil {
		t.Fatal(err)
	}
	host := fmt.Sprintf("@127.0.0.1:%d/", config.Port)
	for _, c := range []struct{ name, address, says string }{
		{"no extension", bare, "CREATE EXTENSION vector"},
		{"no such database", "postgres://quarry_app:geheim" + host + "nothing?sslmode=disable", "no such database"},
		{"no such role", "postgres://nobody:geheim" + host + config.Database + "?sslmode=disable", "role"},
		{"no server", "postgres://quarry_app:geheim@127.0.0.1:1/x?sslmode=disable", "cannot be reached"},
		{"no address", "postgres://quarry_app:geheim@[::1/x", "cannot be read"},
		{"a wrong port", "postgres://quarry_app:geheim@127.0.0.1:geheim/x", "cannot be read"},
	} {
		_, err := postgres.Open(t.Context(), c.address, postgres.Options{})
		if err == nil {
			t.Errorf("%s: it is opened", c.name)
			continue
		}
		if text := err.Error(); !strings.Contains(text, c.says) || strings.Contains(fmt.Sprintf("%+v", err), "geheim") || strings.Contains(text, "\n") {
			t.Errorf("%s: it says %q, want a sentence with %q", c.name, text, c.says)
		}
	}
	_, err = postgres.Open(t.Context(), made, postgres.Options{Existing: true})
	sentence(t, err, "quarry add")
	if !errors.Is(err, store.ErrNoStore) {
		t.Errorf("%v is not ErrNoStore", err)
	}
}
