package local

import (
	"context"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// places are the documents, by their row, that a restricted view is narrowed to,
// with the sections of each.
type places map[int64]sections

// sections is a set of sections; nil is all.
type sections map[int]bool

func (s sections) hold(section int) bool { return s == nil || s[section] }

// Restrict implements store.View. Restricting again intersects.
func (v *view) Restrict(ctx context.Context, to []store.Place) (store.View, error) {
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return nil, err
	}
	narrow := places{}
	err = v.reads(ctx, "narrowing a view", func(c *conn) error {
		for _, p := range to {
			if err := v.narrowTo(ctx, c, s, sees, narrow, p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !v.share() {
		return nil, v.alive()
	}
	return &view{pin: v.pin, scope: v.scope, day: v.day, today: v.today, restricted: true, seen: s.narrow(sees, narrow)}, nil
}

func (v *view) narrowTo(ctx context.Context, c *conn, s *snapshot, sees *visible, narrow places, p store.Place) error {
	at, ok, err := v.seenDocument(ctx, c, s, sees, p.Document)
	if err != nil || !ok {
		return err
	}
	d := at.doc
	if had, ok := narrow[d.row]; ok && had == nil {
		return nil // all of it already
	}
	if p.Section == 0 { // what is not seen now is left out by the intersection
		narrow[d.row] = nil
		return nil
	}
	if at.revision == nil {
		return nil // it failed: it is listed and no more
	}
	b, _, err := v.content(ctx, c, at.segment, at.revision, false)
	if err != nil || p.Section < 0 || p.Section >= len(b.sections) {
		return err
	}
	below := make([]bool, len(b.sections))
	within := narrow[d.row]
	if within == nil {
		within = sections{}
		narrow[d.row] = within
	}
	for i, section := range b.sections {
		if below[i] = i == p.Section || section.Parent >= 0 && below[section.Parent]; below[i] {
			within[i] = true
		}
	}
	return nil
}

// standsAt is where a document that is seen stands in the index.
type standsAt struct {
	segment  *segment
	number   int // of the segment
	doc      *doc
	at       int       // of the document in its segment
	revision *revision // nil if it failed
}

// seenDocument finds a document by its id among what is seen.
func (v *view) seenDocument(ctx context.Context, c *conn, s *snapshot, sees *visible, id document.ID) (standsAt, bool, error) {
	var row int64
	found, err := c.get(ctx, "SELECT id FROM document WHERE source = ? AND path = ?", []any{id.Source, id.Path}, &row)
	if err != nil || !found {
		return standsAt{}, false, err
	}
	i, at, ok := s.document(row)
	if !ok || sees.chosen[i][at] == unseen || sees.chosen[i][at] == forgotten {
		return standsAt{}, false, nil
	}
	g := s.segments[i]
	out := standsAt{segment: g, number: i, doc: &g.docs[at], at: at}
	if n := sees.chosen[i][at]; n >= 0 {
		out.revision = &g.docs[at].revisions[n]
	}
	return out, true, nil
}
