package rules

import (
	"slices"

	"github.com/seed-d3156d19/quarry/store"
)

// Ring is the paths of the ring that a document stands in, itself among them; none
// where it stands in none. named tells what documents of its source supersede; of one that
// is not there it is the zero Named.
func Ring(path string, named func(path string) (Named, error)) ([]string, error) {
	first, err := named(path)
	if err != nil || len(first.Paths) == 0 {
		return nil, err
	}
	graph := map[string][]string{path: first.Paths}
	for todo := first.Paths; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, done := graph[at]; done {
			continue
		}
		next, err := named(at)
		if err != nil {
			return nil, err
		}
		if next.Tenant != first.Tenant {
			next.Paths = nil
		}
		graph[at] = next.Paths
		todo = append(slices.Clip(todo), next.Paths...)
	}
	for _, ring := range store.Rings(graph) {
		if slices.Contains(ring, path) {
			return ring, nil
		}
	}
	return nil, nil
}

// Rings are those of a source, tenant by tenant: each names what documents supersede.
func Rings(byTenant map[string]map[string][]string) [][]string {
	var out [][]string
	for _, graph := range byTenant {
		out = append(out, store.Rings(graph)...)
	}
	slices.SortFunc(out, slices.Compare)
	return out
}
