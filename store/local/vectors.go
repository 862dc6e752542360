package local

import (
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"github.com/seed-d3156d19/quarry/store"
)

// PutVectors implements store.Index. Like Apply it makes a commit, if it changed
// something, so that views stay what they were and other processes follow.
func (s *Store) PutVectors(ctx context.Context, model store.Model, vectors []store.Vectors) error {
	if model.Name == "" || model.Dims <= 0 {
		return fmt.Errorf("%w: model %q with %d dimensions", store.ErrInvalid, model.Name, model.Dims)
	}
	for _, v := range vectors {
		if err := checkVectors(model, v); err != nil {
			return err
		}
	}
	return s.write(ctx, "storing vectors", func(c *conn) error {
		id, err := c.model(ctx, model)
		if err != nil {
			return err
		}
		return (&vectorWriter{conn: c, ctx: ctx, model: id, dims: model.Dims}).put(vectors)
	})
}

// vectorWriter changes the vectors of one model within a transaction.
type vectorWriter struct {
	*conn
	ctx   context.Context
	model int64
	dims  int
}

// put stores vectors of keys that a passage has; of a key given twice the later.
func (a *vectorWriter) put(vectors []store.Vectors) error {
	news := map[string][]float32{}
	var keys []string
	known := map[string]bool{}
	for _, v := range vectors {
		raw, err := hex.DecodeString(string(v.Key))
		if err != nil {
			continue // the key of no passage
		}
		if used, err := a.get(a.ctx, "SELECT 1 FROM passage WHERE key = ? LIMIT 1", []any{raw}, new(int)); err != nil {
			return err
		} else if !used {
			continue
		}
		key := string(raw)
		if _, twice := news[key]; !twice {
			keys = append(keys, key)
		}
		news[key] = slices.Concat(v.Vectors...)
		has, err := a.get(a.ctx, "SELECT 1 FROM vector WHERE model = ? AND key = ?", []any{a.model, raw}, new(int))
		if err != nil {
			return err
		}
		if has {
			known[key] = true
		}
	}
	if err := a.unchanged(known, news); err != nil || len(news) == 0 {
		return err
	}
	if _, err := a.bump(a.ctx); err != nil {
		return err
	}
	if err := a.drop(known); err != nil {
		return err
	}
	var w content
	added := 0
	for _, key := range keys {
		floats, ok := news[key]
		if !ok {
			continue
		}
		w.add(key, floats, a.dims)
		if !known[key] {
			added++
			if _, err := a.exec(a.ctx, "INSERT INTO vector (model, key) VALUES (?, ?)", a.model, []byte(key)); err != nil {
				return err
			}
		}
	}
	if err := a.count(added); err != nil {
		return err
	}
	return a.append(&w)
}

// count keeps the number of keys that have vectors.
func (a *vectorWriter) count(more int) error {
	_, err := a.exec(a.ctx, "UPDATE model SET keys = keys + ? WHERE id = ?", more, a.model)
	return err
}

// unchanged takes out of both what is stored as it is already.
func (a *vectorWriter) unchanged(known map[string]bool, news map[string][]float32) error {
	if len(known) == 0 {
		return nil
	}
	var ids []int64
	var id int64
	if err := a.each(a.ctx, "SELECT id FROM block WHERE model = ?", []any{a.model}, []any{&id}, func() error { ids = append(ids, id); return nil }); err != nil {
		return err
	}
	for _, id := range ids {
		old, err := a.read(id)
		if err != nil {
			return err
		}
		old.each(a.dims, func(key string, floats []float32) {
			if known[key] && slices.Equal(floats, news[key]) {
				delete(known, key)
				delete(news, key)
			}
		})
	}
	return nil
}

func checkVectors(model store.Model, v store.Vectors) error {
	if len(v.Vectors) == 0 {
		return fmt.Errorf("%w: content key %s comes without a vector", store.ErrInvalid, v.Key)
	}
	for _, w := range v.Vectors {
		if len(w) != model.Dims {
			return fmt.Errorf("%w: content key %s has a vector of %d dimensions and model %s has %d", store.ErrInvalid, v.Key, len(w), model.Name, model.Dims)
		}
		for _, x := range w {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fmt.Errorf("%w: content key %s has a vector that is not finite", store.ErrInvalid, v.Key)
			}
		}
	}
	return nil
}

// model returns the row of a model and fixes its dimensions at the first call.
func (c *conn) model(ctx context.Context, m store.Model) (int64, error) {
	var id int64
	var dims int
	found, err := c.get(ctx, "SELECT id, dims FROM model WHERE name = ?", []any{m.Name}, &id, &dims)
	switch {
	case err != nil:
		return 0, err
	case !found:
		_, err = c.get(ctx, "INSERT INTO model (name, dims, keys) VALUES (?, ?, 0) RETURNING id", []any{m.Name, m.Dims}, &id)
	case dims != m.Dims:
		err = fmt.Errorf("%w: model %s was stored with %d dimensions, not %d; give the other model another name and embed again",
			store.ErrInvalid, m.Name, dims, m.Dims)
	}
	return id, err
}

// models lists the models that vectors were stored of, by their row.
func (c *conn) models(ctx context.Context) (map[int64]store.Model, error) {
	out := map[int64]store.Model{}
	var id int64
	var m store.Model
	err := c.each(ctx, "SELECT id, name, dims FROM model", nil, []any{&id, &m.Name, &m.Dims}, func() error { out[id] = m; return nil })
	return out, err
}
