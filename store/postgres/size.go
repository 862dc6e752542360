package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Size is how many bytes the tables of the store take with their indexes.
func (s *Store) Size(ctx context.Context) (size int64, err error) {
	err = s.reading(ctx, "measuring its tables", func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
			WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`).Scan(&size)
	})
	return size, err
}
