package local

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"math"

	"github.com/seed-d3156d19/quarry/document"
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
		var sequence int64
		for _, v := range vectors {
			key, err := hex.DecodeString(string(v.Key))
			if err != nil {
				continue // the key of no passage
			}
			if used, err := c.get(ctx, "SELECT 1 FROM passage WHERE key = ? LIMIT 1", []any{key}, new(int)); err != nil {
				return err
			} else if !used {
				continue
			}
			windows := encodeWindows(v.Vectors)
			var had []byte
			if _, err := c.get(ctx, "SELECT windows FROM vector WHERE model = ? AND key = ?", []any{id, key}, &had); err != nil {
				return err
			}
			if bytes.Equal(had, windows) {
				continue
			}
			if sequence == 0 {
				if sequence, err = c.bump(ctx); err != nil {
					return err
				}
			}
			if _, err := c.exec(ctx, `INSERT INTO vector (model, key, changed, windows) VALUES (?, ?, ?, ?)
				ON CONFLICT (model, key) DO UPDATE SET changed = excluded.changed, windows = excluded.windows`,
				id, key, sequence, windows); err != nil {
				return err
			}
		}
		return nil
	})
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
		_, err = c.get(ctx, "INSERT INTO model (name, dims) VALUES (?, ?) RETURNING id", []any{m.Name, m.Dims}, &id)
	case dims != m.Dims:
		err = fmt.Errorf("%w: model %s was stored with %d dimensions, not %d; give the other model another name and embed again",
			store.ErrInvalid, m.Name, dims, m.Dims)
	}
	return id, err
}

// MissingVectors implements store.Index, in the order the passages were added.
func (s *Store) MissingVectors(ctx context.Context, model store.Model, limit int) ([]store.Unembedded, error) {
	var out []store.Unembedded
	if limit <= 0 {
		return nil, s.alive()
	}
	err := s.reading(ctx, "looking for passages without vectors", func(c *conn) error {
		seen := map[string]bool{}
		var key []byte
		var u store.Unembedded
		err := c.each(ctx, `SELECT p.key, p.context, p.text FROM passage p
			WHERE NOT EXISTS (SELECT 1 FROM vector v JOIN model m ON m.id = v.model WHERE m.name = ? AND m.dims = ? AND v.key = p.key)
			ORDER BY p.row`, []any{model.Name, model.Dims}, []any{&key, &u.Context, &u.Text}, func() error {
			if seen[string(key)] {
				return nil
			}
			seen[string(key)] = true
			u.Key = document.ContentKey(hex.EncodeToString(key))
			if out = append(out, u); len(out) == limit {
				return errFound
			}
			return nil
		})
		if err == errFound {
			return nil
		}
		return err
	})
	return out, err
}
