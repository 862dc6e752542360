package local

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"math"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Up to format 3 the vectors themselves stood in blocks, and the table vector told
// only which keys have some.

// vectorRowsFormat is the first that has vectors.sql.
const vectorRowsFormat = 4

//go:embed vectors.sql
var vectorSchema string

// oldKeys decodes the content keys of an old block. Their ids count from 1.
func oldKeys(raw []byte) ([]blockKey, error) {
	d, err := unpack(raw)
	if err != nil {
		return nil, err
	}
	var out []blockKey
	for n := d.count(); n > 0 && !d.bad; n-- {
		k := blockKey{int64(len(out) + 1), d.text(), d.number(math.MaxInt32)}
		d.bad = d.bad || k.n == 0
		out = append(out, k)
	}
	return out, d.end()
}

// oldFloats decodes the body of an old block of n vectors.
func oldFloats(raw []byte, n, dims int) ([]float32, error) {
	floats, err := decodeFloats(raw, dims)
	if err == nil && len(floats)/dims != n {
		err = fmt.Errorf("%w: a block holds %d vectors of %d", store.ErrDamaged, len(floats)/dims, n)
	}
	return floats, err
}

// oldSet reads the keys of a model's blocks. Their ids are taken far below those
// that the blocks of this format will have.
func (s *snapshot) oldSet(ctx context.Context, c *conn, row int64, had *vectorSet) (*vectorSet, error) {
	var ids []int64
	var id int64
	if err := c.each(ctx, "SELECT id FROM block WHERE model = ? ORDER BY id", []any{row}, []any{&id},
		func() error { ids = append(ids, math.MinInt64+id); return nil }); err != nil {
		return nil, err
	}
	return had.at(ids, func(id int64) (*block, error) {
		keys, err := c.blockKeys(ctx, id-math.MinInt64, oldKeys, func(n int) int { return 4*n*had.model.Dims + 4 })
		if err != nil {
			return nil, err
		}
		b := newBlock(id, keys, s.numbers)
		b.old = true
		return b, nil
	}, func(have int) error { return c.complete(ctx, row, have) })
}

// fillOld keeps the vectors of an old block and makes their codes.
func (b *block) fillOld(ctx context.Context, c *conn, dims int) error {
	var raw sql.RawBytes
	return c.each(ctx, "SELECT body FROM block WHERE id = ?", []any{b.id - math.MinInt64}, []any{&raw}, func() (err error) {
		if b.floats, err = oldFloats(raw, len(b.ids), dims); err != nil {
			return err
		}
		all := newCodes(dims)
		for at := 0; at < len(b.floats); at += dims {
			all.add(b.floats[at : at+dims])
		}
		b.codes.Store(&all)
		return nil
	})
}

// oldVectors reads the vectors of some content keys, and gives what conn.floats does.
func (c *conn) oldVectors(ctx context.Context, model int64, dims int, keys []document.ContentKey) (func(context.Context, int64, int, []byte) ([]float32, error), error) {
	wanted, found := map[string]bool{}, map[string][]float32{}
	for _, key := range keys {
		wanted[rawID(document.PassageID(key))] = true
	}
	var encoded, body []byte
	err := c.each(ctx, "SELECT keys, body FROM block WHERE model = ?", []any{model}, []any{&encoded, &body}, func() error {
		held, err := oldKeys(encoded)
		if err != nil || !slices.ContainsFunc(held, func(k blockKey) bool { return wanted[k.key] }) {
			return err
		}
		floats, err := oldFloats(body, vectorsIn(held), dims)
		if err != nil {
			return err
		}
		for _, k := range held {
			if wanted[k.key] {
				found[k.key] = floats[:k.n*dims]
			}
			floats = floats[k.n*dims:]
		}
		return nil
	})
	return func(_ context.Context, _ int64, _ int, key []byte) ([]float32, error) { return found[string(key)], nil }, err
}

// checkOld reads all blocks of a model.
func (c *conn) checkOld(ctx context.Context, row int64, m store.Model) error {
	set, err := (&snapshot{numbers: newNumbers()}).oldSet(ctx, c, row, &vectorSet{model: m})
	if err != nil {
		return err
	}
	for _, b := range set.blocks {
		if err := b.fill(ctx, c, m.Dims); err != nil {
			return err
		}
		b.codes.Store(nil)
		b.floats = nil
	}
	return nil
}

// migrateVectors gives each vector a row of its own and makes the codes. Nothing is
// embedded again. It is a commit, since an index that was loaded before knows the
// blocks as they stood.
func (c *conn) migrateVectors(ctx context.Context) error {
	if _, err := c.bump(ctx); err != nil {
		return err
	}
	for _, statement := range []string{"ALTER TABLE vector RENAME TO old_vector", "DROP INDEX block_model",
		"ALTER TABLE block RENAME TO old_block", vectorSchema} {
		if _, err := c.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	models, err := c.models(ctx)
	if err != nil {
		return err
	}
	for row, m := range models {
		w := &vectorWriter{conn: c, ctx: ctx, model: row, dims: m.Dims}
		if err := w.takeOld(); err != nil {
			return err
		}
		if err := w.rebuild(); err != nil {
			return err
		}
	}
	for _, statement := range []string{"DROP TABLE old_vector", "DROP TABLE old_block"} {
		if _, err := c.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

func (a *vectorWriter) takeOld() error {
	var ids []int64
	var id int64
	if err := a.each(a.ctx, "SELECT id FROM old_block WHERE model = ? ORDER BY id", []any{a.model}, []any{&id},
		func() error { ids = append(ids, id); return nil }); err != nil {
		return err
	}
	for _, id := range ids {
		var rawKeys, body []byte
		if _, err := a.get(a.ctx, "SELECT keys, body FROM old_block WHERE id = ?", []any{id}, &rawKeys, &body); err != nil {
			return err
		}
		keys, err := oldKeys(rawKeys)
		if err != nil {
			return err
		}
		floats, err := oldFloats(body, vectorsIn(keys), a.dims)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if _, err := a.store(k.key, floats[:k.n*a.dims]); err != nil {
				return err
			}
			floats = floats[k.n*a.dims:]
		}
	}
	return nil
}
