package local

import (
	"slices"
	"sync"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// portion is what a scope sees of one segment on a day, as if no document of it
// stood in a later one.
type portion struct {
	rows, sections bitset
	chosen         []int32 // see visible
	tally
}

// scopes are the portions that were asked for last.
type scopes struct {
	mu   sync.Mutex
	made map[string]*portion
}

func newPortion(g *segment) *portion {
	p := &portion{rows: newBitset(g.n), sections: newBitset(len(g.sections)), chosen: make([]int32, len(g.docs))}
	for i := range p.chosen {
		p.chosen[i] = unseen
	}
	return p
}

// portion compiles a scope for the segment, once for as long as it is remembered.
func (g *segment) portion(key string, scope *document.Scope, day, today document.Day) *portion {
	g.scopes.mu.Lock()
	p := g.scopes.made[key]
	g.scopes.mu.Unlock()
	if p != nil {
		return p
	}
	p = newPortion(g)
	allowed := g.allowed(scope)
	for i := range g.docs {
		p.choose(i, &g.docs[i], scope, allowed, day, today)
	}
	g.scopes.mu.Lock()
	defer g.scopes.mu.Unlock()
	if g.scopes.made == nil || len(g.scopes.made) >= cachedScopes {
		g.scopes.made = map[string]*portion{}
	}
	g.scopes.made[key] = p
	return p
}

// allowed tells which access classes of the segment admit a scope.
func (g *segment) allowed(scope *document.Scope) []bool {
	out := make([]bool, len(g.classes))
	for i, a := range g.classes {
		out[i] = scope.Admits(a)
	}
	return out
}

func (p *portion) choose(at int, d *doc, scope *document.Scope, allowed []bool, day, today document.Day) {
	failed := document.Day(0)
	if d.failed != nil {
		failed = d.failed.day
		fine := rules.InForce(1, func(int) standing { return standing{} }, failed, day, today, false) == 0
		if !fine {
			if f := d.failed; rules.Admits(scope, d.id.Source, f.tenant, allowed[f.class], nil) {
				p.chosen[at] = hasFailed
				p.failed++
			}
			return
		}
	}
	n := rules.InForce(len(d.revisions), func(n int) standing { return d.revisions[n].standing }, failed, day, today, scope.Drafts)
	if n < 0 || !d.admitted(scope, allowed) {
		return
	}
	if r := &d.revisions[n]; rules.Admits(scope, d.id.Source, r.tenant, allowed[r.class], r.attributes) {
		if r.forgotten {
			p.chosen[at] = forgotten
			p.forgotten++
			return
		}
		p.chosen[at] = int32(n)
		p.tally.count(r, 1)
		for _, place := range r.passages {
			p.rows.set(place.row)
		}
		for n := range uint32(r.count) {
			p.sections.set(r.first + n)
		}
	}
}

// admitted reports whether the newest revision of a document, drafts among them,
// admits the scope. A document that was closed is closed for every day: an older
// text is not shown to those who may not read it now.
func (d *doc) admitted(scope *document.Scope, allowed []bool) bool {
	newest := &d.revisions[len(d.revisions)-1]
	return newest.tenant == scope.Tenant && allowed[newest.class]
}

// without takes documents away.
func (p *portion) without(g *segment, dead bitset) *portion {
	out := &portion{rows: slices.Clone(p.rows), sections: slices.Clone(p.sections), chosen: slices.Clone(p.chosen), tally: p.tally}
	dead.each(func(at uint32) {
		switch n := p.chosen[at]; {
		case n == hasFailed:
			out.failed--
		case n == forgotten:
			out.forgotten--
		case n >= 0:
			r := &g.docs[at].revisions[n]
			out.tally.count(r, -1)
			for _, place := range r.passages {
				out.rows.clear(place.row)
			}
			for n := range uint32(r.count) {
				out.sections.clear(r.first + n)
			}
		}
		out.chosen[at] = unseen
	})
	return out
}
