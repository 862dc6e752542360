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
func (c *Corpus) Extraction(ctx context.Context, id document.ID, scope document.Scope) (document.Extraction, error) {
	return found(ctx, c, "extraction", id, scope, func(view store.View) (document.Extraction, error) {
		return view.Extraction(ctx, id)
	}, nil)
}

// References returns the references of the revision in force, in the order of the text.
func (c *Corpus) References(ctx context.Context, id document.ID, scope document.Scope) ([]Reference, error) {
	return found(ctx, c, "references", id, scope, func(view store.View) ([]Reference, error) {
		return reference.Resolve(ctx, view, id)
	}, func(list []Reference) (out []ShownRevision) {
		for _, r := range list {
			if r.Target != nil && r.Target.Document != id {
				out = append(out, ShownRevision{Document: r.Target.Document})
			}
		}
		return out
	})
}

// Definitions returns what the revision in force says of its terms and abbreviations, in
// the order of the text.
func (c *Corpus) Definitions(ctx context.Context, id document.ID, scope document.Scope) ([]document.Definition, error) {
	return found(ctx, c, "definitions", id, scope, func(view store.View) ([]document.Definition, error) {
		findings, err := view.Findings(ctx, id)
		return findings.Definitions, err
	}, nil)
}

// found reads something of one document and records it; others are what it shows of
// other documents.
func found[T any](ctx context.Context, c *Corpus, call string, id document.ID, scope document.Scope, read func(store.View) (T, error), others func(T) []ShownRevision) (T, error) {
	shown := ShownRevision{Document: id}
	return recorded(ctx, c, AuditRecord{Call: call, About: id.String()}, scope, func(scope document.Scope) (out T, err error) {
		err = c.read(ctx, scope, func(view store.View) error {
			if out, err = read(view); err != nil || c.options.Auditor == nil {
				return err
			}
			r, err := view.Document(ctx, id, false)
			shown.Revision = r.Hash
			return err
		})
		return out, err
	}, func(out T) []ShownRevision {
		list := []ShownRevision{shown}
		if others != nil {
			list = append(list, others(out)...)
		}
		return list
	})
}

// read calls fn with a view of the scope, which is resolved.
func (c *Corpus) read(ctx context.Context, scope document.Scope, fn func(store.View) error) error {
	view, err := c.store.View(ctx, scope)
	if err != nil {
		return err
	}
	defer view.Close()
	return fn(view)
}
