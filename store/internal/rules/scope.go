// Package rules holds what all exact stores must decide alike and what depends on no
// engine: which revision is in force, what a scope admits, what a change makes of what is
// there. The functions are pure and may be called concurrently.
package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

// Standing is what decides on which days a revision may be in force.
type Standing struct {
	Valid  document.Interval
	Status document.Status
}

// InForce returns which of a document's n revisions, the oldest first, is in force on day,
// -1 for none. failed is the day a failure was seen, 0 if the document did not fail.
//
// A failed document has none from the day it failed, and none today or later,
// whatever the clock of who recorded the failure said.
func InForce(n int, at func(int) Standing, failed, day, today document.Day, drafts bool) int {
	if failed != 0 && (day >= failed || day >= today) {
		return -1
	}
	for i := n - 1; i >= 0; i-- {
		s := at(i)
		switch {
		case s.Status == document.Draft && !drafts:
		case s.Status == document.Superseded && day >= today:
		case s.Valid.Holds(day):
			return i
		}
	}
	return -1
}

// Admits reports whether a scope may see a revision of these properties. allowed
// is whether its access class admits the scope's principals.
func Admits(scope *document.Scope, source, tenant string, allowed bool, attributes map[string][]string) bool {
	if !allowed || tenant != scope.Tenant {
		return false
	}
	if len(scope.Sources) > 0 && !slices.Contains(scope.Sources, source) {
		return false
	}
	for key, wanted := range scope.Where {
		if Excludes(attributes, key, wanted) {
			return false
		}
	}
	return true
}

// Excludes reports whether attributes have the key with none of the values wanted.
func Excludes(attributes map[string][]string, key string, wanted []string) bool {
	has, ok := attributes[key]
	return ok && !slices.ContainsFunc(wanted, func(w string) bool { return slices.Contains(has, w) })
}

// ScopeKey is equal for scopes that see the same.
func ScopeKey(s *document.Scope, day, today document.Day) string {
	where := make(map[string][]string, len(s.Where))
	for k, v := range s.Where {
		where[k] = append([]string{}, set(v)...)
	}
	key, _ := json.Marshal([]any{s.Tenant, set(s.Principals), s.Administrator, where, s.Drafts, set(s.Sources), day, today})
	return string(key)
}

// Class is the text of an access class: the same for each distinct set of readers and
// denials, in whatever order they were written.
func Class(access document.Access) (string, error) {
	text, err := json.Marshal(document.Access{
		Everyone: access.Everyone,
		Readers:  append([]string{}, set(access.Readers)...),
		Deny:     append([]string{}, set(access.Deny)...),
	})
	return string(text), err
}

func set(names []string) []string {
	out := slices.Clone(names)
	slices.Sort(out)
	return slices.Compact(out)
}

// CloneScope takes a scope apart from the caller's slices and maps.
func CloneScope(s document.Scope) document.Scope {
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
