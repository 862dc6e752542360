package local

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/store"
)

// Repair makes the store anew of what is sound in it, and returns what was not: the
// index is built again, vectors that do not fit are left out until they are embedded
// again, and so are documents that are lost until they are added again. The sound
// part is copied beside the store and replaces it as Restore does, so that a repair
// that fails leaves the store as it was. Without damage it does nothing. Nobody else
// may have the store open.
func Repair(ctx context.Context, path string, opts Options) ([]store.Damage, error) {
	s, err := openRemains(ctx, path, opts)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.repair(ctx)
}

func (s *Store) repair(ctx context.Context) ([]store.Damage, error) {
	release, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	p, err := s.pin(ctx)
	if err != nil {
		return nil, err
	}
	found, err := inspect(ctx, p)
	var made *copied
	if err == nil && len(found.damage) > 0 {
		made, err = s.salvage(ctx, found)
	}
	p.release()
	if err != nil || made == nil {
		return found.damage, s.wrap("repairing it", err)
	}
	s.dropWriter()
	s.dropIdle()
	if err := s.read.Close(); err != nil {
		made.discard()
		return found.damage, s.wrap("repairing it", err)
	}
	if err := s.fold(ctx); err != nil {
		made.discard()
		return found.damage, err
	}
	return found.damage, made.rename()
}

// salvage copies what an inspection found sound to a new store beside this one.
func (s *Store) salvage(ctx context.Context, found *inspection) (*copied, error) {
	made := &copied{path: s.path + ".partial-repair", to: s.path}
	made.discard() // of a repair that was killed
	t, err := Open(ctx, made.path, Options{Clock: s.clock, LockWait: s.wait})
	if err != nil {
		made.discard()
		return nil, err
	}
	// ATTACH takes a URI, as the opening of a connection does.
	from, err := dsn(s.path, s.frozen, nil)
	var c *conn
	if err == nil {
		c, err = t.connect(ctx)
	}
	if err == nil && s.remains {
		_, err = c.ExecContext(ctx, "PRAGMA writable_schema=1")
	}
	if err == nil {
		_, err = c.ExecContext(ctx, "ATTACH DATABASE ? AS damaged", from)
	}
	if err == nil {
		err = t.write(ctx, "repairing", func(c *conn) error { return (&salvager{conn: c, ctx: ctx, found: found}).copy() })
	}
	if closed := t.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = made.settle(ctx, s.path)
	}
	if err != nil {
		made.discard()
		if isDamage(err) {
			return nil, &failure{sentence: fmt.Sprintf("%s: %v: too little of it is sound for a repair", s.path, store.ErrDamaged), advice: repair, kind: store.ErrDamaged, cause: err}
		}
		return nil, err
	}
	return made, nil
}

// salvager copies from the database "damaged", within a transaction.
type salvager struct {
	*conn
	ctx   context.Context
	found *inspection
}

// documentCopies copy a document with all that hangs on it.
var documentCopies = []string{
	"INSERT OR IGNORE INTO source (name, kind, root) SELECT d.source, '', '' FROM damaged.document d WHERE d.id = ?",
	"INSERT INTO document SELECT * FROM damaged.document WHERE id = ?",
	`INSERT OR IGNORE INTO class SELECT * FROM damaged.class WHERE id IN
		(SELECT class FROM damaged.revision WHERE document = ?1 UNION SELECT class FROM damaged.failure WHERE document = ?1)`,
	"INSERT INTO revision SELECT * FROM damaged.revision WHERE document = ?",
	"INSERT INTO content SELECT c.* FROM damaged.revision r JOIN damaged.content c ON c.revision = r.id WHERE r.document = ?",
	"INSERT INTO supersedes SELECT s.* FROM damaged.revision r JOIN damaged.supersedes s ON s.revision = r.id WHERE r.document = ?",
	"INSERT INTO passage SELECT * FROM damaged.passage WHERE document = ?",
	"INSERT INTO failure SELECT * FROM damaged.failure WHERE document = ?",
}

// findingCopies copy what it has besides, since findingsFormat.
var findingCopies = []string{
	"INSERT INTO finding SELECT f.* FROM damaged.revision r JOIN damaged.finding f ON f.revision = r.id WHERE r.document = ?",
	"INSERT INTO name SELECT n.* FROM damaged.revision r JOIN damaged.name n ON n.revision = r.id WHERE r.document = ?",
}

