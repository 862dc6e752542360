package quarry

import (
	"context"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/reference"
	"github.com/seed-d3156d19/quarry/store"
)

// Reference is a place in a text that refers to another place or document, with what it
// leads to for the scope that asks: what the scope does not see is not there.
type Reference = reference.Resolved

// Extraction returns the report of how well the original of the revision in force
// could be read.
func (c *Corpus) Extraction(ctx context.Context, id document.ID, scope document.Scope) (report document.Extraction, err error) {
	err = c.read(ctx, scope, func(view store.View) error {
		report, err = view.Extraction(ctx, id)
		return err
	})
	return report, err
}

// References returns the references of the revision in force, in the order of the text.
func (c *Corpus) References(ctx context.Context, id document.ID, scope document.Scope) (out []Reference, err error) {
	err = c.read(ctx, scope, func(view store.View) error {
		out, err = reference.Resolve(ctx, view, id)
		return err
	})
	return out, err
}

// Definitions returns what the revision in force says of its terms and abbreviations, in
// the order of the text.
func (c *Corpus) Definitions(ctx context.Context, id document.ID, scope document.Scope) (out []document.Definition, err error) {
	err = c.read(ctx, scope, func(view store.View) error {
		findings, err := view.Findings(ctx, id)
		out = findings.Definitions
		return err
	})
	return out, err
}

// read calls fn with a view of the scope.
func (c *Corpus) read(ctx context.Context, scope document.Scope, fn func(store.View) error) error {
	if err := c.opened(); err != nil {
		return err
	}
	view, err := c.store.View(ctx, scope)
	if err != nil {
		return err
	}
	defer view.Close()
	return fn(view)
}
