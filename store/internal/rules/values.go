package rules

import (
	"maps"
	"slices"
)

// Values are sets of values by key. The zero value cannot be added to.
type Values map[string]map[string]bool

// Add adds values of a key.
func (s Values) Add(key string, values []string) {
	if s[key] == nil && len(values) > 0 {
		s[key] = map[string]bool{}
	}
	for _, v := range values {
		s[key][v] = true
	}
}

// Lists are the values of each key, sorted.
func (s Values) Lists() map[string][]string {
	out := make(map[string][]string, len(s))
	for key, set := range s {
		out[key] = slices.Sorted(maps.Keys(set))
	}
	return out
}

// CloneLists copies lists by key, so that a caller may keep and change them.
func CloneLists(lists map[string][]string) map[string][]string {
	out := make(map[string][]string, len(lists))
	for key, list := range lists {
		out[key] = slices.Clone(list)
	}
	return out
}
