package local

import (
	"context"
	"errors"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// places are the documents that a restricted view is narrowed to, with the
// sections of each.
type places map[document.ID]*within

type within struct {
	row      int64        // document row; 0 if it has no revision that is seen
	sections map[int]bool // nil: the whole document
}

func (p places) holds(h *held) bool {
	w, ok := p[h.id]
	return ok && (w.sections == nil || !h.failed)
}

// sections is what the index in memory needs to know.
func (p places) sections() map[int64]map[int]bool {
	out := map[int64]map[int]bool{}
	for _, w := range p {
		if w.row != 0 {
			out[w.row] = w.sections
		}
	}
	return out
}

// holdsSection reports whether a section of a document that is seen lies within.
func (v *view) holdsSection(id document.ID, section int) bool {
	if v.within == nil {
		return true
	}
	w, ok := v.within[id]
	return ok && (w.sections == nil || w.sections[section])
}

// Restrict implements store.View. Restricting again intersects.
func (v *view) Restrict(ctx context.Context, to []store.Place) (store.View, error) {
	narrow := places{}
	err := v.reads(ctx, "narrowing a view", func(c *conn) error {
		for _, p := range to {
			if err := v.narrowTo(ctx, c, narrow, p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	v.share()
	return &view{pin: v.pin, scope: v.scope, day: v.day, today: v.today, within: narrow, docs: map[document.ID]*held{}}, nil
}

func (v *view) narrowTo(ctx context.Context, c *conn, narrow places, p store.Place) error {
	h, err := v.held(ctx, c, p.Document)
	if errors.Is(err, document.ErrNotFound) {
		// It may be a document that failed, which is listed and no more.
		if p.Section == 0 && (v.within == nil || v.within[p.Document] != nil) && narrow[p.Document] == nil {
			narrow[p.Document] = &within{}
		}
		return nil
	}
	if err != nil {
		return err
	}
	outline, err := h.outline(ctx, c)
	if err != nil || p.Section < 0 || p.Section >= len(outline) {
		return err
	}
	w := narrow[p.Document]
	if w == nil {
		w = &within{row: h.row, sections: map[int]bool{}}
	}
	if w.sections == nil {
		return nil // all of it already
	}
	if p.Section == 0 && (v.within == nil || v.within[p.Document].sections == nil) {
		w.sections = nil
		narrow[p.Document] = w
		return nil
	}
	below := make([]bool, len(outline))
	for i, s := range outline {
		if s.Parent >= i {
			return dangling("a section")
		}
		below[i] = i == p.Section || s.Parent >= 0 && below[s.Parent]
		if below[i] && v.holdsSection(p.Document, i) {
			w.sections[i] = true
			narrow[p.Document] = w
		}
	}
	return nil
}
