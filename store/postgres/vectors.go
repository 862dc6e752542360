package postgres

import (
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
	"github.com/seed-d3156d19/quarry/store/postgres/internal/lanes"
)

// vectorBatch is how many rows of vectors are written by one statement.
const vectorBatch = 512

// PutVectors implements store.Index. Like Apply it makes a commit, if it changed
// something, so that views stay what they were and other processes follow. Each tenant
// that has a passage of a content key has the vectors of that key.
func (s *Store) PutVectors(ctx context.Context, model store.Model, vectors []store.Vectors) error {
	if err := checkModel(model); err != nil {
		return err
	}
	news := map[string][][]float32{}
	for _, v := range vectors {
		if err := rules.CheckVectors(model, v); err != nil {
			return err
		}
		if raw, err := hex.DecodeString(string(v.Key)); err == nil { // else it is the key of no passage
			news[string(raw)] = v.Vectors
		}
	}
	return s.write(ctx, "storing vectors", func(tx pgx.Tx, at *counters) error {
		m, err := placeOf(ctx, tx, model)
		if err != nil {
			return err
		}
		wanted, err := wantedVectors(ctx, tx, m, news)
		if err != nil || len(wanted) == 0 {
			return err
		}
		at.sequence++
		return putVectors(ctx, tx, m, wanted, news)
	})
}

// wantedVectors are the tenants and keys that have passages, but those whose vectors are
// stored as they are already; true where others are stored.
func wantedVectors(ctx context.Context, tx pgx.Tx, m storedModel, news map[string][][]float32) (map[orphan]bool, error) {
	asked := make([][]byte, 0, len(news))
	for key := range news {
		asked = append(asked, []byte(key))
	}
	wanted := map[orphan]bool{}
	var o orphan
	var key []byte
	if err := query(ctx, tx, "SELECT DISTINCT tenant, key FROM passage WHERE key = ANY($1)", []any{asked}, []any{&o.tenant, &key}, func() error {
		o.key = string(key)
		wanted[o] = false
		return nil
	}); err != nil || len(wanted) == 0 {
		return nil, err
	}
	stored := map[orphan][][]float32{}
	var floats []float32
	if err := query(ctx, tx, "SELECT tenant, key, embedding::real[] FROM "+m.table().Name+" WHERE key = ANY($1) ORDER BY key, tenant, no", []any{asked},
		[]any{&o.tenant, &key, &floats}, func() error {
			o.key = string(key)
			stored[o] = append(stored[o], slices.Clone(floats))
			return nil
		}); err != nil {
		return nil, err
	}
	for o, old := range stored {
		if slices.EqualFunc(old, news[o.key], slices.Equal[[]float32]) {
			delete(wanted, o)
		} else {
			wanted[o] = true
		}
	}
	return wanted, nil
}

func putVectors(ctx context.Context, tx pgx.Tx, m storedModel, wanted map[orphan]bool, news map[string][][]float32) error {
	replaced := orphans(maps.Clone(wanted))
	maps.DeleteFunc(replaced, func(_ orphan, there bool) bool { return !there })
	if err := replaced.drop(ctx, tx, m, false); err != nil {
		return err
	}
	list := slices.SortedFunc(maps.Keys(wanted), orphan.compare)
	used := map[string]bool{}
	w := vectorRows{table: m.table()}
	for _, o := range list {
		used[o.key] = true
		for no, v := range news[o.key] {
			w.add(o, no, v)
			if len(w.keys) == vectorBatch {
				if err := w.write(ctx, tx); err != nil {
					return err
				}
			}
		}
	}
	if err := w.write(ctx, tx); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE model SET keys = keys + $2 WHERE id = $1", m.id, len(wanted)); err != nil {
		return err
	}
	return lanes.Embedded(ctx, tx, m.table(), bytesOf(used))
}

// vectorRows are rows of a table of vectors that wait to be written.
type vectorRows struct {
	table   lanes.VectorTable
	tenants []string
	keys    [][]byte
	nos     []int32
	floats  []float32 // of all rows, one behind the other
}

func (w *vectorRows) add(o orphan, no int, v []float32) {
	w.tenants, w.keys, w.nos = append(w.tenants, o.tenant), append(w.keys, []byte(o.key)), append(w.nos, int32(no))
	w.floats = append(w.floats, v...)
}

