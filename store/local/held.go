package local

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-d3156d19/quarry/store"
)

// used reports which of some content keys, in bytes, a passage has. It may only be asked
// where the index may be built anew.
func (c *conn) used(ctx context.Context, keys []string) (map[string]bool, error) {
	out, err := c.usedNow(ctx, keys)
	if !errors.Is(err, store.ErrDamaged) {
		return out, err
	}
	sequence, err := c.sequence(ctx)
	if err == nil {
		err = (&applier{conn: c, ctx: ctx, sequence: sequence}).rebuild()
	}
	if err != nil {
		return nil, err
	}
	return c.usedNow(ctx, keys)
}

func (c *conn) usedNow(ctx context.Context, keys []string) (map[string]bool, error) {
	all, err := c.allHolders(ctx, byKey)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	looked := map[int64]map[string]bool{} // the keys of documents
	for _, key := range keys {
		hash := hashOf(key)
		for _, h := range all {
			if err := h.of(hash, func(doc int64) error {
				if out[key] {
					return nil
				}
				if looked[doc] == nil {
					looked[doc] = map[string]bool{}
					var has []byte
					if err := c.each(ctx, "SELECT key FROM passage WHERE document = ?", []any{doc}, []any{&has},
						func() error { looked[doc][string(has)] = true; return nil }); err != nil {
						return err
					}
				}
				if looked[doc][key] {
					out[key] = true
				}
				return nil
			}); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// own checks that no passage of the segments that a change made, which are not in the
// file yet, has the id of another document's.
func (a *applier) own(made []built) error {
	before, err := a.allHolders(a.ctx, byID)
	if err != nil {
		return err
	}
	for _, s := range made {
		fresh, err := decodeHolders(s.ids, s.docs)
		if err != nil {
			return err
		}
		before = append(before, fresh) // itself as well
		for i := range fresh.n() {
			for _, h := range before {
				if err := h.of(fresh.at(i), func(doc int64) error { return a.distinct(fresh.doc(i), doc) }); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// distinct is an error where two documents have a passage id in common.
func (a *applier) distinct(doc, other int64) error {
	if doc == other {
		return nil
	}
	var id []byte
	found, err := a.get(a.ctx, `SELECT id FROM passage WHERE document = ?
		AND id IN (SELECT id FROM passage WHERE document = ?) LIMIT 1`, []any{doc, other}, &id)
	if err == nil && found {
		err = fmt.Errorf("%w: passage id %x belongs to another document", store.ErrInvalid, id)
	}
	return err
}
