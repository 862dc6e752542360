package local

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// PutVectors implements store.Index. Like Apply it makes a commit, if it changed
// something, so that views stay what they were and other processes follow.
func (s *Store) PutVectors(ctx context.Context, model store.Model, vectors []store.Vectors) error {
	if err := rules.CheckModel(model); err != nil {
		return err
	}
	for _, v := range vectors {
		if err := rules.CheckVectors(model, v); err != nil {
			return err
		}
	}
	return s.write(ctx, "storing vectors", func(c *conn) error {
		id, err := c.placeOf(ctx, model)
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
	for _, v := range vectors {
		raw, err := hex.DecodeString(string(v.Key))
		if err != nil {
			continue // the key of no passage
		}
		key := string(raw)
		if _, twice := news[key]; !twice {
			keys = append(keys, key)
		}
		news[key] = slices.Concat(v.Vectors...)
	}
	used, err := a.used(a.ctx, keys)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if !used[key] {
			delete(news, key)
		}
	}
	replaced, err := a.compare(news)
	if err != nil || len(news) == 0 {
		return err
	}
	if _, err := a.bump(a.ctx); err != nil {
		return err
	}
	for id := range replaced {
		if _, err := a.exec(a.ctx, "DELETE FROM vector WHERE id = ?", id); err != nil {
			return err
		}
	}
	if err := a.count(-len(replaced)); err != nil {
		return err
	}
	if err := a.drop(replaced); err != nil {
		return err
	}
	w := newContent(a.dims)
	for _, key := range keys {
		floats, ok := news[key]
		if !ok {
			continue
		}
		id, err := a.store(key, floats)
		if err != nil {
			return err
		}
		w.add(id, key, floats, a.dims)
	}
	if err := a.count(len(w.keys)); err != nil {
		return err
	}
	return a.append(w)
}

// compare takes out of news what is stored as it is already, and returns the rows
// of what is stored otherwise.
func (a *vectorWriter) compare(news map[string][]float32) (replaced map[int64]bool, err error) {
	replaced = map[int64]bool{}
	for key, floats := range news {
		var id int64
		var old []byte
		found, err := a.get(a.ctx, "SELECT id, floats FROM vector WHERE model = ? AND key = ?", []any{a.model, []byte(key)}, &id, &old)
		switch {
		case err != nil:
			return nil, err
		case found && bytes.Equal(old, encodeFloats(floats)):
			delete(news, key)
		case found:
			replaced[id] = true
		}
	}
	return replaced, nil
}

// store writes the vectors of a key and returns their row.
func (a *vectorWriter) store(key string, floats []float32) (int64, error) {
	result, err := a.exec(a.ctx, "INSERT INTO vector (model, key, floats) VALUES (?, ?, ?)", a.model, []byte(key), encodeFloats(floats))
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// count keeps the number of keys that have vectors.
func (a *vectorWriter) count(more int) error {
	_, err := a.exec(a.ctx, "UPDATE model SET keys = keys + ? WHERE id = ?", more, a.model)
	return err
}

// dropVectors drops the vectors of content keys that no passage has any more.
func (a *applier) dropVectors() error {
	if len(a.orphans) == 0 {
		return nil
	}
	used, err := a.used(a.ctx, slices.Collect(maps.Keys(a.orphans)))
	if err != nil {
		return err
	}
	for key := range used {
		delete(a.orphans, key)
	}
	models, err := a.models(a.ctx)
	if err != nil {
		return err
	}
	for row, m := range models {
		gone := map[int64]bool{}
		for key := range a.orphans {
			var id int64
			found, err := a.get(a.ctx, "DELETE FROM vector WHERE model = ? AND key = ? RETURNING id", []any{row, []byte(key)}, &id)
			if err != nil {
				return err
			}
			if found {
				gone[id] = true
			}
		}
		w := vectorWriter{conn: a.conn, ctx: a.ctx, model: row, dims: m.Dims}
		if err := w.count(-len(gone)); err != nil {
			return err
		}
		if err := w.drop(gone); err != nil {
			return err
		}
	}
	return nil
}

// rebuildVectors makes the blocks of all models anew.
func (a *applier) rebuildVectors() error {
	models, err := a.models(a.ctx)
	if err != nil {
		return err
	}
	for row, m := range models {
		if err := (&vectorWriter{conn: a.conn, ctx: a.ctx, model: row, dims: m.Dims}).rebuild(); err != nil {
			return err
		}
	}
	return nil
}

// encodeFloats seals vectors, one behind the other.
func encodeFloats(floats []float32) []byte {
	return seal(appendFloats(make([]byte, 0, 4*len(floats)+4), floats))
}

// decodeFloats reads one or more vectors of dims components.
func decodeFloats(raw []byte, dims int) ([]float32, error) {
	body, err := unseal(raw)
	if err != nil {
		return nil, err
	}
	if dims <= 0 || len(body) == 0 || len(body)%4 != 0 || len(body)/4%dims != 0 {
		return nil, fmt.Errorf("%w: %d bytes are no vectors of %d dimensions", store.ErrDamaged, len(body), dims)
	}
	return floatsOf(body), nil
}
