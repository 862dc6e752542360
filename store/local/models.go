package local

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// The model in force is the oldest row of table model: to adopt another is to delete
// the rows before it, so no state can name two or none. A row without vectors holds
// the place of nobody: the first vectors of another model take it.

// sameName stands in the column name, which is unique, between the name of a model
// and its dimensions, where another row has the name.
const sameName = "\x1f"

// storedModel is a model with its place in the file.
type storedModel struct {
	store.Model
	id   int64
	keys int // that have vectors
}

// modelRows lists the models, the one in force first.
func (c *conn) modelRows(ctx context.Context) (out []storedModel, err error) {
	var r storedModel
	err = c.each(ctx, "SELECT id, name, dims, keys FROM model ORDER BY id", nil, []any{&r.id, &r.Name, &r.Dims, &r.keys}, func() error {
		r.Name, _, _ = strings.Cut(r.Name, sameName)
		out = append(out, r)
		return nil
	})
	return out, err
}

// models lists the models by their row.
func (c *conn) models(ctx context.Context) (map[int64]store.Model, error) {
	rows, err := c.modelRows(ctx)
	out := make(map[int64]store.Model, len(rows))
	for _, r := range rows {
		out[r.id] = r.Model
	}
	return out, err
}

// modelRow finds a model's row, 0 where it has no place.
func (c *conn) modelRow(ctx context.Context, m store.Model) (int64, error) {
	rows, err := c.modelRows(ctx)
	for _, r := range rows {
		if r.Model == m {
			return r.id, nil
		}
	}
	return 0, err
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
func (c *conn) placeOf(ctx context.Context, m store.Model) (int64, error) {
	rows, err := c.modelRows(ctx)
	if err != nil {
		return 0, err
	}
	for _, r := range rows {
		if r.Model == m {
			return r.id, nil
		}
	}
	if have := modelsOf(rows); have.InForce != (store.Model{}) {
		return 0, fmt.Errorf("%w, %s with %d dimensions, and not of %s with %d", store.ErrModel, have.InForce.Name, have.InForce.Dims, m.Name, m.Dims)
	}
	for _, r := range rows {
		if err := c.dropModel(ctx, r.id); err != nil {
			return 0, err
		}
	}
	return c.insertModel(ctx, rows, m)
}

func (c *conn) insertModel(ctx context.Context, rows []storedModel, m store.Model) (id int64, err error) {
	name := m.Name
	for _, r := range rows {
		if r.Name == m.Name {
			name = m.Name + sameName + strconv.Itoa(m.Dims)
		}
	}
	_, err = c.get(ctx, "INSERT INTO model (name, dims, keys) VALUES (?, ?, 0) RETURNING id", []any{name, m.Dims}, &id)
	return id, err
}

// dropModel removes a model with its vectors.
func (c *conn) dropModel(ctx context.Context, id int64) error {
	for _, statement := range []string{"DELETE FROM block WHERE model = ?", "DELETE FROM vector WHERE model = ?", "DELETE FROM model WHERE id = ?"} {
		if _, err := c.exec(ctx, statement, id); err != nil {
			return err
		}
	}
	return nil
}

// Models implements store.Index.
func (s *Store) Models(ctx context.Context) (out store.Models, err error) {
	err = s.reading(ctx, "looking for the embedding model", func(c *conn) error {
		rows, err := c.modelRows(ctx)
		out = modelsOf(rows)
		return err
	})
	return out, err
}

// Model implements store.View.
func (v *view) Model(ctx context.Context) (m store.Model, err error) {
	err = v.reads(ctx, "looking for the embedding model", func(c *conn) error {
		rows, err := c.modelRows(ctx)
		m = modelsOf(rows).InForce
		return err
	})
	return m, err
}

// AddModel implements store.Index.
func (s *Store) AddModel(ctx context.Context, m store.Model) error {
	if err := rules.CheckModel(m); err != nil {
		return err
	}
	return s.write(ctx, "making a place for vectors", func(c *conn) error {
		rows, err := c.modelRows(ctx)
		if err != nil {
			return err
		}
		if have := modelsOf(rows); have.InForce == (store.Model{}) || have.InForce == m || slices.Contains(have.Beside, m) {
			return errNothing
		}
		if _, err := c.bump(ctx); err != nil {
			return err
		}
		_, err = c.insertModel(ctx, rows, m)
		return err
	})
}

// AdoptModel implements store.Index.
func (s *Store) AdoptModel(ctx context.Context, m store.Model, lacking int) (adopted bool, err error) {
	err = s.write(ctx, "putting an embedding model in force", func(c *conn) error {
		rows, err := c.modelRows(ctx)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(rows, func(r storedModel) bool { return r.Model == m })
		switch {
		case at < 0:
			return fmt.Errorf("%w: %s with %d dimensions has no place in it", store.ErrModel, m.Name, m.Dims)
		case at == 0:
			adopted = true
			return errNothing
		}
		missing, err := c.countMissing(ctx, rows[at].id, s.embedded.get(rows[at].id))
		if err != nil {
			return err
		}
		if missing > lacking {
			return errNothing
		}
		if _, err := c.bump(ctx); err != nil {
			return err
		}
		for i, r := range rows {
			if i == at {
				continue
			}
			if err := c.dropModel(ctx, r.id); err != nil {
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
	return s.write(ctx, "removing vectors", func(c *conn) error {
		rows, err := c.modelRows(ctx)
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
			if _, err := c.bump(ctx); err != nil {
				return err
			}
			return c.dropModel(ctx, r.id)
		}
		return errNothing
	})
}
