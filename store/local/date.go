package local

import (
	"context"
	"encoding/json"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// revisionMetadata is a revision's row and metadata.
type revisionMetadata struct {
	row int64
	rules.Metadata
}

// metadataOf reads that of the revisions of a document, the oldest first.
func (c *conn) metadataOf(ctx context.Context, id document.ID) ([]revisionMetadata, error) {
	var out []revisionMetadata
	var r revisionMetadata
	var raw []byte
	err := c.each(ctx, "SELECT r.id, r.metadata FROM revision r JOIN document d ON d.id = r.document WHERE d.source = ? AND d.path = ? ORDER BY r.id",
		[]any{id.Source, id.Path}, []any{&r.row, &raw}, func() error {
			r.Metadata = rules.Metadata{}
			if err := json.Unmarshal(raw, &r.Metadata); err != nil {
				return err
			}
			out = append(out, r)
			return nil
		})
	return out, err
}

// redates reports whether a revision of the document would change.
func (c *conn) redates(ctx context.Context, d store.Dated) (bool, error) {
	list, err := c.metadataOf(ctx, d.Document)
	for _, r := range list {
		if _, changes := rules.Date(r.Metadata.Metadata, d); changes {
			return true, err
		}
	}
	return false, err
}

// redate gives the revisions of a document that state no validity the one that was
// inferred for them.
func (a *applier) redate(d store.Dated) error {
	list, err := a.metadataOf(a.ctx, d.Document)
	if err != nil || len(list) == 0 {
		return err
	}
	doc, err := a.touch(d.Document)
	if err != nil {
		return err
	}
	if err := a.supersedes(d.Document, doc); err != nil {
		return err
	}
	for _, r := range list {
		var changes bool
		if r.Metadata.Metadata, changes = rules.Date(r.Metadata.Metadata, d); !changes {
			continue
		}
		raw, err := json.Marshal(r.Metadata)
		if err != nil {
			return err
		}
		if err := a.do("UPDATE revision SET effective_from = ?, effective_to = ?, metadata = ? WHERE id = ?",
			r.Effective.From, r.Effective.To, string(raw), r.row); err != nil {
			return err
		}
	}
	a.superseded[d.Document] = true // its own validity
	return nil
}

// Newest implements store.Catalog.
func (s *Store) Newest(ctx context.Context, source string, paths []string, each func(store.Newest) error) error {
	return s.reading(ctx, "reading the newest revisions", func(c *conn) error {
		for _, path := range paths {
			n, found, err := c.newest(ctx, document.ID{Source: source, Path: path})
			if err == nil && found {
				err = each(n)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *conn) newest(ctx context.Context, id document.ID) (n store.Newest, found bool, err error) {
	n.Path = id.Path
	var raw []byte
	found, err = c.get(ctx, `SELECT f.tenant, c.access, f.seen_day FROM document d JOIN failure f ON f.document = d.id JOIN class c ON c.id = f.class
		WHERE d.source = ? AND d.path = ?`, []any{id.Source, id.Path}, &n.Metadata.Tenant, &raw, &n.First)
	if err != nil {
		return n, false, err
	}
	if found {
		n.Failed = true
		return n, true, json.Unmarshal(raw, &n.Metadata.Access)
	}
	found, err = c.get(ctx, `SELECT r.title, r.metadata, t.text, (SELECT min(seen_day) FROM revision WHERE document = d.id)
		FROM document d JOIN revision r ON r.id = (SELECT max(id) FROM revision WHERE document = d.id)
		JOIN content t ON t.revision = r.id WHERE d.source = ? AND d.path = ?`, []any{id.Source, id.Path}, &n.Title, &raw, &n.Text, &n.First)
	if err != nil || !found {
		return n, false, err
	}
	return n, true, json.Unmarshal(raw, &n.Metadata)
}
