package lanes

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// The connections of a store make a plan for each statement as its arguments are, since what
// serves one scope may not serve another. The two exceptions are for one statement each, in
// its round trip.
const (
	// lookups find rows by keys, however many, through the index of these keys: planning them
	// anew would take longer than carrying them out.
	lookups = "SET LOCAL plan_cache_mode = force_generic_plan"
	// comparisons read many rows in no order, which are in memory or soon will be.
	comparisons = "SET LOCAL random_page_cost = 1.1"
	// afterwards takes the first back; the other does no harm.
	afterwards = "SET LOCAL plan_cache_mode = force_custom_plan"
)

// ask runs a statement with a setting and reads its rows.
func (r *Reader) ask(ctx context.Context, setting, sql string, args []any, read func(pgx.Rows) error) error {
	batch := &pgx.Batch{}
	batch.Queue(setting)
	batch.Queue(sql, args...).Query(read)
	if setting == lookups {
		batch.Queue(afterwards)
	}
	return r.q.SendBatch(ctx, batch).Close()
}

// each is ask with every row scanned into targets.
func (r *Reader) each(ctx context.Context, setting, sql string, args, targets []any, fn func() error) error {
	return r.ask(ctx, setting, sql, args, func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, targets, fn)
		return err
	})
}
