package local

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/seed-d3156d19/quarry/store"
)

// What the file says of itself in its header.
const (
	applicationID = 0x51727279 // "Qrry"
	formatVersion = 6          // of schema.sql, segment.sql and vectors.sql
	segmentFormat = 4          // the oldest whose segments are read as they are

	sealedFormat   = 4 // the first with checksums of rows
	holderFormat   = 5 // the first that finds passages beside the segments
	findingsFormat = 6 // the first with findings and names of revisions
)

var (
	//go:embed schema.sql
	schema string
	//go:embed segment.sql
	segmentSchema string
)

// busyPragma is how long a connection waits for another, in milliseconds.
const busyPragma = "busy_timeout(10000)"

// pragmas of every connection. The log is synced at each commit, so that a
// commit that was reported survives a power cut; deleted content is overwritten.
// The log is copied into the file after 16 MB of it, so that pages that change in
// every commit are written there once in a while, and a large change fits into the
// cache (32 MB) and is not written twice.
var (
	readPragmas  = []string{busyPragma, "foreign_keys(1)", "query_only(1)"}
	writePragmas = []string{busyPragma, "foreign_keys(1)", "journal_mode(WAL)", "synchronous(FULL)", "secure_delete(1)", "cache_size(-32000)", "wal_autocheckpoint(4000)"}
)

// dsn is path as the driver takes it. Everything that means something in a URI
// is escaped, so that a file may be called "50% done? #1.db".
func dsn(path string, frozen bool, pragmas []string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	slash := filepath.ToSlash(abs)
	if !strings.HasPrefix(slash, "/") {
		slash = "/" + slash // C:/x becomes /C:/x
	}
	query := url.Values{"mode": {"rw"}, "_pragma": pragmas}
	if frozen {
		query["mode"], query["immutable"] = []string{"ro"}, []string{"1"}
	}
	return "file://" + (&url.URL{Path: slash}).EscapedPath() + "?" + query.Encode(), nil
}

func (s *Store) open(ctx context.Context) error {
	size, err := s.look()
	if err != nil {
		return err
	}
	if size == 0 && s.exists {
		return s.absent()
	}
	if size > 0 {
		s.frozen = around(s.path).frozen()
	}
	if s.file, err = identify(s.path); err != nil {
		return s.wrap("opening", err)
	}
	if s.read, err = s.pool(readPragmas); err != nil {
		return err
	}
	if size == 0 {
		if err := s.create(ctx); err != nil {
			return err
		}
	}
	if err := s.check(ctx); err != nil {
		return s.unread(err)
	}
	if s.file == nil {
		if s.file, err = identify(s.path); err != nil {
			return s.wrap("opening", err)
		}
	}
	return nil
}

func (s *Store) pool(pragmas []string) (*sql.DB, error) {
	if s.remains {
		pragmas = append([]string{remainsPragma}, pragmas...)
	}
	name, err := dsn(s.path, s.frozen, pragmas)
	if err != nil {
		return nil, s.wrap("opening", err)
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, s.wrap("opening", err)
	}
	return db, nil
}

// look refuses what SQLite would refuse with words that help nobody, and
// returns the file's size, 0 where there is none yet. It does not open the file:
// closing any handle of it would drop the locks that another Store of this process
// holds on it (https://sqlite.org/howtocorrupt.html, 2.2).
func (s *Store) look() (int64, error) {
	info, err := os.Stat(s.path)
	switch {
	case err == nil && info.IsDir():
		return 0, fmt.Errorf("%s is a folder: name a file in it, such as %s", s.path, filepath.Join(s.path, "quarry.db"))
	case err == nil && !info.Mode().IsRegular():
		return 0, fmt.Errorf("%s is not a regular file: name another store", s.path)
	case errors.Is(err, fs.ErrNotExist) && s.exists:
		return 0, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		parent := filepath.Dir(s.path)
		if p, err := os.Stat(parent); err != nil {
			return 0, fmt.Errorf("folder %s of store %s does not exist: create it or name another store", parent, s.path)
		} else if !p.IsDir() {
			return 0, fmt.Errorf("%s is not a folder: name another store than %s", parent, s.path)
		}
		return 0, nil
	case err != nil:
		return 0, s.wrap("opening", err)
	case !readable(s.path):
		return 0, s.wrap("opening", fs.ErrPermission)
	}
	return info.Size(), nil
}

