package standard

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// inspectServed reads all documents of a store in a database and lists those that cannot
// be read, and whether anything is left of documents that were removed. The pages that
// they lie in are the server's to check.
func inspectServed(ctx context.Context, path string, s Settings) (found []store.Damage, err error) {
	opened, err := openStore(ctx, path, s, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	sources, err := opened.Sources(ctx)
	if err != nil {
		return nil, err
	}
	for _, src := range sources {
		states, err := opened.States(ctx, src.Name)
		if err != nil {
			return found, err
		}
		var paths []string
		for _, st := range states {
			paths = append(paths, st.Path)
		}
		for batch := range slices.Chunk(paths, 64) {
			damage, err := unreadable(ctx, opened, src.Name, batch)
			found = append(found, damage...)
			if err != nil {
				return found, err
			}
		}
	}
	left, err := opened.Remains(ctx, document.ID{Source: "none", Path: "none"})
	if err == nil && left.Unowned > 0 {
		found = append(found, store.Damage{What: "the index", Detail: fmt.Sprintf("%d rows belong to no document", left.Unowned)})
	}
	return found, err
}

// unreadable lists those of some documents that are damaged.
func unreadable(ctx context.Context, s store.Store, source string, paths []string) (found []store.Damage, err error) {
	read := func(paths []string) error {
		return s.Whole(ctx, source, paths, func(w store.Whole) error {
			for _, r := range w.Revisions {
				for _, p := range r.Passages {
					if p.Span.Of(r.Text) != p.Text {
						return fmt.Errorf("%w: a passage is not the text of its span", store.ErrDamaged)
					}
				}
			}
			return nil
		})
	}
	if err := read(paths); !errors.Is(err, store.ErrDamaged) {
		return nil, err
	}
	for _, path := range paths {
		switch err := read([]string{path}); {
		case errors.Is(err, store.ErrDamaged):
			id := document.ID{Source: source, Path: path}
			found = append(found, store.Damage{What: "document " + id.String(), Lost: true, Document: id, Detail: err.Error()})
		case err != nil:
			return found, err
		}
	}
	return found, nil
}
