package quarry

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

// Named is what a name stands for: a source, or else a document.
type Named struct {
	Source   string // set where it is a whole source
	Document document.ID
}

// Named finds what the operator means by name: a source, as "source:" where a
// document elsewhere is called the same, or a document as "path" or
// "source:path". It knows no scope, so that what nobody may read, or
// what failed, can be removed too. A name that stands for nothing is
// document.ErrNotFound.
func (c *Corpus) Named(ctx context.Context, name string) (Named, error) {
	if err := c.opened(); err != nil {
		return Named{}, err
	}
	sources, err := c.store.Sources(ctx)
	if err != nil {
		return Named{}, err
	}
	var whole bool
	var found []document.ID
	for _, s := range sources {
		if name == s.Name+":" {
			return Named{Source: s.Name}, nil
		}
		whole = whole || s.Name == name
		states, err := c.store.States(ctx, s.Name)
		if err != nil {
			return Named{}, err
		}
		for _, d := range states {
			id := document.ID{Source: s.Name, Path: d.Path}
			if id.String() == name {
				return Named{Document: id}, nil
			}
			// A source that is one file is called like its only document.
			if d.Path == name && s.Name != name {
				found = append(found, id)
			}
		}
	}
	switch {
	case whole && len(found) == 0:
		return Named{Source: name}, nil
	case !whole && len(found) == 1:
		return Named{Document: found[0]}, nil
	case len(found) == 0:
		return Named{}, fmt.Errorf("%q: %w, and no such source; quarry status lists the sources and quarry docs the documents", name, document.ErrNotFound)
	}
	var names []string
	for _, id := range found {
		names = append(names, id.String())
	}
	if whole {
		return Named{}, fmt.Errorf("%q is a source and also a document elsewhere: give %s: for the source or %s for the document", name, name, strings.Join(names, " or "))
	}
	return Named{}, fmt.Errorf("%q is in several sources: give one of %s", name, strings.Join(names, ", "))
}
