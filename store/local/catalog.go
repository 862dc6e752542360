package local

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// latest selects, for each document, the hash and pipeline of its failure and
// why it failed, or else those of its newest revision.
const (
	latest   = latestOf + latestFrom
	latestOf = `SELECT d.path, coalesce(f.hash, r.hash), coalesce(f.pipeline, r.pipeline), f.document IS NOT NULL, coalesce(f.reason, ''),
	coalesce(f.seen, r.seen)`
	latestFrom = `
	FROM document d LEFT JOIN failure f ON f.document = d.id
	LEFT JOIN revision r ON r.id = (SELECT max(id) FROM revision WHERE document = d.id)
	WHERE d.source = ?`
)

// States implements store.Catalog.
func (s *Store) States(ctx context.Context, source string) ([]store.State, error) {
	var out []store.State
	err := s.reading(ctx, "listing documents", func(c *conn) error {
		var st store.State
		var seen string
		// The keys of JSON that is in a text of JSON have backslashes.
		query := latestOf + ", coalesce(instr(r.metadata, '\"Undecided\":true') > 0, 0)," + `
			(SELECT count(*) FROM revision WHERE document = d.id AND instr(metadata, '"Forgotten":true') = 0)` + latestFrom
		return c.each(ctx, query+" ORDER BY d.path", []any{source}, []any{&st.Path, &st.Hash, &st.Pipeline, &st.Failed, &st.Reason, &seen, &st.Undecided, &st.Revisions},
			func() (err error) {
				st.Seen, err = parseInstant(seen)
				out = append(out, st)
				return err
			})
	})
	return out, err
}

// Sources implements store.Catalog.
func (s *Store) Sources(ctx context.Context) ([]document.Source, error) {
	var out []document.Source
	err := s.reading(ctx, "listing sources", func(c *conn) error {
		var src document.Source
		return c.each(ctx, "SELECT name, kind, root FROM source ORDER BY name", nil, []any{&src.Name, &src.Kind, &src.Root},
			func() error { out = append(out, src); return nil })
	})
	return out, err
}

// bump begins the next commit and returns its sequence.
func (c *conn) bump(ctx context.Context) (int64, error) {
	var sequence int64
	_, err := c.get(ctx, "UPDATE meta SET sequence = sequence + 1 RETURNING sequence", nil, &sequence)
	return sequence, err
}

func (c *conn) sequence(ctx context.Context) (int64, error) {
	var sequence int64
	found, err := c.get(ctx, "SELECT sequence FROM meta", nil, &sequence)
	if err == nil && !found {
		err = sql.ErrNoRows
	}
	return sequence, err
}

// class returns the id of an access class: one for each distinct set of readers
// and denials, in whatever order they were written.
func (a *applier) class(access document.Access) (int64, error) {
	text, err := rules.Class(access)
	if err != nil {
		return 0, err
	}
	id, ok := a.classes[text]
	if ok {
		return id, nil
	}
	found, err := a.get(a.ctx, "SELECT id FROM class WHERE access = ?", []any{text}, &id)
	if err == nil && !found {
		_, err = a.get(a.ctx, "INSERT INTO class (access) VALUES (?) RETURNING id", []any{text}, &id)
	}
	if err == nil {
		a.classes[text], a.access[id] = id, text
	}
	return id, err
}

// instant writes a time as the file keeps it.
func instant(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func parseInstant(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return t, fmt.Errorf("%w: %q is no time", store.ErrDamaged, s)
	}
	return t, nil
}
