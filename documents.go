package quarry

import (
	"context"
	"fmt"
	"strings"
	"time"

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
	switch len(found) {
	case 0:
		return document.ID{}, fmt.Errorf("%q: %w; quarry docs lists them", name, document.ErrNotFound)
	case 1:
		return found[0], nil
	}
	names := make([]string, len(found))
	for i, id := range found {
		names[i] = id.String()
	}
	return document.ID{}, fmt.Errorf("%q is in several sources: give one of %s", name, strings.Join(names, ", "))
}

// SourceStatus is what a source has in the store, as its operator sees it:
// scopes do not apply.
type SourceStatus struct {
	Source    document.Source
	Documents int
	Failed    []Problem
	// Synced is when a sync last compared the source whole, to the hour where it found
	// nothing to do; the zero Time where that is not known.
	Synced time.Time
}

// Status tells the operator what is indexed and what failed.
func (c *Corpus) Status(ctx context.Context) ([]SourceStatus, error) {
	if err := c.opened(); err != nil {
		return nil, err
	}
	sources, err := c.store.Sources(ctx)
	if err != nil {
		return nil, err
	}
	synced, err := c.store.Synced(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]SourceStatus, 0, len(sources))
	for _, s := range sources {
		states, err := c.store.States(ctx, s.Name)
		if err != nil {
			return nil, err
		}
		status := SourceStatus{Source: s, Synced: synced[s.Name]}
		for _, d := range states {
			if d.Failed {
				status.Failed = append(status.Failed, Problem{d.Path, d.Reason})
			} else {
				status.Documents++
			}
		}
		out = append(out, status)
	}
	return out, nil
}