func (a *salvager) copy() error {
	// A source whose row cannot be read is told by its documents; adding it again
	// says where it is.
	err := a.apart(func() error {
		return a.take("INSERT INTO source (name, kind, root) SELECT name, kind, root FROM damaged.source")
	})
	if err != nil && !isDamage(err) {
		return err
	}
	if err := a.apart(a.identity); err != nil && !isDamage(err) {
		return err
	}
	var kept []int64
	for _, row := range a.found.sound {
		err := a.apart(func() error { return a.document(row) })
		if err == nil {
			kept = append(kept, row)
		} else if err := a.found.lose(row, err); err != nil {
			return err
		}
	}
	var sequence int64
	if _, err := a.get(a.ctx, "SELECT coalesce(max(changed), 0) FROM document", nil, &sequence); err != nil {
		return err
	}
	if known, err := a.found.conn.sequence(a.ctx); err == nil {
		sequence = max(sequence, known)
	}
	if _, err := a.exec(a.ctx, "UPDATE meta SET sequence = ?", sequence+1); err != nil {
		return err
	}
	w := &applier{conn: a.conn, ctx: a.ctx, sequence: sequence + 1, named: names{}, touched: map[int64]int64{}, orphans: map[string]bool{}}
	if err := a.apart(func() error { return a.vectors(w) }); err != nil && !isDamage(err) {
		return err
	}
	// What a lost document superseded is in force again.
	for _, row := range kept {
		id, err := a.nameOf(a.ctx, row)
		if err != nil {
			return err
		}
		if err := w.revalidate(id); err != nil {
			return err
		}
	}
	if err := w.rebuild(); err != nil {
		return err
	}
	return a.sealAll(a.ctx)
}

// identity keeps that of the damaged store, so that its backups stay its own.
func (a *salvager) identity() error {
	var sealed []byte
	found, err := a.found.conn.get(a.ctx, "SELECT bytes FROM identity", nil, &sealed)
	if err != nil || !found {
		return err
	}
	if _, err := unseal(sealed); err != nil {
		return err
	}
	_, err = a.exec(a.ctx, "UPDATE identity SET bytes = ?", sealed)
	return err
}

func (a *salvager) document(row int64) error {
	queries := documentCopies
	if a.found.version >= findingsFormat {
		queries = slices.Concat(documentCopies, findingCopies)
	}
	for _, query := range queries {
		if err := a.take(query, row); err != nil {
			return err
		}
	}
	return nil
}

// take carries out a statement that copies from the damaged database, if all that it
// copies can be read. That is tried on the connection that looked at the database: SQLite
// writes nothing more in a transaction in which it met a page that it cannot use.
func (a *salvager) take(query string, args ...any) error {
	read := strings.ReplaceAll(query[strings.Index(query, "SELECT"):], "damaged.", "")
	if _, err := a.found.conn.rowsSum(a.ctx, 0, read, args...); err != nil {
		return err
	}
	_, err := a.exec(a.ctx, query, args...)
	return err
}

// apart undoes what fn did where it fails.
func (a *salvager) apart(fn func() error) error {
	if _, err := a.exec(a.ctx, "SAVEPOINT apart"); err != nil {
		return err
	}
	err := fn()
	if err != nil {
		if _, undone := a.exec(a.ctx, "ROLLBACK TO apart"); undone != nil {
			return errors.Join(err, undone)
		}
	}
	_, released := a.exec(a.ctx, "RELEASE apart")
	if err == nil {
		err = released
	}
	return err
}

// vectors copies the sound vectors of models that are known, drops of them what no
// passage has any more, and makes their codes.
func (a *salvager) vectors(w *applier) error {
	for _, d := range a.found.damage {
		if d.What == "table model" {
			return nil
		}
	}
	if err := a.take("INSERT INTO model SELECT id, name, dims, 0 FROM damaged.model"); err != nil {
		return err
	}
	for _, id := range a.found.embedded {
		if err := a.take("INSERT INTO vector SELECT * FROM damaged.vector WHERE id = ?", id); err != nil {
			return fmt.Errorf("%w: %v", store.ErrDamaged, err)
		}
	}
	if err := w.orphan("SELECT DISTINCT key FROM vector WHERE key NOT IN (SELECT key FROM passage)"); err != nil {
		return err
	}
	if err := w.dropVectors(); err != nil {
		return err
	}
	return w.rebuildVectors()
}
