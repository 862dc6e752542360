package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
	"github.com/seed-d3156d19/quarry/store/postgres/internal/lanes"
)

// The model in force is the oldest row of table model: to adopt another is to delete
// the rows before it, so no state can name two or none. A row without vectors holds
// the place of nobody: the first vectors of another model take it.

// maxDims is what pgvector stores.
const maxDims = 16000

// storedModel is a model with its place in the store.
type storedModel struct {
	store.Model
	id   int64
	keys int64 // tenants and content keys that have vectors
}

func (m storedModel) table() lanes.VectorTable {
	return lanes.VectorTable{Name: "vector_" + strconv.FormatInt(m.id, 10), Dims: m.Dims}
}

const listModels = "SELECT id, name, dims, keys FROM model ORDER BY id"

// modelRows lists the models, the one in force first.
func modelRows(ctx context.Context, q querier) ([]storedModel, error) {
	rows, err := q.Query(ctx, listModels)
	if err != nil {
		return nil, err
	}
	return readModels(rows)
}

func readModels(rows pgx.Rows) (out []storedModel, err error) {
	var r storedModel
	_, err = pgx.ForEachRow(rows, []any{&r.id, &r.Name, &r.Dims, &r.keys}, func() error {
		out = append(out, r)
		return nil
	})
	return out, err
}

// modelRow finds a model's row, nil where it has no place.
func modelRow(ctx context.Context, q querier, m store.Model) (*storedModel, error) {
	rows, err := modelRows(ctx, q)
	for i := range rows {
		if rows[i].Model == m {
			return &rows[i], err
		}
	}
	return nil, err
}

// modelsOf tells what the rows mean.
func modelsOf(rows []storedModel) (out store.Models) {
	if len(rows) == 0 || len(rows) == 1 && rows[0].keys == 0 {
		return out
	}
	out.InForce = rows[0].Model
	for _, r := range rows[1:] {
		out.Beside = append(out.Beside, r.Model)
	}
	return out
}

// placeOf returns the row that vectors of a model go to.
func placeOf(ctx context.Context, tx pgx.Tx, m store.Model) (storedModel, error) {
	rows, err := modelRows(ctx, tx)
	if err != nil {
		return storedModel{}, err
	}
	for _, r := range rows {
		if r.Model == m {
			return r, nil
		}
	}
	if have := modelsOf(rows); have.InForce != (store.Model{}) {
		return storedModel{}, fmt.Errorf("%w, %s with %d dimensions, and not of %s with %d", store.ErrModel, have.InForce.Name, have.InForce.Dims, m.Name, m.Dims)
	}
	for _, r := range rows {
		if err := dropModel(ctx, tx, r); err != nil {
			return storedModel{}, err
		}
	}
	return insertModel(ctx, tx, m)
}

// insertModel makes a place for vectors.
func insertModel(ctx context.Context, tx pgx.Tx, m store.Model) (storedModel, error) {
	out := storedModel{Model: m}
	if m.Dims > maxDims {
		return out, fmt.Errorf("%w: model %s has %d dimensions, and Postgres stores %d", store.ErrInvalid, m.Name, m.Dims, maxDims)
	}
	if err := dropEmptied(ctx, tx); err != nil {
		return out, err
	}
	if err := tx.QueryRow(ctx, "INSERT INTO model (name, dims) VALUES ($1, $2) RETURNING id", m.Name, m.Dims).Scan(&out.id); err != nil {
		return out, err
	}
	table := out.table()
	for _, statement := range []string{
		fmt.Sprintf(`CREATE TABLE %s (tenant text COLLATE "C" NOT NULL, key bytea NOT NULL, no int NOT NULL, embedding vector(%d) NOT NULL,
			PRIMARY KEY (key, tenant, no))`, table.Name, m.Dims),
		lanes.VectorIndex(table.Name, m.Dims),
		security,
	} {
		if statement == "" {
			continue
		}
		if _, err := tx.Exec(ctx, statement); err != nil {
			return out, err
		}
	}
	return out, nil
}

