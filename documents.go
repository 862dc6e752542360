package quarry

import (
	"context"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Documents lists what a scope sees.
func (c *Corpus) Documents(ctx context.Context, scope document.Scope) ([]store.Listed, error) {
	return recorded(ctx, c, AuditRecord{Call: "documents"}, scope, func(scope document.Scope) ([]store.Listed, error) {
		return c.documents(ctx, scope)
	}, shownListed)
}

func (c *Corpus) documents(ctx context.Context, scope document.Scope) ([]store.Listed, error) {
	view, err := c.store.View(ctx, scope)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	return view.Documents(ctx)
}

// Document returns the revision in force of one document, with its passages.
func (c *Corpus) Document(ctx context.Context, id document.ID, scope document.Scope) (document.Revision, error) {
	return recorded(ctx, c, AuditRecord{Call: "document", About: id.String()}, scope, func(scope document.Scope) (r document.Revision, err error) {
		err = c.read(ctx, scope, func(view store.View) error {
			r, err = view.Document(ctx, id, true)
			return err
		})
		return r, err
	}, func(r document.Revision) []ShownRevision { return []ShownRevision{{Document: id, Revision: r.Hash}} })
}

// Resolve finds the document that a person means by name: "path",
// or "source:path" where several sources have that path. A document that the
// scope does not see is document.ErrNotFound.
func (c *Corpus) Resolve(ctx context.Context, name string, scope document.Scope) (document.ID, error) {
	d, err := c.listed(ctx, "resolve", name, scope)
	return d.Document, err
}

// Listed is the document that a person means by name (see Resolve) as Documents lists it.
func (c *Corpus) Listed(ctx context.Context, name string, scope document.Scope) (store.Listed, error) {
	return c.listed(ctx, "listed", name, scope)
}

func (c *Corpus) listed(ctx context.Context, call, name string, scope document.Scope) (store.Listed, error) {
	return recorded(ctx, c, AuditRecord{Call: call, About: name}, scope, func(scope document.Scope) (store.Listed, error) {
		list, err := c.documents(ctx, scope)
		if err != nil {
			return store.Listed{}, err
		}
		return meant(list, name)
	}, func(d store.Listed) []ShownRevision { return shownListed([]store.Listed{d}) })
}

// meant is the one document of a list that a name stands for.
func meant(list []store.Listed, name string) (store.Listed, error) {
	var found []document.ID
	var at store.Listed
	for _, d := range list {
		if d.Document.String() == name {
			return d, nil
		}
		if d.Document.Path == name {
			found, at = append(found, d.Document), d
		}
	}
	if _, err := oneOf(name, found); err != nil {
		return store.Listed{}, err
	}
	return at, nil
}
