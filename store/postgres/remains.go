package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/postgres/internal/lanes"
)

// unowned counts what belongs to nothing. Most of it no foreign key would let be.
const unowned = `SELECT (SELECT count(*) FROM content c WHERE NOT EXISTS (SELECT FROM revision WHERE id = c.revision))
	+ (SELECT count(*) FROM revision r WHERE NOT EXISTS (SELECT FROM document WHERE id = r.document))
	+ (SELECT count(*) FROM section s WHERE NOT EXISTS (SELECT FROM revision WHERE id = s.revision))
	+ (SELECT count(*) FROM passage p WHERE NOT EXISTS (SELECT FROM occurrence WHERE passage = p.id))
	+ (SELECT count(*) FROM occurrence o WHERE NOT EXISTS (SELECT FROM passage WHERE id = o.passage))
	+ (SELECT count(*) FROM in_force f WHERE NOT EXISTS (SELECT FROM revision WHERE id = f.revision))`

// Remains implements store.Catalog. Rows that were deleted are in the database's files until
// VACUUM has been over them: it is the server's, which knows who may still read them.
func (s *Store) Remains(ctx context.Context, id document.ID) (out store.Remains, err error) {
	err = s.reading(ctx, "counting what is left of a document", func(tx pgx.Tx) error {
		out = store.Remains{}
		var doc int64 // 0 where there is none, which has nothing
		if err := tx.QueryRow(ctx, "SELECT id FROM document WHERE source = $1 AND path = $2", clean(id.Source), clean(id.Path)).Scan(&doc); err != nil && err != pgx.ErrNoRows {
			return err
		}
		if err := tx.QueryRow(ctx, `SELECT (SELECT count(*) FROM revision WHERE document = $1), (SELECT count(*) FROM failure WHERE document = $1),
			(SELECT count(*) FROM content WHERE revision IN (SELECT id FROM revision WHERE document = $1)),
			(SELECT count(*) FROM passage WHERE document = $1), (`+unowned+`)`, doc).
			Scan(&out.Revisions, &out.Failures, &out.Texts, &out.Passages, &out.Unowned); err != nil {
			return err
		}
		models, err := modelRows(ctx, tx)
		if err != nil {
			return err
		}
		for _, m := range models {
			var of, unowned int
			table := m.table().Name
			if err := tx.QueryRow(ctx, `SELECT (SELECT count(DISTINCT key) FROM `+table+` WHERE (tenant, key) IN (SELECT tenant, key FROM passage WHERE document = $1)),
				(SELECT count(*) FROM `+table+` v WHERE NOT EXISTS (SELECT FROM passage WHERE key = v.key AND tenant = v.tenant))`, doc).Scan(&of, &unowned); err != nil {
				return err
			}
			out.Vectors += of
			out.Unowned += unowned
		}
		terms, left, err := lanes.Owned(ctx, tx, doc)
		out.Terms = terms
		out.Unowned += left
		return err
	})
	return out, err
}
