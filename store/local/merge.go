package local

import (
	"slices"

	"github.com/seed-d3156d19/quarry/document"
)

// merge makes one segment of the documents of several, the oldest first, that
// are not dead. Without any it has no documents.
func merge(parts []*segment, dead []bitset) (built, error) {
	var out draft
	rows, sections := make([][]uint32, len(parts)), make([][]uint32, len(parts))
	heads := 0
	for i, g := range parts {
		docs := renumber(len(g.docs), len(out.docs), func(n int) bool { return !dead[i].has(uint32(n)) })
		rows[i] = renumberRows(g, docs, len(out.ids))
		sections[i] = renumber(len(g.sections), heads, func(n int) bool { return docs[g.sections[n].doc] != dropped })
		for _, n := range sections[i] {
			if n != dropped {
				heads++
			}
		}
		out.take(g, docs, rows[i])
	}
	out.shareClasses()
	of := func(which func(*segment) *inverted) []*inverted {
		var list []*inverted
		for _, g := range parts {
			list = append(list, which(g))
		}
		return list
	}
	passages, err := mergeInverted(of(func(g *segment) *inverted { return &g.passages }), rows)
	if err != nil {
		return built{}, err
	}
	identifiers, err := mergeInverted(of(func(g *segment) *inverted { return &g.identifiers }), rows)
	if err != nil {
		return built{}, err
	}
	outline, err := mergeInverted(of(func(g *segment) *inverted { return &g.outline }), sections)
	return out.finish(passages, identifiers, outline), err
}

// take appends the documents of g that have a new number.
func (c *draft) take(g *segment, docs, rows []uint32) {
	classes := len(c.classes)
	c.classes = append(c.classes, g.classes...)
	for i, d := range g.docs {
		if docs[i] == dropped {
			continue
		}
		if d.failed != nil {
			f := *d.failed
			f.class += classes
			d.failed = &f
		}
		d.first = uint32(len(c.ids))
		for row := g.docs[i].first; row < g.end(i); row++ {
			c.ids, c.keys = append(c.ids, g.idOf(row)), append(c.keys, g.keyOf(row))
		}
		d.revisions = slices.Clone(d.revisions)
		for j := range d.revisions {
			r := &d.revisions[j]
			r.class += classes
			r.passages = slices.Clone(r.passages)
			for k := range r.passages {
				r.passages[k].row = rows[r.passages[k].row]
			}
		}
		c.docs = append(c.docs, d)
	}
}

// renumberRows gives the rows of documents that have a new number new ones as well,
// from base on.
func renumberRows(g *segment, docs []uint32, base int) []uint32 {
	out := make([]uint32, g.n)
	next := uint32(base)
	for i := range g.docs {
		for row := g.docs[i].first; row < g.end(i); row++ {
			out[row] = dropped
			if docs[i] != dropped {
				out[row] = next
				next++
			}
		}
	}
	return out
}

// renumber gives each of n things that is kept the next number from base on.
func renumber(n, base int, keep func(int) bool) []uint32 {
	out := make([]uint32, n)
	next := uint32(base)
	for i := range out {
		out[i] = dropped
		if keep(i) {
			out[i] = next
			next++
		}
	}
	return out
}

// shareClasses keeps one of equal classes, so that their number does not grow
// with every merge.
func (c *contents) shareClasses() {
	seen := map[string]int{}
	to := make([]int, len(c.classes))
	var kept []document.Access
	for i, a := range c.classes {
		key := classKey(a)
		at, ok := seen[key]
		if !ok {
			at = len(kept)
			seen[key] = at
			kept = append(kept, a)
		}
		to[i] = at
	}
	c.classes = kept
	for i := range c.docs {
		d := &c.docs[i]
		if d.failed != nil {
			d.failed.class = to[d.failed.class]
		}
		for j := range d.revisions {
			d.revisions[j].class = to[d.revisions[j].class]
		}
	}
}
