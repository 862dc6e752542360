package local

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

// standing is what decides on which days a revision may be in force.
type standing struct {
	valid  document.Interval
	status document.Status
}

// inForce returns which of a document's revisions is in force on day, -1 for
// none. failed is the day a failure was seen, 0 if the document did not fail. The
// file and the index in memory both ask here.
//
// A failed document has none from the day it failed, and none today or later,
// whatever the clock of who recorded the failure said.
func inForce(n int, at func(int) standing, failed, day, today document.Day, drafts bool) int {
	if failed != 0 && (day >= failed || day >= today) {
		return -1
	}
	for i := n - 1; i >= 0; i-- {
		s := at(i)
		switch {
		case s.status == document.Draft && !drafts:
		case s.status == document.Superseded && day >= today:
		case s.valid.Holds(day):
			return i
		}
	}
	return -1
}

// admits reports whether a scope may see a revision of these properties. allowed
// is whether its access class admits the scope's principals.
func admits(scope *document.Scope, source, tenant string, allowed bool, attributes map[string][]string) bool {
	if !allowed || tenant != scope.Tenant {
		return false
	}
	if len(scope.Sources) > 0 && !slices.Contains(scope.Sources, source) {
		return false
	}
	for key, wanted := range scope.Where {
		if has, ok := attributes[key]; ok && !slices.ContainsFunc(wanted, func(w string) bool { return slices.Contains(has, w) }) {
			return false
		}
	}
	return true
}

// scopeKey is equal for scopes that see the same.
func scopeKey(s *document.Scope, day, today document.Day) string {
	set := func(names []string) []string {
		out := slices.Clone(names)
		slices.Sort(out)
		return slices.Compact(out)
	}
	where := make(map[string][]string, len(s.Where))
	for k, v := range s.Where {
		where[k] = append([]string{}, set(v)...)
	}
	key, _ := json.Marshal([]any{s.Tenant, set(s.Principals), s.Administrator, where, s.Drafts, set(s.Sources), day, today})
	return string(key)
}

func classKey(a document.Access) string {
	key, _ := json.Marshal(a)
	return string(key)
}

// clone takes a scope apart from the caller's slices and maps.
func clone(s document.Scope) document.Scope {
	s.Tenant = strings.Clone(s.Tenant)
	s.Principals = slices.Clone(s.Principals)
	s.Sources = slices.Clone(s.Sources)
	where := make(map[string][]string, len(s.Where))
	for k, v := range s.Where {
		where[k] = slices.Clone(v)
	}
	s.Where = where
	return s
}
