package quarry

import (
	"context"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Documents lists what a scope sees.
func (c *Corpus) Documents(ctx context.Context, scope document.Scope) ([]store.Listed, error) {
	if err := c.opened(); err != nil {
		return nil, err
	}
	view, err := c.store.View(ctx, scope)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	return view.Documents(ctx)
}

// Document returns the revision in force of one document, with its passages.
func (c *Corpus) Document(ctx context.Context, id document.ID, scope document.Scope) (document.Revision, error) {
	if err := c.opened(); err != nil {
		return document.Revision{}, err
	}
	view, err := c.store.View(ctx, scope)
	if err != nil {
		return document.Revision{}, err
	}
	defer view.Close()
	return view.Document(ctx, id, true)
}

// Resolve finds the document that a person means by name: "path",
// or "source:path" where several sources have that path. A document that the
// scope does not see is document.ErrNotFound.
func (c *Corpus) Resolve(ctx context.Context, name string, scope document.Scope) (document.ID, error) {
	list, err := c.Documents(ctx, scope)
	if err != nil {
		return document.ID{}, err
	}
	var found []document.ID
	for _, d := range list {
		if d.Document.String() == name {
			return d.Document, nil
		}
		if d.Document.Path == name {
			found = append(found, d.Document)
		}
	}
	return oneOf(name, found)
}
