package quarry

import (
	"context"

	"github.com/seed-d3156d19/quarry/document"
)

// Directory says who an asker is besides the principals that were given: the groups a
// user is in, and whether he administers his tenant. It is asked at every call that
// takes a scope, so that a change of it holds for the next one.
type Directory interface {
	// Resolve gives the scope with all that its principals are in its tenant. It takes
	// no principal away, and of a scope that it gave it gives the same. An error is one
	// sentence; the call then fails, as whom to show what is not known. It may be called
	// concurrently.
	Resolve(ctx context.Context, scope document.Scope) (document.Scope, error)
}

// resolved is a scope as the directory knows its asker.
func (c *Corpus) resolved(ctx context.Context, scope document.Scope) (document.Scope, error) {
	if err := c.opened(); err != nil {
		return scope, err
	}
	if c.options.Directory == nil {
		return scope, nil
	}
	return c.options.Directory.Resolve(ctx, scope)
}

// readers are the principals of whom a diagnosis may tell, with their groups.
func (c *Corpus) readers(ctx context.Context, scope document.Scope, given []string) ([]string, error) {
	if len(given) == 0 {
		return nil, nil
	}
	s, err := c.resolved(ctx, document.Scope{Tenant: scope.Tenant, Principals: given})
	return s.Principals, err
}
