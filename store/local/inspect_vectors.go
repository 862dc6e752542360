package local

import (
	"fmt"

	"github.com/seed-d3156d19/quarry/store"
)

// vectors compares each block with its checksums, and the keys in all with those
// that the record says have vectors.
func (i *inspection) vectors() error {
	models, err := i.conn.models(i.ctx)
	if err = i.found("the list of models", false, err); err != nil {
		return err
	}
	for row, m := range models {
		what := "vectors of model " + m.Name
		var ids []int64
		var id int64
		err := i.conn.each(i.ctx, "SELECT id FROM block WHERE model = ? ORDER BY id", []any{row}, []any{&id}, func() error { ids = append(ids, id); return nil })
		if err = i.found(what, false, err); err != nil {
			return err
		}
		keys, whole := map[string]bool{}, true
		for _, id := range ids {
			err := i.block(id, m.Dims, keys)
			if err == nil {
				i.blocks = append(i.blocks, id)
				continue
			}
			whole = false
			if err := i.found(what, false, err); err != nil {
				return err
			}
		}
		if whole {
			if err := i.found(what, false, i.keys(row, keys)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (i *inspection) block(id int64, dims int, keys map[string]bool) error {
	var raw, body []byte
	if _, err := i.conn.get(i.ctx, "SELECT keys, body FROM block WHERE id = ?", []any{id}, &raw, &body); err != nil {
		return err
	}
	list, err := decodeKeys(raw)
	if err != nil {
		return err
	}
	if _, err = decodeFloats(body, list, dims); err != nil {
		return err
	}
	for _, k := range list {
		keys[k.key] = true
	}
	return nil
}

func (i *inspection) keys(model int64, keys map[string]bool) error {
	var key []byte
	n, want := 0, 0
	if err := i.conn.each(i.ctx, "SELECT key FROM vector WHERE model = ?", []any{model}, []any{&key}, func() error {
		if n++; !keys[string(key)] {
			return fmt.Errorf("%w: a content key has no vector", store.ErrDamaged)
		}
		return nil
	}); err != nil {
		return err
	}
	if _, err := i.conn.get(i.ctx, "SELECT keys FROM model WHERE id = ?", []any{model}, &want); err != nil {
		return err
	}
	if n != len(keys) || n != want {
		return fmt.Errorf("%w: there are vectors of %d content keys, %d of %d listed", store.ErrDamaged, len(keys), n, want)
	}
	return nil
}
