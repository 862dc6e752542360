// Package postgres starts real Postgres servers for tests, on a free port of the
// loopback, with data in a temporary folder and, where the tests run as root, as an
// unprivileged user. The programs are those in the folder QUARRY_POSTGRES_BIN, which
// ./scripts/test sets, or else those in PATH; without them tests are skipped and say so.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Roles of every server. The application's owns the databases and is bound by row-level
// security; the reader's owns nothing, and the application's is a member of it.
const (
	App    = "quarry_app"
	Reader = "quarry_reader"
)

const template = "quarry_template"

// settings let a server start fast and be killed: what is committed is with the system,
// which outlives the server, and need not be on the disk.
var settings = []string{"fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0", "max_wal_size=4GB", "checkpoint_timeout=30min",
	"max_connections=500", "max_locks_per_transaction=256", "jit=off", "listen_addresses=127.0.0.1", "unix_socket_directories=", "log_min_messages=warning"}

// Server is one server. Its methods may be called concurrently, but for Kill and Start.
type Server struct {
	bin, dir string
	settings []string
	port     int
	process  *process
	creating sync.Mutex // databases are copies of one, made one after the other
	made     atomic.Int64
}

var shared struct {
	sync.Mutex
	server  *Server
	allowed bool // Main will stop it
	failed  error
}

// Main runs the tests of a package, to be called by its TestMain, and stops the server
// that they shared.
func Main(m *testing.M) int {
	shared.allowed = true
	code := m.Run()
	shared.Lock()
	defer shared.Unlock()
	if shared.server != nil {
		shared.server.stop()
		os.RemoveAll(shared.server.dir)
	}
	return code
}

// Shared is the server that the tests of a package share; the first one starts it.
func Shared(t testing.TB) *Server {
	t.Helper()
	bin := programs(t)
	shared.Lock()
	defer shared.Unlock()
	switch {
	case !shared.allowed:
		t.Fatal("the package has no TestMain that calls postgres.Main, which stops the server")
	case shared.server == nil && shared.failed == nil:
		shared.server, shared.failed = create(bin, os.TempDir(), nil)
	}
	if shared.failed != nil {
		t.Fatal(shared.failed)
	}
	return shared.server
}

// New starts a server for one test, which may harm it, with its data below dir ("" is the
// folder of temporary files) and with settings of its own, such as "work_mem=1MB".
func New(t testing.TB, dir string, settings ...string) *Server {
	t.Helper()
	if dir == "" {
		dir = os.TempDir()
	}
	s, err := create(programs(t), dir, settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.stop()
		os.RemoveAll(s.dir)
	})
	return s
}

// programs is the folder of the programs; without one the test is skipped.
func programs(t testing.TB) string {
	t.Helper()
	if !supported {
		t.Skip("SKIPPED: a Postgres server for tests is started on Linux only")
	}
	if dir := os.Getenv("QUARRY_POSTGRES_BIN"); dir != "" {
		return dir
	}
	initdb, err := exec.LookPath("initdb")
	if err != nil {
		t.Skip("SKIPPED: there is no Postgres server: ./scripts/test gets one, or name the folder of its programs in QUARRY_POSTGRES_BIN")
	}
	var version int
	if out, err := exec.Command(initdb, "--version").Output(); err == nil {
		_, _ = fmt.Sscanf(string(out), "initdb (PostgreSQL) %d", &version)
	}
	if version < oldest {
		t.Skipf("SKIPPED: the Postgres server in PATH is older than %d: ./scripts/test gets one, or name the folder of its programs in QUARRY_POSTGRES_BIN", oldest)
	}
	return filepath.Dir(initdb)
}

// oldest is the version of Postgres that the tests ask of a server that they find: the first with the
// locale that sorts alike on every machine.
const oldest = 17

// create makes the data of a server and starts it.
func create(bin, parent string, more []string) (*Server, error) {
	s := &Server{bin: bin, settings: append(append([]string{}, settings...), more...)}
	var err error
	if s.dir, err = os.MkdirTemp(parent, "quarry-postgres-"); err != nil {
		return nil, err
	}
	if err := s.first(); err != nil {
		s.stop()
		os.RemoveAll(s.dir)
		return nil, err
	}
	return s, nil
}

