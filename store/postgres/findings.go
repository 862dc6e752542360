package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
)

// Extraction implements store.View.
func (v *view) Extraction(ctx context.Context, id document.ID) (out document.Extraction, err error) {
	err = v.finding(ctx, id, "extraction", &out)
	return out, err
}

// Findings implements store.View.
func (v *view) Findings(ctx context.Context, id document.ID) (out document.Findings, err error) {
	err = v.finding(ctx, id, "findings", &out)
	return out, err
}

// finding decodes a column of what was found in the revision in force, if anything was.
func (v *view) finding(ctx context.Context, id document.ID, column string, into any) error {
	return v.reads(ctx, "reading what was found in a document", func(q *reading) error {
		revision, err := v.seen(ctx, q, id)
		if err != nil {
			return err
		}
		var raw []byte
		err = q.QueryRow(ctx, "SELECT "+column+" FROM finding WHERE revision = $1", revision).Scan(&raw)
		if err == pgx.ErrNoRows {
			return nil
		}
		if err != nil {
			return err
		}
		return json.Unmarshal(raw, into)
	})
}

// Named implements store.View.
func (v *view) Named(ctx context.Context, name string) (out []document.ID, err error) {
	err = v.reads(ctx, "looking up a name", func(q *reading) error {
		out = nil
		var id document.ID
		return v.asks(ctx, q, `SELECT d.source, d.path FROM (SELECT revision FROM name WHERE tenant = @v_tenant AND name = @name OFFSET 0) n
			JOIN revision r ON r.id = n.revision JOIN document d ON d.id = r.document `+v.compiled.seenOf("d.id")+`
			WHERE s.revision = n.revision ORDER BY d.source, d.path`,
			pgx.NamedArgs{"name": clean(name)}, []any{&id.Source, &id.Path}, func() error {
				out = append(out, id)
				return nil
			})
	})
	return out, err
}