// dropModel removes a model with its vectors. Its table stays, emptied: who opened a view
// before still finds in it what was there.
func dropModel(ctx context.Context, tx pgx.Tx, m storedModel) error {
	if _, err := tx.Exec(ctx, "DELETE FROM "+m.table().Name); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM model WHERE id = $1", m.id); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "INSERT INTO dropped (model) VALUES ($1)", m.id)
	return err
}

// dropEmptied drops the tables of models that are gone for so long that no view reads them.
func dropEmptied(ctx context.Context, tx pgx.Tx) error {
	var gone storedModel
	var names []string
	if err := query(ctx, tx, "DELETE FROM dropped WHERE at < now() - interval '1 day' RETURNING model", nil, []any{&gone.id}, func() error {
		names = append(names, gone.table().Name)
		return nil
	}); err != nil {
		return err
	}
	for _, name := range names {
		if _, err := tx.Exec(ctx, "DROP TABLE IF EXISTS "+name); err != nil {
			return err
		}
	}
	return nil
}

// Models implements store.Index.
func (s *Store) Models(ctx context.Context) (out store.Models, err error) {
	err = s.reading(ctx, "looking for the embedding model", func(tx pgx.Tx) error {
		rows, err := modelRows(ctx, tx)
		out = modelsOf(rows)
		return err
	})
	return out, err
}

// AddModel implements store.Index.
func (s *Store) AddModel(ctx context.Context, m store.Model) error {
	if err := checkModel(m); err != nil {
		return err
	}
	return s.write(ctx, "making a place for vectors", func(tx pgx.Tx, at *counters) error {
		rows, err := modelRows(ctx, tx)
		if err != nil {
			return err
		}
		if have := modelsOf(rows); have.InForce == (store.Model{}) || have.InForce == m || slices.Contains(have.Beside, m) {
			return errNothing
		}
		at.sequence++
		_, err = insertModel(ctx, tx, m)
		return err
	})
}

// AdoptModel implements store.Index.
func (s *Store) AdoptModel(ctx context.Context, m store.Model, lacking int) (adopted bool, err error) {
	err = s.write(ctx, "putting an embedding model in force", func(tx pgx.Tx, at *counters) error {
		adopted = false
		rows, err := modelRows(ctx, tx)
		if err != nil {
			return err
		}
		which := slices.IndexFunc(rows, func(r storedModel) bool { return r.Model == m })
		switch {
		case which < 0:
			return fmt.Errorf("%w: %s with %d dimensions has no place in it", store.ErrModel, m.Name, m.Dims)
		case which == 0:
			adopted = true
			return errNothing
		}
		missing, err := countMissing(ctx, tx, &rows[which], 0)
		if err != nil {
			return err
		}
		if missing > lacking {
			return errNothing
		}
		at.sequence++
		for i, r := range rows {
			if i == which {
				continue
			}
			if err := dropModel(ctx, tx, r); err != nil {
				return err
			}
		}
		adopted = true
		return nil
	})
	return adopted && err == nil, err
}

// DropModel implements store.Index.
func (s *Store) DropModel(ctx context.Context, m store.Model) error {
	return s.write(ctx, "removing vectors", func(tx pgx.Tx, at *counters) error {
		rows, err := modelRows(ctx, tx)
		if err != nil {
			return err
		}
		for i, r := range rows {
			switch {
			case r.Model != m:
				continue
			case i == 0:
				return fmt.Errorf("%w: those of %s with %d dimensions are in force and stay", store.ErrModel, m.Name, m.Dims)
			}
			at.sequence++
			return dropModel(ctx, tx, r)
		}
		return errNothing
	})
}

func checkModel(m store.Model) error {
	if err := rules.CheckModel(m); err != nil {
		return err
	}
	if clean(m.Name) != m.Name {
		return fmt.Errorf("%w: the name of model %q is not UTF-8", store.ErrInvalid, m.Name)
	}
	return nil
}

// vectorTable is the name of the table of a model's vectors; false where it has no place.
func vectorTable(ctx context.Context, q querier, m store.Model) (string, bool, error) {
	row, err := modelRow(ctx, q, m)
	if err != nil || row == nil {
		return "", false, err
	}
	return row.table().Name, true, nil
}
