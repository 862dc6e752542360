package local

import (
	"context"
	"os"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Remains implements store.Catalog.
func (s *Store) Remains(ctx context.Context, id document.ID) (store.Remains, error) {
	p, err := s.pin(ctx)
	if err != nil {
		return store.Remains{}, err
	}
	defer p.release()
	snap, err := p.snapshot(ctx)
	if err != nil {
		return store.Remains{}, err
	}
	var out store.Remains
	owned, its := map[int64]bool{}, int64(0) // rows of documents
	err = func() error {
		docs, err := p.conn.allDocuments(ctx)
		for _, row := range docs {
			owned[row] = true
		}
		if err != nil {
			return err
		}
		if _, err := p.conn.get(ctx, "SELECT id FROM document WHERE source = ? AND path = ?", []any{id.Source, id.Path}, &its); err != nil {
			return err
		}
		return p.conn.rowsLeft(ctx, id, &out)
	}()
	if err != nil {
		return store.Remains{}, s.unsettled("counting what is left of a document", err)
	}
	// Segments hold documents that are out of date as well, by the names that they had.
	for _, g := range snap.segments {
		for at := range g.docs {
			rows := int(g.end(at) - g.docs[at].first)
			switch row := g.docs[at].row; {
			case row == its:
				out.Terms += rows
			case !owned[row]:
				out.Unowned += rows
			}
		}
	}
	if info, err := os.Stat(s.path + walSuffix); err == nil {
		out.Log = info.Size()
	}
	return out, nil
}

// rowsLeft counts in the record.
func (c *conn) rowsLeft(ctx context.Context, id document.ID, out *store.Remains) error {
	const doc = "(SELECT id FROM document WHERE source = ? AND path = ?)"
	name := []any{id.Source, id.Path}
	for _, q := range []struct {
		query string
		args  []any
		into  *int
	}{
		{"SELECT count(*) FROM revision WHERE document = " + doc, name, &out.Revisions},
		{"SELECT count(*) FROM failure WHERE document = " + doc, name, &out.Failures},
		{"SELECT count(*) FROM content WHERE revision IN (SELECT id FROM revision WHERE document = " + doc + ")", name, &out.Texts},
		{"SELECT count(*) FROM passage WHERE document = " + doc, name, &out.Passages},
		{"SELECT count(*) FROM vector WHERE key IN (SELECT key FROM passage WHERE document = " + doc + ")", name, &out.Vectors},
		{`SELECT (SELECT count(*) FROM content WHERE revision NOT IN (SELECT id FROM revision))
			+ (SELECT count(*) FROM revision WHERE document NOT IN (SELECT id FROM document))
			+ (SELECT count(*) FROM passage WHERE document NOT IN (SELECT id FROM document))
			+ (SELECT count(*) FROM vector WHERE key NOT IN (SELECT key FROM passage))`, nil, &out.Unowned},
	} {
		if _, err := c.get(ctx, q.query, q.args, q.into); err != nil {
			return err
		}
	}
	return nil
}
