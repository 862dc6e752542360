package postgres

import (
	"context"
	"crypto/sha256"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
	"github.com/seed-d3156d19/quarry/store/postgres/internal/lanes"
)

// Apply implements store.Catalog. What changes nothing is found on a reading transaction
// first, so that a sync with nothing to do writes nothing and waits for nobody.
func (s *Store) Apply(ctx context.Context, change store.Change) (store.Commit, error) {
	if err := change.Validate(); err != nil {
		return store.Commit{}, err
	}
	var commit store.Commit
	var todo *plan
	today := document.DayOf(s.options.Clock())
	if err := s.reading(ctx, "comparing a change", func(tx pgx.Tx) (err error) {
		if todo, err = planOf(ctx, tx, &change, today); err != nil {
			return err
		}
		return tx.QueryRow(ctx, "SELECT sequence FROM meta").Scan(&commit.Sequence)
	}); err != nil || todo.empty() {
		return commit, err
	}
	found := commit.Sequence
	err := s.write(ctx, "applying a change", func(tx pgx.Tx, at *counters) error {
		// Where another writer has come in between, or this is not the first attempt, look again.
		if at.sequence != found || todo == nil {
			var err error
			if todo, err = planOf(ctx, tx, &change, today); err != nil {
				return err
			}
		}
		if commit = (store.Commit{Sequence: at.sequence}); todo.empty() {
			return errNothing
		}
		at.sequence++
		commit = store.Commit{Sequence: at.sequence, Changed: true}
		a := &applier{ctx: ctx, tx: tx, at: at, today: today, plan: todo}
		todo = nil
		return a.apply()
	})
	if err != nil {
		return store.Commit{}, err
	}
	return commit, nil
}

// applier carries out a plan within a transaction. Rows are gathered for all documents of
// the change and written by COPY, and what is changed is changed by one statement for all of
// them: a change of a thousand documents takes as many round trips as one of ten.
type applier struct {
	ctx   context.Context
	tx    pgx.Tx
	at    *counters
	today document.Day
	*plan

	rows     rows
	classes  map[class]int32 // ids of access classes that were asked for
	passages []lanes.Passage // new ones
	sections []lanes.Section
	renamed  []int64         // passages that got another id
	closed   map[int64]int64 // passages by the revision that leaves them out
	// lost are rows of passage and of section that are to go.
	lostPassages, lostSections []int64
	unfailed                   []int64 // documents whose failure is over, or is another one

	touched map[int64]bool // documents whose days in force are made anew
	// superseded are documents whose derived validity may have changed.
	superseded map[document.ID]bool
	names      map[document.ID]rules.Named // what documents supersede after the change
	orphans    orphans                     // their vectors go unless another passage has the key
	keys       orphans                     // of new passages
}

type class struct{ tenant, access string }