// absent says that there is nothing to read.
func (s *Store) absent() error {
	what := store.ErrNoStore.Error()
	if info, err := os.Stat(s.path); err == nil && info.Size() == 0 {
		what = "it is an empty file and not a Quarry store"
	} else if err == nil {
		what = "it is a file without anything in it and not a Quarry store"
	}
	return &failure{sentence: fmt.Sprintf("%s: %s: index a folder with quarry add DIR, or name another store with --store", s.path, what), kind: store.ErrNoStore}
}

// create makes an empty store. Whoever finds the file half made, after a crash,
// finds it without tables and makes it again.
func (s *Store) create(ctx context.Context) error {
	release, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	file, err := os.OpenFile(s.path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return s.wrap("creating", err)
	}
	file.Close()
	c, err := s.connect(ctx)
	if err != nil {
		return s.wrap("creating", err)
	}
	if made, err := c.made(ctx); err != nil || made {
		return s.wrap("creating", err)
	}
	script := fmt.Sprintf("BEGIN IMMEDIATE; PRAGMA application_id=%d; PRAGMA user_version=%d;\n%s", applicationID, formatVersion, schema+segmentSchema+vectorSchema)
	if _, err = c.ExecContext(ctx, script); err == nil {
		if err = c.drawIdentity(ctx); err == nil {
			err = c.sealTables(ctx)
		}
		if err == nil {
			_, err = c.exec(context.WithoutCancel(ctx), "COMMIT")
		}
	}
	if err != nil {
		s.dropWriter()
		return s.wrap("creating", err)
	}
	return nil
}

// made reports whether the file holds a table or a mark of any program.
func (c *conn) made(ctx context.Context) (bool, error) {
	var tables, id, version int64
	err := c.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sqlite_schema),
		(SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version)`).
		Scan(&tables, &id, &version)
	return tables != 0 || id != 0 || version != 0, err
}

// check tells at small cost, without reading content, whether this is a whole
// store of a format that this program reads. Damage deeper inside is found when
// it is read, and by Check.
func (s *Store) check(ctx context.Context) error {
	raw, err := s.read.Conn(ctx)
	if err != nil {
		return s.wrap("opening", err)
	}
	defer raw.Close()
	c := &conn{Conn: raw}
	made, err := c.made(ctx)
	if err != nil {
		return s.wrap("opening", err)
	}
	if !made && s.exists {
		return s.absent()
	}
	if !made {
		return s.create(ctx)
	}
	var id, version, pages, size int64
	if err := c.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT page_count FROM pragma_page_count),
		(SELECT page_size FROM pragma_page_size)`).Scan(&id, &version, &pages, &size); err != nil {
		return s.wrap("opening", err)
	}
	switch {
	case id != applicationID:
		return s.damaged("it is a file of another program")
	case version > formatVersion:
		return fmt.Errorf("%s: %w", s.path, newer(int(version)))
	case version < oldestFormat:
		return s.damaged(fmt.Sprintf("it has the unknown format %d", version))
	}
	// Pages that are only in the log make the file shorter than it says.
	if log, err := os.Stat(s.path + walSuffix); !s.remains && (err != nil || log.Size() == 0) {
		if info, err := os.Stat(s.path); err == nil && info.Size() < pages*size {
			return s.damaged("it was cut short")
		}
	}
	var sequence int64
	if err := c.QueryRowContext(ctx, "SELECT sequence FROM meta").Scan(&sequence); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return s.damaged("it has lost its commits")
		}
		return s.wrap("opening", err)
	}
	return nil
}
