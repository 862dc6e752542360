package local

import (
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// visible is a scope compiled for one snapshot and day: the rows that it sees,
// by segment.
type visible struct {
	rows     []bitset
	sections []bitset
	// chosen is, by segment and document, the revision that is seen, or one of
	// the values below.
	chosen [][]int32

	whole []bool // by segment: all of its rows and sections are seen

	documents, failed int
	// What the statistics need.
	passages        int
	lengths         [store.Fields]int
	headings        int
	headingsLengths [store.Fields]int
}

const (
	unseen    = -1 // nothing of the document is seen
	hasFailed = -2 // that it failed is seen
)

// cachedScopes is how many compiled scopes a snapshot remembers.
const cachedScopes = 64

// compile returns what a scope sees on a day.
func (s *snapshot) compile(scope *document.Scope, day, today document.Day) *visible {
	key := scopeKey(scope, day, today)
	s.mu.Lock()
	v := s.visible[key]
	s.mu.Unlock()
	if v != nil {
		return v
	}
	v = s.nothing()
	for i, g := range s.segments {
		allowed := make([]bool, len(g.classes))
		for j, a := range g.classes {
			allowed[j] = a.Allows(scope.Principals)
		}
		for j := range g.docs {
			if !s.dead[i].has(uint32(j)) {
				v.choose(i, j, &g.docs[j], scope, allowed, day, today)
			}
		}
	}
	for i, g := range s.segments {
		v.whole[i] = v.rows[i].count() == len(g.rows) && v.sections[i].count() == len(g.sections)
	}
	s.mu.Lock()
	if s.visible == nil || len(s.visible) >= cachedScopes {
		s.visible = map[string]*visible{}
	}
	s.visible[key] = v
	s.mu.Unlock()
	return v
}

func (v *visible) choose(segment, at int, d *doc, scope *document.Scope, allowed []bool, day, today document.Day) {
	failed := document.Day(0)
	if d.failed != nil {
		failed = d.failed.day
		fine := inForce(1, func(int) standing { return standing{} }, failed, day, today, false) == 0
		if !fine {
			if f := d.failed; admits(scope, d.id.Source, f.tenant, allowed[f.class], nil) {
				v.chosen[segment][at] = hasFailed
				v.failed++
			}
			return
		}
	}
	n := inForce(len(d.revisions), func(n int) standing { return d.revisions[n].standing }, failed, day, today, scope.Drafts)
	if n < 0 {
		return
	}
	if !d.admitted(scope, allowed) {
		return
	}
	if r := &d.revisions[n]; admits(scope, d.id.Source, r.tenant, allowed[r.class], r.attributes) {
		v.chosen[segment][at] = int32(n)
		v.see(segment, r)
	}
}

// admitted reports whether the newest revision of a document, drafts among them,
// admits the scope. A document that was closed is closed for every day: an older
// text is not shown to those who may not read it now.
func (d *doc) admitted(scope *document.Scope, allowed []bool) bool {
	newest := &d.revisions[len(d.revisions)-1]
	return newest.tenant == scope.Tenant && allowed[newest.class]
}

// nothing sees nothing yet.
func (s *snapshot) nothing() *visible {
	n := len(s.segments)
	v := &visible{rows: make([]bitset, n), sections: make([]bitset, n), chosen: make([][]int32, n), whole: make([]bool, n)}
	for i, g := range s.segments {
		v.rows[i], v.sections[i] = newBitset(len(g.rows)), newBitset(len(g.sections))
		v.chosen[i] = make([]int32, len(g.docs))
		for j := range v.chosen[i] {
			v.chosen[i][j] = unseen
		}
	}
	return v
}

func (v *visible) see(segment int, r *revision) {
	for _, p := range r.passages {
		v.rows[segment].set(p.row)
	}
	for n := range uint32(r.count) {
		v.sections[segment].set(r.first + n)
	}
	v.documents++
	v.passages += len(r.passages)
	v.headings += r.count
	for f := range r.lengths {
		v.lengths[f] += r.lengths[f]
		v.headingsLengths[f] += r.outline[f]
	}
}

// population compiles whom the statistics count: all that is in force today, in
// the scope's tenant, of classes that its principals may read.
func (s *snapshot) population(scope *document.Scope, today document.Day) *visible {
	return s.compile(&document.Scope{Tenant: scope.Tenant, Principals: scope.Principals}, today, today)
}

// narrow keeps of v what lies in the given places.
func (s *snapshot) narrow(v *visible, to places) *visible {
	out := s.nothing()
	for row, sections := range to {
		i, at, ok := s.document(row)
		if !ok || v.chosen[i][at] == unseen {
			continue
		}
		if v.chosen[i][at] == hasFailed {
			out.chosen[i][at] = hasFailed
			out.failed++
			continue
		}
		passages, headings := out.passages, out.headings
		r := &s.segments[i].docs[at].revisions[v.chosen[i][at]]
		for _, p := range r.passages {
			if v.rows[i].has(p.row) && sections.hold(int(p.section)) {
				out.rows[i].set(p.row)
				out.passages++
			}
		}
		for n := range uint32(r.count) {
			if v.sections[i].has(r.first+n) && sections.hold(int(n+1)) {
				out.sections[i].set(r.first + n)
				out.headings++
			}
		}
		if sections == nil || out.passages > passages || out.headings > headings {
			out.chosen[i][at] = v.chosen[i][at]
			out.documents++
		}
	}
	return out
}
