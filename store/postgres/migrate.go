package postgres

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/postgres/internal/lanes"
)

var (
	//go:embed migrations/0001_tables.sql
	tables string
	//go:embed security.sql
	security string
)

// migrations are the scripts that bring the tables from one format to the next; the format
// is how many there are. A script that was released is not changed any more.
var migrations = []string{tables + lanes.Schema}

// The oldest pgvector that finds enough under a filter (hnsw.iterative_scan).
const oldestVector = "0.8"

// prepare checks the extension and makes or migrates the tables, on a connection of its
// own, and has those of the pool find them.
func (s *Store) prepare(ctx context.Context, config *pgxpool.Config) error {
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return s.wrap("connecting", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	vectors, err := s.extension(ctx, conn)
	if err != nil {
		return err
	}
	path := pgx.Identifier{s.options.Schema}.Sanitize() + ", " + pgx.Identifier{vectors}.Sanitize()
	config.ConnConfig.RuntimeParams["search_path"] = path
	if _, err := conn.Exec(ctx, "SELECT set_config('search_path', $1, false)", path); err != nil {
		return s.wrap("opening", err)
	}
	format, err := s.format(ctx, conn)
	if err != nil {
		return err
	}
	switch {
	case format > len(migrations):
		return s.newer(format)
	case format == 0 && s.options.Existing:
		return &failure{kind: store.ErrNoStore, sentence: fmt.Sprintf("%s: %v in schema %s: index a folder with quarry add DIR, or name another store with --store", s.name, store.ErrNoStore, s.options.Schema)}
	case format < len(migrations):
		if err := s.migrate(ctx, conn); err != nil {
			return err
		}
	}
	return s.admitReader(ctx, conn)
}

func (s *Store) newer(format int) error {
	return fmt.Errorf("%s: %w: its format is %d and this program reads up to %d; update quarry", s.name, store.ErrNewer, format, len(migrations))
}

// extension makes pgvector, where this role may, and returns the schema that it is in.
func (s *Store) extension(ctx context.Context, conn *pgx.Conn) (schema string, err error) {
	const find = "SELECT e.extversion, n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'"
	var version string
	err = conn.QueryRow(ctx, find).Scan(&version, &schema)
	if err == pgx.ErrNoRows && !s.options.Existing {
		conn.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS vector") // refused where this role may not
		err = conn.QueryRow(ctx, find).Scan(&version, &schema)
	}
	switch {
	case err == pgx.ErrNoRows:
		return "", &failure{sentence: fmt.Sprintf("%s: the extension vector (pgvector) is not there: an administrator installs it on the server and runs CREATE EXTENSION vector; in the database", s.name)}
	case err != nil:
		return "", s.wrap("looking for extensions", err)
	case older(version, oldestVector):
		return "", &failure{sentence: fmt.Sprintf("%s: the extension vector has version %s and %s is the oldest that is of use: an administrator updates it on the server and runs ALTER EXTENSION vector UPDATE; in the database", s.name, version, oldestVector)}
	}
	return schema, nil
}

// older compares versions such as 0.8.1 by their first two numbers.
func older(version, than string) bool {
	number := func(s string) (major, minor int) {
		fmt.Sscanf(s, "%d.%d", &major, &minor)
		return
	}
	a, b := number(version)
	c, d := number(than)
	return a < c || a == c && b < d
}

// format is 0 where there are no tables.
func (s *Store) format(ctx context.Context, q querier) (format int, err error) {
	var made bool
	// The tables of the catalogue are asked and not to_regclass: that remembers what was not
	// there, also while it waited for whoever has made it.
	if err := q.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = $1 AND c.relname = 'meta')`, s.options.Schema).Scan(&made); err != nil || !made {
		return 0, s.wrap("opening", err)
	}
	err = q.QueryRow(ctx, "SELECT format FROM "+pgx.Identifier{s.options.Schema, "meta"}.Sanitize()).Scan(&format)
	if err == pgx.ErrNoRows { // nobody leaves it so
		return 0, s.damaged("it has lost its commits")
	}
	return format, s.wrap("opening", err)
}

// migrate brings the tables to the newest format, in one transaction: a process that is
// killed leaves the old format, and of two that come at once the second finds the work done.
func (s *Store) migrate(ctx context.Context, conn *pgx.Conn) error {
	schema := pgx.Identifier{s.options.Schema}.Sanitize()
	err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended('quarry migrations ' || $1, 0)), set_config('statement_timeout', '0', true)", schema); err != nil {
			return err
		}
		format, err := s.format(ctx, tx)
		switch {
		case err != nil:
			return err
		case format > len(migrations):
			return s.newer(format)
		case format == len(migrations):
			return nil
		case format == 0:
			if err := s.makeSchema(ctx, tx, schema); err != nil {
				return err
			}
		}
		for _, script := range migrations[format:] {
			if _, err := tx.Exec(ctx, script); err != nil {
				return err
			}
		}
		if format == 0 {
			_, err = tx.Exec(ctx, "INSERT INTO meta (one, format) VALUES (true, $1)", len(migrations))
		} else {
			_, err = tx.Exec(ctx, "UPDATE meta SET format = $1", len(migrations))
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, security)
		return err
	})
	return s.wrap("making its tables", err)
}

func (s *Store) makeSchema(ctx context.Context, tx pgx.Tx, schema string) error {
	var made, mayMake bool
	if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1), has_database_privilege(current_database(), 'CREATE')", s.options.Schema).Scan(&made, &mayMake); err != nil || made {
		return err
	}
	if !mayMake {
		var role string
		if err := tx.QueryRow(ctx, "SELECT quote_ident(current_user)").Scan(&role); err != nil {
			return err
		}
		return &failure{kind: store.ErrReadOnly, sentence: fmt.Sprintf("%s: there is no schema %s and this role may not make it: an administrator runs CREATE SCHEMA %s AUTHORIZATION %s; in the database", s.name, s.options.Schema, schema, role)}
	}
	_, err := tx.Exec(ctx, "CREATE SCHEMA "+schema)
	return err
}

// admitReader lets the role that views run under read, and refuses one that would not
// be bound by row-level security.
func (s *Store) admitReader(ctx context.Context, conn *pgx.Conn) error {
	reader := s.options.Reader
	if reader == "" {
		return nil
	}
	var bypasses, member, owner, reads bool
	err := conn.QueryRow(ctx, `SELECT r.rolsuper OR r.rolbypassrls OR pg_has_role(r.oid, c.relowner, 'USAGE'), pg_has_role(r.oid, 'MEMBER'),
			pg_has_role(c.relowner, 'USAGE'), has_schema_privilege(r.oid, c.relnamespace, 'USAGE') AND has_table_privilege(r.oid, c.oid, 'SELECT')
		FROM pg_roles r, pg_class c WHERE r.rolname = $1 AND c.oid = 'meta'::regclass`, reader).Scan(&bypasses, &member, &owner, &reads)
	role := pgx.Identifier{reader}.Sanitize()
	switch {
	case err == pgx.ErrNoRows:
		return &failure{sentence: fmt.Sprintf("%s: there is no role %s for reading: an administrator runs CREATE ROLE %s NOLOGIN; and grants it to the role of the address", s.name, reader, role)}
	case err != nil:
		return s.wrap("opening", err)
	case bypasses:
		return &failure{sentence: fmt.Sprintf("%s: the role %s for reading owns the tables or bypasses row-level security: name one that does not", s.name, reader)}
	case !member:
		return &failure{sentence: fmt.Sprintf("%s: the role of the address may not become %s for reading: an administrator runs GRANT %s TO it", s.name, reader, role)}
	case reads || !owner:
		return nil
	}
	schema := pgx.Identifier{s.options.Schema}.Sanitize()
	for _, statement := range []string{
		"GRANT USAGE ON SCHEMA " + schema + " TO " + role,
		"GRANT SELECT ON ALL TABLES IN SCHEMA " + schema + " TO " + role,
		"ALTER DEFAULT PRIVILEGES IN SCHEMA " + schema + " GRANT SELECT ON TABLES TO " + role, // of models to come
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return s.wrap("granting the right to read", err)
		}
	}
	return nil
}

// clean makes text that Postgres can store: it has no NUL.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

func cleanAll(list []string) []string {
	if list == nil {
		return nil
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = clean(s)
	}
	return out
}
