package local

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/seed-d3156d19/quarry/store"
)

// Vectors stand in blocks of some megabytes, so that loading them is copying:
// one row for each vector costs ten times as much. Small blocks become one as
// segments do (see newest). A key that is replaced or orphaned is taken out of its
// block, which is then written anew.
const (
	smallestBlock = 16 << 10
	largestBlock  = 4 << 20
)

// blockKey is a content key, in bytes, and how many vectors it has.
type blockKey struct {
	key string
	n   int
}

func encodeKeys(keys []blockKey) []byte {
	b := binary.AppendUvarint(nil, uint64(len(keys)))
	for _, k := range keys {
		b = appendString(b, k.key)
		b = binary.AppendUvarint(b, uint64(k.n))
	}
	return seal(b)
}

func decodeKeys(raw []byte) ([]blockKey, error) {
	d, err := unpack(raw)
	if err != nil {
		return nil, err
	}
	var out []blockKey
	for n := d.count(); n > 0 && !d.bad; n-- {
		k := blockKey{d.text(), d.number(math.MaxInt32)}
		d.bad = d.bad || k.n == 0
		out = append(out, k)
	}
	return out, d.end()
}

func encodeFloats(vectors ...[]float32) []byte {
	n := 0
	for _, v := range vectors {
		n += len(v)
	}
	b := make([]byte, 0, 4*n+4)
	for _, v := range vectors {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return seal(b)
}

// decodeFloats returns the vectors of keys one behind the other, dims floats each.
func decodeFloats(raw []byte, keys []blockKey, dims int) ([]float32, error) {
	body, err := unseal(raw)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, k := range keys {
		n += k.n
	}
	if dims <= 0 || len(body)%4 != 0 || len(body)/4/dims != n || len(body)/4%dims != 0 {
		return nil, fmt.Errorf("%w: %d bytes are not %d vectors of %d dimensions", store.ErrDamaged, len(body), n, dims)
	}
	out := make([]float32, len(body)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
	}
	return out, nil
}

// content is a block in full.
type content struct {
	keys   []blockKey
	floats []float32
}

func (w *content) add(key string, floats []float32, dims int) {
	w.keys = append(w.keys, blockKey{key, len(floats) / dims})
	w.floats = append(w.floats, floats...)
}

// each calls fn with the vectors of each key.
func (w *content) each(dims int, fn func(key string, floats []float32)) {
	at := 0
	for _, k := range w.keys {
		next := at + k.n*dims
		fn(k.key, w.floats[at:next:next])
		at = next
	}
}

func (a *vectorWriter) read(id int64) (*content, error) {
	var keys, body []byte
	if _, err := a.get(a.ctx, "SELECT keys, body FROM block WHERE id = ?", []any{id}, &keys, &body); err != nil {
		return nil, err
	}
	var w content
	var err error
	if w.keys, err = decodeKeys(keys); err != nil {
		return nil, err
	}
	w.floats, err = decodeFloats(body, w.keys, a.dims)
	return &w, err
}

func (a *vectorWriter) insert(w *content) error {
	if len(w.keys) == 0 {
		return nil
	}
	body := encodeFloats(w.floats)
	_, err := a.exec(a.ctx, "INSERT INTO block (model, size, keys, body) VALUES (?, ?, ?, ?)", a.model, len(body), encodeKeys(w.keys), body)
	return err
}

func (a *vectorWriter) delete(id int64) error {
	_, err := a.exec(a.ctx, "DELETE FROM block WHERE id = ?", id)
	return err
}

// append adds a block and merges the newest.
func (a *vectorWriter) append(w *content) error {
	if len(w.keys) == 0 {
		return nil
	}
	var list []extent
	var x extent
	if err := a.each(a.ctx, "SELECT id, size FROM block WHERE model = ? ORDER BY id", []any{a.model}, []any{&x.id, &x.size},
		func() error { list = append(list, x); return nil }); err != nil {
		return err
	}
	list = append(list, extent{size: 4 * len(w.floats)})
	var all content
	for _, x := range list[min(newest(list, smallestBlock, largestBlock), len(list)-1) : len(list)-1] {
		old, err := a.read(x.id)
		if err != nil {
			return err
		}
		old.each(a.dims, func(key string, floats []float32) { all.add(key, floats, a.dims) })
		if err := a.delete(x.id); err != nil {
			return err
		}
	}
	w.each(a.dims, func(key string, floats []float32) { all.add(key, floats, a.dims) })
	return a.insert(&all)
}

// drop takes keys out of their blocks.
func (a *vectorWriter) drop(keys map[string]bool) error {
	if len(keys) == 0 {
		return nil
	}
	var id int64
	var raw []byte
	var hit []int64
	if err := a.each(a.ctx, "SELECT id, keys FROM block WHERE model = ?", []any{a.model}, []any{&id, &raw}, func() error {
		has, err := decodeKeys(raw)
		if slices.ContainsFunc(has, func(k blockKey) bool { return keys[k.key] }) {
			hit = append(hit, id)
		}
		return err
	}); err != nil {
		return err
	}
	for _, id := range hit {
		old, err := a.read(id)
		if err != nil {
			return err
		}
		var kept content
		old.each(a.dims, func(key string, floats []float32) {
			if !keys[key] {
				kept.add(key, floats, a.dims)
			}
		})
		if err := a.delete(id); err != nil {
			return err
		}
		if err := a.insert(&kept); err != nil {
			return err
		}
	}
	return nil
}

// dropVectors drops the vectors of content keys that no passage has any more.
func (a *applier) dropVectors() error {
	if len(a.orphans) == 0 {
		return nil
	}
	for key := range a.orphans {
		used, err := a.get(a.ctx, "SELECT 1 FROM passage WHERE key = ? LIMIT 1", []any{[]byte(key)}, new(int))
		if err != nil {
			return err
		}
		if used {
			delete(a.orphans, key)
		}
	}
	models, err := a.models(a.ctx)
	if err != nil {
		return err
	}
	for id, m := range models {
		gone := map[string]bool{}
		for key := range a.orphans {
			result, err := a.exec(a.ctx, "DELETE FROM vector WHERE model = ? AND key = ?", id, []byte(key))
			if err != nil {
				return err
			}
			if n, err := result.RowsAffected(); err != nil {
				return err
			} else if n > 0 {
				gone[key] = true
			}
		}
		w := vectorWriter{conn: a.conn, ctx: a.ctx, model: id, dims: m.Dims}
		if err := w.drop(gone); err != nil {
			return err
		}
		if err := w.count(-len(gone)); err != nil {
			return err
		}
	}
	return nil
}
