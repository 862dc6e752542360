package local

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/seed-d3156d19/quarry/store"
)

// checkCodes compares every code of a model with the vector that it was made of.
func (a *vectorWriter) checkCodes() error {
	var ids []int64
	var id int64
	if err := a.each(a.ctx, "SELECT id FROM block WHERE model = ? ORDER BY first", []any{a.model}, []any{&id},
		func() error { ids = append(ids, id); return nil }); err != nil {
		return err
	}
	keys, last := 0, int64(0)
	for _, id := range ids {
		w, err := a.read(id)
		if err != nil {
			return err
		}
		if len(w.keys) == 0 || w.keys[0].id <= last {
			return fmt.Errorf("%w: blocks of vectors overlap", store.ErrDamaged)
		}
		keys, last = keys+len(w.keys), w.keys[len(w.keys)-1].id
		want := newContent(a.dims)
		if err := a.encodeRows(a.ctx, want, a.model, a.dims, w.keys[0].id-1, last, math.MaxInt32); err != nil {
			return err
		}
		if !slices.Equal(w.keys, want.keys) || !slices.Equal(w.scales, want.scales) || !bytes.Equal(w.rows, want.rows) || w.spread < want.spread {
			return fmt.Errorf("%w: codes are not those of their vectors", store.ErrDamaged)
		}
	}
	rows := 0
	if _, err := a.get(a.ctx, "SELECT count(*) FROM vector WHERE model = ?", []any{a.model}, &rows); err != nil {
		return err
	}
	if rows != keys {
		return fmt.Errorf("%w: %d content keys of %d have codes", store.ErrDamaged, keys, rows)
	}
	return a.complete(a.ctx, a.model, keys)
}
