package store

import "slices"

// Rings finds the documents that supersede each other in a ring: names gives, for
// each document by path, the paths that its newest revision (drafts aside)
// supersedes, within one source and tenant. Each ring is a strongly connected
// component of at least two documents (Tarjan, "Depth-first search and linear graph
// algorithms", 1972), sorted; the rings are in the order of their first. A document
// that names itself is none.
//
// None of a ring ends another of it: which of them is the newest cannot be told, and
// taking each by its word would leave no document in force.
func Rings(names map[string][]string) [][]string {
	t := tarjan{names: names, index: map[string]int{}, low: map[string]int{}, open: map[string]bool{}}
	for path := range names {
		if t.index[path] == 0 {
			t.visit(path)
		}
	}
	slices.SortFunc(t.rings, slices.Compare)
	return t.rings
}

type tarjan struct {
	names      map[string][]string
	index, low map[string]int // from 1, in the order of being reached
	open       map[string]bool
	stack      []string
	rings      [][]string
}

// frame is a document whose named ones are being looked at.
type frame struct {
	path string
	next int // of its names
}

// visit walks with a stack of its own: a chain of versions may be long.
func (t *tarjan) visit(path string) {
	enter := func(path string) frame {
		t.index[path] = len(t.index) + 1
		t.low[path] = t.index[path]
		t.open[path] = true
		t.stack = append(t.stack, path)
		return frame{path: path}
	}
	walk := []frame{enter(path)}
	for len(walk) > 0 {
		f := &walk[len(walk)-1]
		if f.next < len(t.names[f.path]) {
			to := t.names[f.path][f.next]
			f.next++
			switch {
			case t.index[to] == 0:
				walk = append(walk, enter(to))
			case t.open[to]:
				t.low[f.path] = min(t.low[f.path], t.index[to])
			}
			continue
		}
		t.leave(f.path)
		walk = walk[:len(walk)-1]
		if len(walk) > 0 {
			up := walk[len(walk)-1].path
			t.low[up] = min(t.low[up], t.low[f.path])
		}
	}
}

// leave takes the component off the stack that a document is the root of.
func (t *tarjan) leave(path string) {
	if t.low[path] != t.index[path] {
		return
	}
	at := slices.Index(t.stack, path)
	ring := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, p := range ring {
		t.open[p] = false
	}
	if len(ring) > 1 {
		slices.Sort(ring)
		t.rings = append(t.rings, ring)
	}
}
