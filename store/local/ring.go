package local

import (
	"context"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// names keeps what documents supersede, as their newest revisions say it, while the
// record stays as it is.
type names map[document.ID]rules.Named

// newestNames selects, for the newest revision of each document, drafts aside, what
// it supersedes; the path is NULL where that is nothing.
const newestNames = `SELECT d.path, r.tenant, s.path FROM document d
	JOIN revision r ON r.id = (SELECT max(n.id) FROM revision n WHERE n.document = d.id AND n.status <> 'draft')
	LEFT JOIN supersedes s ON s.revision = r.id WHERE d.source = ?`

// of is what one document supersedes.
func (n names) of(ctx context.Context, c *conn, id document.ID) (rules.Named, error) {
	if known, ok := n[id]; ok {
		return known, nil
	}
	var out rules.Named
	var path *string
	err := c.each(ctx, newestNames+" AND d.path = ?", []any{id.Source, id.Path}, []any{new(string), &out.Tenant, &path}, func() error {
		if path != nil {
			out.Paths = append(out.Paths, *path)
		}
		return nil
	})
	n[id] = out
	return out, err
}

// ring is the paths of the ring that a document stands in, itself among them; none
// where it stands in none.
func (a *applier) ring(known names, id document.ID) ([]string, error) {
	return rules.Ring(id.Path, func(path string) (rules.Named, error) {
		return known.of(a.ctx, a.conn, document.ID{Source: id.Source, Path: path})
	})
}

// dirtyRing remembers the documents that stand in a ring with one.
func (a *applier) dirtyRing(known names, id document.ID) error {
	ring, err := a.ring(known, id)
	for _, path := range ring {
		a.superseded[document.ID{Source: id.Source, Path: path}] = true
	}
	return err
}

// closeRings remembers the documents of the rings that the change made: each has a
// document in it that was put. Those of rings that it broke were remembered when
// the first of them was about to change. A document that supersedes none closes none.
func (a *applier) closeRings() error {
	for row := range a.touched {
		if w, ok := a.fresh[row]; ok && len(w.Metadata.Supersedes) == 0 {
			continue
		}
		var id document.ID
		if _, err := a.get(a.ctx, "SELECT source, path FROM document WHERE id = ?", []any{row}, &id.Source, &id.Path); err != nil {
			return err
		}
		if err := a.dirtyRing(a.named, id); err != nil {
			return err
		}
	}
	return nil
}

// Rings implements store.Catalog.
func (s *Store) Rings(ctx context.Context, source string) (rings [][]string, err error) {
	err = s.reading(ctx, "looking for rings", func(c *conn) error {
		rings, err = c.rings(ctx, source)
		return err
	})
	return rings, err
}

func (c *conn) rings(ctx context.Context, source string) ([][]string, error) {
	byTenant := map[string]map[string][]string{}
	var path, tenant, other string
	err := c.each(ctx, newestNames+" AND s.path IS NOT NULL", []any{source}, []any{&path, &tenant, &other}, func() error {
		if byTenant[tenant] == nil {
			byTenant[tenant] = map[string][]string{}
		}
		byTenant[tenant][path] = append(byTenant[tenant][path], other)
		return nil
	})
	return rules.Rings(byTenant), err
}
