package local

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"math"

	"github.com/seed-d3156d19/quarry/store"
)

// Codes stand in blocks of about a megabyte, so that loading them is copying and a
// key that is replaced or gone costs little: its block is written anew without it.
// Small blocks become one as segments do (see newest).
const (
	smallestBlock = 16 << 10
	largestBlock  = 1 << 20
)

// blockKey is a content key, in bytes, with the row of its vectors and their number.
type blockKey struct {
	id  int64
	key string
	n   int
}

// encodeKeys takes keys by ascending id.
func encodeKeys(keys []blockKey) []byte {
	b := binary.AppendUvarint(nil, uint64(len(keys)))
	last := int64(0)
	for _, k := range keys {
		b = binary.AppendUvarint(b, uint64(k.id-last))
		b = appendString(b, k.key)
		b = binary.AppendUvarint(b, uint64(k.n))
		last = k.id
	}
	return seal(b)
}

func decodeKeys(raw []byte) ([]blockKey, error) {
	d, err := unpack(raw)
	if err != nil {
		return nil, err
	}
	n := d.count()
	out := make([]blockKey, 0, min(n, 1<<16))
	last := int64(0)
	for ; n > 0 && !d.bad; n-- {
		k := blockKey{last + int64(d.number(math.MaxInt64)), d.text(), d.number(math.MaxInt32)}
		d.bad = d.bad || k.n == 0 || k.id <= last
		out = append(out, k)
		last = k.id
		d.bad = d.bad || last-out[0].id > math.MaxUint32 // see block
	}
	return out, d.end()
}

// content is a block in full.
type content struct {
	keys []blockKey
	codes
}

func newContent(dims int) *content { return &content{codes: newCodes(dims)} }

// add appends the vectors of a key, which stand one behind the other.
func (w *content) add(id int64, key string, floats []float32, dims int) {
	w.keys = append(w.keys, blockKey{id, key, len(floats) / dims})
	for ; len(floats) > 0; floats = floats[dims:] {
		w.codes.add(floats[:dims])
	}
}

// take appends what keep wants of another block.
func (w *content) take(o *content, keep func(blockKey) bool) {
	at := 0
	for _, k := range o.keys {
		if keep(k) {
			w.keys = append(w.keys, k)
			w.codes.take(&o.codes, at, at+k.n)
		}
		at += k.n
	}
}

func (a *vectorWriter) read(id int64) (*content, error) {
	var keys, body []byte
	if _, err := a.get(a.ctx, "SELECT keys, body FROM block WHERE id = ?", []any{id}, &keys, &body); err != nil {
		return nil, err
	}
	return decodeContent(keys, body, a.dims)
}

func decodeContent(rawKeys, body []byte, dims int) (*content, error) {
	keys, err := decodeKeys(rawKeys)
	if err != nil {
		return nil, err
	}
	c, err := decodeCodes(body, vectorsIn(keys), dims)
	if err != nil {
		return nil, err
	}
	return &content{keys, *c}, nil
}

func vectorsIn(keys []blockKey) (n int) {
	for _, k := range keys {
		n += k.n
	}
	return n
}

func (a *vectorWriter) insert(w *content) error {
	if len(w.keys) == 0 {
		return nil
	}
	body := w.encode()
	_, err := a.exec(a.ctx, "INSERT INTO block (model, first, size, keys, body) VALUES (?, ?, ?, ?, ?)",
		a.model, w.keys[0].id, len(body), encodeKeys(w.keys), body)
	return err
}

func (a *vectorWriter) delete(id int64) error {
	_, err := a.exec(a.ctx, "DELETE FROM block WHERE id = ?", id)
	return err
}

// append adds a block of new vectors and merges the newest.
func (a *vectorWriter) append(w *content) error {
	if len(w.keys) == 0 {
		return nil
	}
	var list []extent
	var x extent
	if err := a.each(a.ctx, "SELECT id, size FROM block WHERE model = ? ORDER BY first", []any{a.model}, []any{&x.id, &x.size},
		func() error { list = append(list, x); return nil }); err != nil {
		return err
	}
	list = append(list, extent{size: len(w.rows) + 4*len(w.scales)})
	all := newContent(a.dims)
	everything := func(blockKey) bool { return true }
	for _, x := range list[min(newest(list, smallestBlock, largestBlock), len(list)-1) : len(list)-1] {
		old, err := a.read(x.id)
		if err != nil {
			return a.repair(err)
		}
		all.take(old, everything)
		if err := a.delete(x.id); err != nil {
			return err
		}
	}
	all.take(w, everything)
	return a.insert(all)
}

// drop takes vectors out of their blocks, by their rows.
func (a *vectorWriter) drop(ids map[int64]bool) error {
	hit := map[int64]bool{}
	for id := range ids {
		var block int64
		found, err := a.get(a.ctx, "SELECT id FROM block WHERE model = ? AND first <= ? ORDER BY first DESC LIMIT 1", []any{a.model, id}, &block)
		if err != nil {
			return err
		}
		if found { // else the blocks are damaged, and who reads them sees it
			hit[block] = true
		}
	}
	for block := range hit {
		old, err := a.read(block)
		if err != nil {
			return a.repair(err)
		}
		kept := newContent(a.dims)
		kept.take(old, func(k blockKey) bool { return !ids[k.id] })
		if err := a.delete(block); err != nil {
			return err
		}
		if err := a.insert(kept); err != nil {
			return err
		}
	}
	return nil
}

// repair makes the blocks anew where they are damaged.
func (a *vectorWriter) repair(err error) error {
	if !errors.Is(err, store.ErrDamaged) {
		return err
	}
	return a.rebuild()
}

// rebuild makes the blocks of the model from its vectors.
func (a *vectorWriter) rebuild() error {
	if _, err := a.exec(a.ctx, "DELETE FROM block WHERE model = ?", a.model); err != nil {
		return err
	}
	keys := 0
	if err := a.encodeVectors(a.ctx, a.model, a.dims, func(w *content) error {
		keys += len(w.keys)
		return a.insert(w)
	}); err != nil {
		return err
	}
	_, err := a.exec(a.ctx, "UPDATE model SET keys = ? WHERE id = ?", keys, a.model)
	return err
}

// encodeVectors calls fn with the blocks that the vectors of a model make.
func (c *conn) encodeVectors(ctx context.Context, model int64, dims int, fn func(*content) error) error {
	const batch = 1024 // rows; fn may write between two reads
	w := newContent(dims)
	for last, more := int64(0), true; more; {
		before := len(w.keys)
		if err := c.encodeRows(ctx, w, model, dims, last, math.MaxInt64, batch); err != nil {
			return err
		}
		if more = len(w.keys) == before+batch; more {
			last = w.keys[len(w.keys)-1].id
		}
		if len(w.rows) > largestBlock/2 || !more && len(w.keys) > 0 {
			if err := fn(w); err != nil {
				return err
			}
			w = newContent(dims)
		}
	}
	return nil
}

// encodeRows adds the vectors of the rows after one and up to another to a block, at
// most limit of them.
func (c *conn) encodeRows(ctx context.Context, w *content, model int64, dims int, after, last int64, limit int) error {
	var id int64
	var key, raw sql.RawBytes
	return c.each(ctx, "SELECT id, key, floats FROM vector NOT INDEXED WHERE model = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?",
		[]any{model, after, last, limit}, []any{&id, &key, &raw}, func() error {
			floats, err := decodeFloats(raw, dims)
			if err == nil {
				w.add(id, string(key), floats, dims)
			}
			return err
		})
}
