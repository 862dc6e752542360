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
	inForce  [][]int32 // by segment and document: the revision that is seen, -1 for none
	// What the statistics need.
	passages        int
	lengths         [store.Fields]int
	headings        int
	headingsLengths [store.Fields]int
}

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
	v = s.unseen()
	for i, g := range s.segments {
		allowed := make([]bool, len(g.classes))
		for j, a := range g.classes {
			allowed[j] = a.Allows(scope.Principals)
		}
		for j := range g.docs {
			if s.dead[i].has(uint32(j)) {
				continue
			}
			d := &g.docs[j]
			at := inForce(len(d.revisions), func(n int) standing { return d.revisions[n].standing }, d.failed, day, today, scope.Drafts)
			if at < 0 {
				continue
			}
			if r := &d.revisions[at]; admits(scope, d.id.Source, r.tenant, allowed[r.class], r.attributes) {
				v.inForce[i][j] = int32(at)
				v.see(i, r)
			}
		}
	}
	s.mu.Lock()
	if s.visible == nil || len(s.visible) >= cachedScopes {
		s.visible = map[string]*visible{}
	}
	s.visible[key] = v
	s.mu.Unlock()
	return v
}

// unseen sees nothing yet.
func (s *snapshot) unseen() *visible {
	n := len(s.segments)
	v := &visible{rows: make([]bitset, n), sections: make([]bitset, n), inForce: make([][]int32, n)}
	for i, g := range s.segments {
		v.rows[i], v.sections[i] = newBitset(len(g.rows)), newBitset(len(g.sections))
		v.inForce[i] = make([]int32, len(g.docs))
		for j := range v.inForce[i] {
			v.inForce[i][j] = -1
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

// narrow keeps of v what lies in the given sections of documents, by their row;
// nil sections keep all of a document.
func (s *snapshot) narrow(v *visible, within map[int64]map[int]bool) *visible {
	out := s.unseen()
	for i, g := range s.segments {
		for row, sections := range within {
			at, ok := g.byDoc[row]
			if !ok || v.inForce[i][at] < 0 {
				continue
			}
			out.inForce[i][at] = v.inForce[i][at]
			r := &g.docs[at].revisions[v.inForce[i][at]]
			for _, p := range r.passages {
				if v.rows[i].has(p.row) && (sections == nil || sections[int(p.section)]) {
					out.rows[i].set(p.row)
					out.passages++
				}
			}
			for n := r.first; n < r.first+uint32(r.count); n++ {
				if v.sections[i].has(n) && (sections == nil || sections[int(g.sections[n].section)]) {
					out.sections[i].set(n)
					out.headings++
				}
			}
		}
	}
	return out
}
