package local

import (
	"context"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// History implements store.View.
func (v *view) History(ctx context.Context, id document.ID) (store.History, error) {
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return store.History{}, err
	}
	out := store.History{Document: id}
	err = v.reads(ctx, "reading the history of a document", func(c *conn) error {
		var row int64
		found, err := c.get(ctx, "SELECT id FROM document WHERE source = ? AND path = ?", []any{id.Source, id.Path}, &row)
		if err != nil {
			return err
		}
		i, at, ok := s.document(row)
		if !found || !ok || v.restricted && sees.chosen[i][at] == unseen || !s.segments[i].history(at, &v.scope, &out) {
			return notFound{"document " + id.String()}
		}
		return nil
	})
	if err != nil {
		return store.History{}, err
	}
	return out, nil
}

// history fills in what a scope's tenant and principals may know of a document; it
// reports false where that is nothing.
func (g *segment) history(at int, scope *document.Scope, out *store.History) bool {
	d := &g.docs[at]
	admitted := func(tenant string, class int) bool {
		return tenant == scope.Tenant && g.classes[class].Allows(scope.Principals)
	}
	if f := d.failed; f != nil {
		if !admitted(f.tenant, f.class) {
			return false
		}
		out.Failed, out.FailedOn = f.reason, f.day
	}
	if n := len(d.revisions); n > 0 && !admitted(d.revisions[n-1].tenant, d.revisions[n-1].class) {
		return false
	}
	for i := range d.revisions {
		if r := &d.revisions[i]; admitted(r.tenant, r.class) {
			out.Revisions = append(out.Revisions, store.Held{Revision: r.hash, Title: r.title, Status: r.status, Valid: r.valid, Attributes: r.attributes})
		}
	}
	return true
}