// first makes the data, starts the server for the first time and makes what tests need.
func (s *Server) first() error {
	if err := give(s.dir); err != nil {
		return err
	}
	initdb := command(filepath.Join(s.bin, "initdb"), "-D", filepath.Join(s.dir, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8",
		"--locale=C.UTF-8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-sync", "--no-instructions")
	initdb.Dir = s.dir
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	if err := s.start(); err != nil {
		return err
	}
	return s.prepare()
}

// start starts the server and waits until it answers. At first somebody else may take the port that was
// free, and it gets another; later its address is known, and it waits until the port is free again, which a
// connection of somebody else to elsewhere may have been given.
func (s *Server) start() error {
	again := s.port != 0
	for range 50 {
		if s.port == 0 {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			s.port = l.Addr().(*net.TCPAddr).Port
			l.Close()
		}
		args := []string{"-D", filepath.Join(s.dir, "data"), "-p", fmt.Sprint(s.port)}
		for _, setting := range s.settings {
			args = append(args, "-c", setting)
		}
		var err error
		if s.process, err = launch(s.dir, filepath.Join(s.bin, "postgres"), args...); err != nil {
			return err
		}
		if err = s.answers(); err == nil {
			return nil
		}
		s.stop()
		switch {
		case !strings.Contains(err.Error(), "could not bind"):
			return err
		case again:
			time.Sleep(200 * time.Millisecond)
		default:
			s.port = 0
		}
	}
	return errors.New("no port stays free for the server")
}

// answers waits until the server takes connections.
func (s *Server) answers() error {
	deadline := time.Now().Add(time.Minute)
	for {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		conn, err := pgx.Connect(ctx, s.Admin("postgres"))
		if err == nil {
			err = conn.Close(ctx)
		}
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-s.process.ended:
			return fmt.Errorf("the server ended: %s", s.process.log())
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the server does not answer: %w\n%s", err, s.process.log())
		}
	}
}

// prepare makes the roles, and the database that all others are copies of: with the
// extension, which only a superuser may create.
func (s *Server) prepare() error {
	if err := s.execute("postgres", "CREATE ROLE "+Reader, "CREATE ROLE "+App+" LOGIN IN ROLE "+Reader, "CREATE DATABASE "+template+" OWNER "+App); err != nil {
		return err
	}
	return s.execute(template, "CREATE EXTENSION vector")
}

// execute runs statements as the superuser.
func (s *Server) execute(database string, statements ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.Admin(database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// Database makes an empty database with the extension, which is gone with the test, and
// gives its address for the application's role.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	return s.database(t, template, "pg_default")
}

// Bare is Database without the extension.
func (s *Server) Bare(t testing.TB) string {
	t.Helper()
	return s.database(t, "template0", "pg_default")
}

// DatabaseIn is Database with its tables in a folder, which may be a small file system.
func (s *Server) DatabaseIn(t testing.TB, dir string) string {
	t.Helper()
	if err := give(dir); err != nil {
		t.Fatal(err)
	}
	space := fmt.Sprintf("t%d", s.made.Add(1))
	if err := s.execute("postgres", "CREATE TABLESPACE "+space+" LOCATION '"+strings.ReplaceAll(dir, "'", "''")+"'"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.execute("postgres", "DROP TABLESPACE IF EXISTS "+space) })
	return s.database(t, template, space)
}

func (s *Server) database(t testing.TB, from, space string) string {
	t.Helper()
	name := fmt.Sprintf("q%d", s.made.Add(1))
	s.creating.Lock()
	err := s.execute("postgres", "CREATE DATABASE "+name+" TEMPLATE "+from+" OWNER "+App+" TABLESPACE "+space)
	s.creating.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// One that the test has ended takes its databases with it.
		_ = s.execute("postgres", "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	})
	return s.address(App, name)
}

// Asker is the address of a database that Database made for another role, which owns
// nothing and is a member of Reader.
func (s *Server) Asker(t testing.TB, address string) string {
	t.Helper()
	role := fmt.Sprintf("asker%d", s.made.Add(1))
	if err := s.execute("postgres", "CREATE ROLE "+role+" LOGIN IN ROLE "+Reader); err != nil {
		t.Fatal(err)
	}
	return strings.Replace(address, "://"+App+"@", "://"+role+"@", 1)
}

// Data is the folder with the server's data.
func (s *Server) Data() string { return filepath.Join(s.dir, "data") }

// Admin is the address of a database for the superuser.
func (s *Server) Admin(database string) string { return s.address("postgres", database) }

func (s *Server) address(role, database string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", role, s.port, database)
}

// Kill ends the server and all its processes at once, as a machine does that loses its
// power.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	if err := s.process.kill(); err != nil {
		t.Fatal(err)
	}
}

// Start starts it again, on the same port.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
}

func (s *Server) stop() {
	if s.process != nil {
		s.process.stop()
	}
}
