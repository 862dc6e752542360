package postgres

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/postgres/internal/lanes"
)

// rows are those that a change adds, by table, in the order in which they are written.
type rows struct {
	document, revision, content, section, passage, occurrence, supersedes, finding, name, failure, job [][]any
}

// table is rows of one table.
type table struct {
	name    string
	rows    [][]any
	columns []string
}

// tables are the rows by table, in the order in which they may be written.
func (r *rows) tables() []table {
	return []table{
		{"document", r.document, []string{"id", "source", "path", "digest", "tenants", "class", "failed"}},
		{"revision", r.revision, []string{"id", "document", "hash", "seen", "seen_nanos", "seen_day", "valid_from", "valid_to",
			"pipeline", "format", "title", "status", "effective_from", "effective_to", "authority", "tenant", "class", "undecided", "inferred",
			"metadata", "passages", "lengths", "headings", "outlines", "forgotten"}},
		{"content", r.content, []string{"revision", "tenant", "text", "pages", "lines"}},
		{"section", r.section, []string{"id", "revision", "document", "n", "tenant", "parent", "level", "heading", "number", "path",
			"span_from", "span_to", "body_from", "body_to", "description", "terms"}},
		{"passage", r.passage, []string{"id", "document", "tenant", "name", "key", "digest", "context", "terms", "first", "gone"}},
		{"occurrence", r.occurrence, []string{"revision", "n", "passage", "tenant", "section", "kind", "span_from", "span_to", "tokens"}},
		{"supersedes", r.supersedes, []string{"revision", "document", "path"}},
		{"finding", r.finding, []string{"revision", "tenant", "suspect", "extraction", "findings"}},
		{"name", r.name, []string{"revision", "tenant", "name"}},
		{"failure", r.failure, []string{"document", "hash", "pipeline", "reason", "seen", "seen_nanos", "seen_day", "tenant", "class"}},
		{"job", r.job, []string{"kind", "document"}},
	}
}

// writeRows ends the failures that are over, writes what was gathered, by COPY, and has the
// index follow.
func (a *applier) writeRows() error {
	if len(a.unfailed) > 0 {
		if err := a.do("DELETE FROM failure WHERE document = ANY($1)", a.unfailed); err != nil {
			return err
		}
	}
	if err := a.insert(a.rows.tables()); err != nil {
		return err
	}
	if len(a.closed) > 0 {
		passages, revisions := make([]int64, 0, len(a.closed)), make([]int64, 0, len(a.closed))
		for passage, revision := range a.closed {
			passages, revisions = append(passages, passage), append(revisions, revision)
		}
		if err := a.do("UPDATE passage p SET gone = a.gone FROM unnest($1::bigint[], $2::bigint[]) a (id, gone) WHERE p.id = a.id", passages, revisions); err != nil {
			return err
		}
		if err := lanes.Close(a.ctx, a.tx, a.closed); err != nil {
			return err
		}
	}
	if err := a.checkNames(); err != nil {
		return err
	}
	if len(a.passages)+len(a.sections) == 0 {
		return nil
	}
	if err := lanes.Add(a.ctx, a.tx, a.passages, a.sections); err != nil {
		return err
	}
	return a.shareVectors()
}

// checkNames refuses passages, new or renamed, that have the id of another document's.
func (a *applier) checkNames() error {
	ids := a.renamed
	for i := range a.passages {
		ids = append(ids, a.passages[i].ID)
	}
	if len(ids) == 0 {
		return nil
	}
	var name []byte
	err := a.tx.QueryRow(a.ctx, `SELECT p.name FROM passage p JOIN passage o ON o.name = p.name AND o.document <> p.document
		WHERE p.id = ANY($1) LIMIT 1`, ids).Scan(&name)
	switch {
	case err == pgx.ErrNoRows:
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%w: passage id %x belongs to another document", store.ErrInvalid, name)
}

// fewRows is up to how many rows one round trip of INSERTs takes less time than a COPY
// into each table.
const fewRows = 64

// insert writes rows.
func (a *applier) insert(tables []table) error {
	all := 0
	for _, t := range tables {
		all += len(t.rows)
	}
	if all > fewRows {
		for _, t := range tables {
			if len(t.rows) == 0 {
				continue
			}
			if _, err := a.tx.CopyFrom(a.ctx, pgx.Identifier{t.name}, t.columns, pgx.CopyFromRows(t.rows)); err != nil {
				return err
			}
		}
		return nil
	}
	batch := &pgx.Batch{}
	for _, t := range tables {
		places := make([]string, len(t.columns))
		for i := range places {
			places[i] = "$" + strconv.Itoa(i+1)
		}
		statement := "INSERT INTO " + t.name + " (" + strings.Join(t.columns, ", ") + ") VALUES (" + strings.Join(places, ", ") + ")"
		for _, row := range t.rows {
			batch.Queue(statement, row...)
		}
	}
	return a.tx.SendBatch(a.ctx, batch).Close()
}
