package local

import (
	"context"
	"encoding/json"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// History implements store.View.
func (v *view) History(ctx context.Context, id document.ID) (store.History, error) {
	out := store.History{Document: id}
	err := v.admitted(ctx, id, "reading the history of a document", func(c *conn, g *segment, d *doc) error {
		if d.failed != nil {
			out.Failed, out.FailedOn = d.failed.reason, d.failed.day
		}
		for i := range d.revisions {
			r := &d.revisions[i]
			if !g.admits(&v.scope, r.tenant, r.class) {
				continue
			}
			h := store.Held{Revision: r.hash, Title: r.title, Status: r.Status, Valid: r.Valid, Forgotten: r.forgotten, Attributes: r.attributes}
			var seen string
			var metadata []byte
			found, err := c.get(ctx, "SELECT seen, format, metadata FROM revision WHERE id = ?", []any{r.id}, &seen, &h.Format, &metadata)
			if err == nil && !found {
				err = dangling("a revision")
			}
			if err == nil {
				err = json.Unmarshal(metadata, &h.Metadata)
			}
			if err == nil {
				h.Seen, err = parseInstant(seen)
			}
			if err != nil {
				return err
			}
			out.Revisions = append(out.Revisions, h)
		}
		return nil
	})
	if err != nil {
		return store.History{}, err
	}
	return out, nil
}

// Revision implements store.View.
func (v *view) Revision(ctx context.Context, id document.ID, hash string) (document.Revision, error) {
	var out document.Revision
	err := v.admitted(ctx, id, "reading a revision", func(c *conn, g *segment, d *doc) (err error) {
		for i := len(d.revisions) - 1; i >= 0; i-- {
			if r := &d.revisions[i]; r.hash == hash && g.admits(&v.scope, r.tenant, r.class) {
				out, err = v.whole(ctx, c, g, id, r, func(uint32) bool { return true })
				return err
			}
		}
		return notFound{"revision " + hash + " of document " + id.String()}
	})
	if err != nil {
		return document.Revision{}, err
	}
	return out, nil
}

// admitted calls fn with a document whose newest revision, and whose failure where it
// failed, admit the scope's tenant and principals. Another is not found, as where there is
// no such document.
func (v *view) admitted(ctx context.Context, id document.ID, doing string, fn func(*conn, *segment, *doc) error) error {
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return err
	}
	return v.reads(ctx, doing, func(c *conn) error {
		var row int64
		found, err := c.get(ctx, "SELECT id FROM document WHERE source = ? AND path = ?", []any{id.Source, id.Path}, &row)
		if err != nil {
			return err
		}
		i, at, ok := s.document(row)
		if !found || !ok || v.restricted && (sees.chosen[i][at] == unseen || sees.chosen[i][at] == forgotten) {
			return notFound{"document " + id.String()}
		}
		g := s.segments[i]
		d := &g.docs[at]
		newest := len(d.revisions) - 1
		if d.failed != nil && !g.admits(&v.scope, d.failed.tenant, d.failed.class) ||
			newest >= 0 && !g.admits(&v.scope, d.revisions[newest].tenant, d.revisions[newest].class) {
			return notFound{"document " + id.String()}
		}
		return fn(c, g, d)
	})
}

// admits reports whether a scope's tenant and principals may read what is of a tenant and
// an access class.
func (g *segment) admits(scope *document.Scope, tenant string, class int) bool {
	return tenant == scope.Tenant && scope.Admits(g.classes[class])
}
