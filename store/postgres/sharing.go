package postgres

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/store"
)

var _ store.Sharing = (*Store)(nil)

// EnqueueMissing implements store.Sharing. Workers who begin at once do it one after the other, so that
// no document gets two jobs.
func (s *Store) EnqueueMissing(ctx context.Context, model store.Model) error {
	return s.work(ctx, "enqueueing work", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended('quarry jobs ' || current_schema(), 0))"); err != nil {
			return err
		}
		m, err := modelRow(ctx, tx, model)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO job (kind, document)
			SELECT $1, document FROM (SELECT DISTINCT p.document FROM passage p WHERE p.id >= $2 AND `+without(m)+`) lacks
			WHERE NOT EXISTS (SELECT FROM job j WHERE j.kind = $1 AND j.document = lacks.document) ORDER BY document`,
			string(store.Embed), s.embedded.get(m))
		return err
	})
}

// MissingOf implements store.Sharing, in the order the passages were added.
func (s *Store) MissingOf(ctx context.Context, model store.Model, jobs []store.Job, limit int) (out []store.Unembedded, err error) {
	if limit <= 0 || len(jobs) == 0 {
		return nil, s.alive()
	}
	jobIDs, _ := columnsOf(jobs)
	err = s.reading(ctx, "looking for passages without vectors", func(tx pgx.Tx) error {
		m, err := modelRow(ctx, tx, model)
		if err != nil {
			return err
		}
		var ids []int64
		var id int64
		if err := query(ctx, tx, `WITH lacking AS MATERIALIZED (
				SELECT p.key, min(p.id) AS id FROM job j JOIN passage p ON p.document = j.document
				WHERE j.id = ANY($1) AND `+without(m)+` GROUP BY p.key)
			SELECT l.id FROM lacking l WHERE NOT EXISTS (
				SELECT FROM passage p JOIN job j ON j.document = p.document AND j.kind = $2
				WHERE p.key = l.key AND p.id < l.id AND `+without(m)+`)
			ORDER BY l.id LIMIT $3`, []any{jobIDs, string(store.Embed), min(limit, math.MaxInt32)}, []any{&id}, func() error {
			ids = append(ids, id)
			return nil
		}); err != nil || len(ids) == 0 {
			return err
		}
		out, err = unembedded(ctx, tx, ids)
		return err
	})
	return out, err
}