func (a *applier) apply() error {
	a.classes, a.closed, a.touched = map[class]int32{}, map[int64]int64{}, map[int64]bool{}
	a.superseded, a.orphans, a.keys = map[document.ID]bool{}, orphans{}, orphans{}
	if src := a.source; src != nil {
		if err := a.do(`INSERT INTO source (name, kind, root) VALUES ($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, root = excluded.root`, src.Name, src.Kind, []byte(src.Root)); err != nil {
			return err
		}
	}
	if err := a.gatherGone(); err != nil {
		return err
	}
	for _, step := range []func() error{
		a.markSuperseded, a.removeDocuments, a.renameDocuments, a.putRevisions, a.failDocuments,
		a.dateDocuments, a.forgetRevisions, a.writeRows, a.revalidate, a.putInForce, a.dropOrphans,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) do(query string, args ...any) error {
	_, err := a.tx.Exec(a.ctx, query, args...)
	return err
}

// each calls fn with every row of a query, scanned into targets.
func (a *applier) each(query string, args []any, targets []any, fn func() error) error {
	rows, err := a.tx.Query(a.ctx, query, args...)
	if err != nil {
		return err
	}
	_, err = pgx.ForEachRow(rows, targets, fn)
	return err
}

// class returns the id of an access class, which is made where there is none.
func (a *applier) class(tenant string, access document.Access) (int32, error) {
	text, err := rules.Class(access)
	if err != nil {
		return 0, err
	}
	key := class{clean(tenant), clean(text)}
	if id, ok := a.classes[key]; ok {
		return id, nil
	}
	var id int32
	digest := sha256.Sum256([]byte(key.access))
	err = a.tx.QueryRow(a.ctx, "SELECT id FROM class WHERE tenant = $1 AND digest = $2", key.tenant, digest[:]).Scan(&id)
	if err == pgx.ErrNoRows {
		err = a.tx.QueryRow(a.ctx, "INSERT INTO class (tenant, access, digest) VALUES ($1, $2, $3) RETURNING id", key.tenant, key.access, digest[:]).Scan(&id)
	}
	a.classes[key] = id
	return id, err
}

// documentRow returns the row of a document that is put or failed, a new one if need be,
// which this commit touches.
func (a *applier) documentRow(id document.ID) *known {
	k := a.documents[id]
	if k == nil {
		a.at.documents++
		k = &known{row: a.at.documents, id: id}
		a.documents[id] = k
		a.rows.document = append(a.rows.document, []any{k.row, id.Source, id.Path, digestOfPath(id.Path), []string{}, 0, 0})
	}
	a.touched[k.row] = true
	return k
}

func digestOfPath(path string) []byte {
	sum := sha256.Sum256([]byte(path))
	return sum[:]
}

// gatherGone adds the documents of a source that goes to those that are removed.
func (a *applier) gatherGone() error {
	if a.gone == "" {
		return nil
	}
	var k known
	return a.each("SELECT id, source, path FROM document WHERE source = $1", []any{a.gone}, []any{&k.row, &k.id.Source, &k.id.Path}, func() error {
		one := k
		a.remove = append(a.remove, &one)
		return nil
	})
}

// removeDocuments deletes documents with all that hangs on them, and the source that goes.
func (a *applier) removeDocuments() error {
	if len(a.remove) > 0 {
		var docs []int64
		for _, k := range a.remove {
			docs = append(docs, k.row)
			delete(a.documents, k.id)
		}
		if err := a.lose("passage WHERE document = ANY($1)", "section WHERE document = ANY($1)", docs); err != nil {
			return err
		}
		for _, table := range []string{"in_force", "failure"} {
			if err := a.do("DELETE FROM "+table+" WHERE document = ANY($1)", docs); err != nil {
				return err
			}
		}
		if err := a.dropLost(); err != nil {
			return err
		}
		if err := a.do("DELETE FROM revision WHERE document = ANY($1)", docs); err != nil {
			return err
		}
		if err := a.do("DELETE FROM document WHERE id = ANY($1)", docs); err != nil {
			return err
		}
	}
	if a.gone == "" {
		return nil
	}
	return a.do("DELETE FROM source WHERE name = $1", a.gone)
}

// lose remembers passages and sections that are to go, and the keys of the passages.
func (a *applier) lose(passages, sections string, args ...any) error {
	var id int64
	var o orphan
	var key []byte
	if passages != "" {
		if err := a.each("SELECT id, tenant, key FROM "+passages, args, []any{&id, &o.tenant, &key}, func() error {
			a.lostPassages = append(a.lostPassages, id)
			o.key = string(key)
			a.orphans[o] = true
			return nil
		}); err != nil {
			return err
		}
	}
	if sections == "" {
		return nil
	}
	return a.each("SELECT id FROM "+sections, args, []any{&id}, func() error {
		a.lostSections = append(a.lostSections, id)
		return nil
	})
}

// dropLost deletes what is to go, from the index first, which reads what it is of.
func (a *applier) dropLost() error {
	if len(a.lostPassages)+len(a.lostSections) == 0 {
		return nil
	}
	if err := lanes.Drop(a.ctx, a.tx, a.lostPassages, a.lostSections); err != nil {
		return err
	}
	if err := a.do("DELETE FROM passage WHERE id = ANY($1)", a.lostPassages); err != nil {
		return err
	}
	err := a.do("DELETE FROM section WHERE id = ANY($1)", a.lostSections)
	a.lostPassages, a.lostSections = nil, nil
	return err
}

// renameDocuments gives documents their new paths. Their revisions are put after that, in
// the place of the newest; the passages of the older ones get other ids.
func (a *applier) renameDocuments() error {
	for _, n := range a.rename {
		delete(a.documents, n.from)
		n.known.id = n.to
		a.documents[n.to] = n.known
		a.touched[n.row] = true
		if err := a.do("UPDATE document SET path = $2, digest = $3 WHERE id = $1", n.row, n.to.Path, digestOfPath(n.to.Path)); err != nil {
			return err
		}
		type passage struct {
			id   int64
			name []byte
		}
		var p passage
		var ids []int64
		var names [][]byte
		if err := a.each("SELECT id, name FROM passage WHERE document = $1", []any{n.row}, []any{&p.id, &p.name}, func() error {
			ids, names = append(ids, p.id), append(names, rules.Renamed(p.name, n.to))
			return nil
		}); err != nil {
			return err
		}
		a.renamed = append(a.renamed, ids...)
		if err := a.do("UPDATE passage p SET name = a.name FROM unnest($1::bigint[], $2::bytea[]) a (id, name) WHERE p.id = a.id", ids, names); err != nil {
			return err
		}
		if err := lanes.Renamed(a.ctx, a.tx, ids); err != nil {
			return err
		}
	}
	return nil
}

// failDocuments records failures as the documents' latest state. Their revisions stay, for
// days before.
func (a *applier) failDocuments() error {
	for _, f := range a.fail {
		k := a.documentRow(f.Document)
		c, err := a.class(f.Tenant, f.Access)
		if err != nil {
			return err
		}
		a.unfailed = append(a.unfailed, k.row)
		seen, nanos := instant(f.Seen)
		a.rows.failure = append(a.rows.failure, []any{k.row, clean(f.Hash), clean(f.Pipeline), clean(f.Reason), seen, nanos,
			document.DayOf(f.Seen), clean(f.Tenant), c})
	}
	return nil
}
