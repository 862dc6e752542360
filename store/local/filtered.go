package local

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// filters remembers what a compiled scope leaves out and which attributes it sees: both
// are asked with every question and take a look at each document.
type filters struct {
	once       sync.Once
	filtered   store.Filtered
	carry      sync.Once
	attributes map[string][]string
}

// Attributes implements store.View.
func (v *view) Attributes(ctx context.Context) (map[string][]string, error) {
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return nil, err
	}
	sees.filters.carry.Do(func() {
		all := rules.Values{}
		for i, g := range s.segments {
			for at, n := range sees.chosen[i] {
				if n < 0 {
					continue
				}
				for key, values := range g.docs[at].revisions[n].attributes {
					all.Add(key, values)
				}
			}
		}
		sees.filters.attributes = all.Lists()
	})
	return rules.CloneLists(sees.filters.attributes), nil
}

// Filtered implements store.View.
func (v *view) Filtered(ctx context.Context) (store.Filtered, error) {
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return store.Filtered{}, err
	}
	sees.filters.once.Do(func() { sees.filters.filtered = s.filtered(&v.scope, v.day, v.today) })
	out := sees.filters.filtered
	out.Attributes, out.Values = maps.Clone(out.Attributes), rules.CloneLists(out.Values)
	return out, nil
}

// filtered looks at every document once, as portion.choose does.
func (s *snapshot) filtered(scope *document.Scope, day, today document.Day) store.Filtered {
	out, values := store.Filtered{Attributes: map[string]int{}}, rules.Values{}
	for i, g := range s.segments {
		allowed := g.allowed(scope)
		for at := range g.docs {
			if d := &g.docs[at]; !s.dead[i].has(uint32(at)) && len(d.revisions) > 0 && d.admitted(scope, allowed) {
				d.filter(&out, values, scope, allowed, day, today)
			}
		}
	}
	out.Values = values.Lists()
	return out
}

// filter counts a document whose newest revision admits the scope.
func (d *doc) filter(out *store.Filtered, values rules.Values, scope *document.Scope, allowed []bool, day, today document.Day) {
	failed := document.Day(0)
	if d.failed != nil {
		if failed = d.failed.day; rules.InForce(1, func(int) standing { return standing{} }, failed, day, today, false) < 0 {
			return // it is listed as failed, to those who may see that
		}
	}
	at := func(drafts bool) int {
		return rules.InForce(len(d.revisions), func(n int) standing { return d.revisions[n].standing }, failed, day, today, drafts)
	}
	readable := func(n int) bool {
		r := &d.revisions[n]
		return r.tenant == scope.Tenant && allowed[r.class]
	}
	n := at(scope.Drafts)
	switch {
	case n >= 0 && !readable(n):
	case len(scope.Sources) > 0 && !slices.Contains(scope.Sources, d.id.Source):
		out.Sources++
	case n < 0:
		if draft := at(true); draft >= 0 && readable(draft) {
			out.Drafts++
		} else {
			out.Validity++
		}
	default:
		for key, wanted := range scope.Where {
			has := d.revisions[n].attributes
			if rules.Excludes(has, key, wanted) {
				out.Attributes[key]++
			}
			values.Add(key, has[key])
		}
	}
}