func (w *vectorRows) write(ctx context.Context, tx pgx.Tx) error {
	if len(w.keys) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, fmt.Sprintf(`INSERT INTO %s (tenant, key, no, embedding)
		SELECT a.tenant, a.key, a.no, ($4::real[])[(a.at - 1) * %d + 1 : a.at * %d]::vector
		FROM unnest($1::text[], $2::bytea[], $3::int[]) WITH ORDINALITY a (tenant, key, no, at)`, w.table.Name, w.table.Dims, w.table.Dims),
		w.tenants, w.keys, w.nos, w.floats)
	w.tenants, w.keys, w.nos, w.floats = w.tenants[:0], w.keys[:0], w.nos[:0], w.floats[:0]
	return err
}

// orphan is a content key of a tenant.
type orphan struct{ tenant, key string }

func (o orphan) compare(other orphan) int {
	return slices.Compare([]string{o.key, o.tenant}, []string{other.key, other.tenant})
}

type orphans map[orphan]bool

// drop deletes the vectors of keys in a model; with unless those that a passage has.
func (list orphans) drop(ctx context.Context, tx pgx.Tx, m storedModel, unless bool) error {
	if len(list) == 0 {
		return nil
	}
	tenants, keys := make([]string, 0, len(list)), make([][]byte, 0, len(list))
	for o := range list {
		tenants, keys = append(tenants, o.tenant), append(keys, []byte(o.key))
	}
	owned := ""
	if unless {
		owned = "AND NOT EXISTS (SELECT FROM passage p WHERE p.key = v.key AND p.tenant = v.tenant)"
	}
	_, err := tx.Exec(ctx, fmt.Sprintf(`WITH gone AS (DELETE FROM %s v USING unnest($2::text[], $3::bytea[]) a (tenant, key)
			WHERE v.key = a.key AND v.tenant = a.tenant %s RETURNING v.no)
		UPDATE model SET keys = keys - (SELECT count(*) FROM gone WHERE no = 0) WHERE id = $1`, m.table().Name, owned), m.id, tenants, keys)
	return err
}

// dropOrphans drops the vectors of content keys that no passage has any more.
func (a *applier) dropOrphans() error {
	if len(a.orphans) == 0 {
		return nil
	}
	models, err := modelRows(a.ctx, a.tx)
	for _, m := range models {
		if err == nil {
			err = a.orphans.drop(a.ctx, a.tx, m, true)
		}
	}
	return err
}

// shareVectors gives the new passages the vectors that their content has already: those of
// its tenant are told to the index, those of another tenant are copied.
func (a *applier) shareVectors() error {
	models, err := modelRows(a.ctx, a.tx)
	if err != nil || len(models) == 0 || len(a.keys) == 0 {
		return err
	}
	tenants, keys := make([]string, 0, len(a.keys)), make([][]byte, 0, len(a.keys))
	for o := range a.keys {
		tenants, keys = append(tenants, o.tenant), append(keys, []byte(o.key))
	}
	for _, m := range models {
		if _, err := a.tx.Exec(a.ctx, fmt.Sprintf(`WITH copied AS (INSERT INTO %[1]s (tenant, key, no, embedding)
				SELECT a.tenant, v.key, v.no, v.embedding FROM unnest($2::text[], $3::bytea[]) a (tenant, key)
				JOIN %[1]s v ON v.key = a.key AND v.tenant = (SELECT min(tenant) FROM %[1]s WHERE key = a.key)
				WHERE NOT EXISTS (SELECT FROM %[1]s w WHERE w.key = a.key AND w.tenant = a.tenant) RETURNING no)
			UPDATE model SET keys = keys + (SELECT count(*) FROM copied WHERE no = 0) WHERE id = $1`, m.table().Name), m.id, tenants, keys); err != nil {
			return err
		}
		var found [][]byte
		var key []byte
		if err := a.each("SELECT DISTINCT key FROM "+m.table().Name+" WHERE key = ANY($1)", []any{keys}, []any{&key}, func() error {
			found = append(found, slices.Clone(key))
			return nil
		}); err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		if err := lanes.Embedded(a.ctx, a.tx, m.table(), found); err != nil {
			return err
		}
	}
	return nil
}

func bytesOf(set map[string]bool) [][]byte {
	out := make([][]byte, 0, len(set))
	for s := range set {
		out = append(out, []byte(s))
	}
	return out
}
