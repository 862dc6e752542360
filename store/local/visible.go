package local

import (
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// visible is a scope compiled for one snapshot and day: what it sees, by segment.
type visible struct {
	rows     []bitset
	sections []bitset
	// chosen is, by segment and document, the revision that is seen, or one of
	// the values below.
	chosen [][]int32

	whole []bool // by segment: all of its rows and sections are seen
	tally

	frequencies frequencies
	filters     filters
}

const (
	unseen    = -1 // nothing of the document is seen
	hasFailed = -2 // that it failed is seen
	forgotten = -3 // that it has a revision for the day, whose text is not kept, is counted
)

// tally counts what is seen, as the statistics need it.
type tally struct {
	documents, failed int
	forgotten         int
	passages          int
	lengths           [store.Fields]int
	headings          int
	headingsLengths   [store.Fields]int
}

// count adds a revision; by is -1 to take it away.
func (t *tally) count(r *revision, by int) {
	t.documents += by
	t.passages += by * len(r.passages)
	t.headings += by * r.count
	for f := range r.lengths {
		t.lengths[f] += by * r.lengths[f]
		t.headingsLengths[f] += by * r.outline[f]
	}
}

func (t *tally) add(o *tally) {
	t.documents, t.failed, t.forgotten = t.documents+o.documents, t.failed+o.failed, t.forgotten+o.forgotten
	t.passages, t.headings = t.passages+o.passages, t.headings+o.headings
	for f := range t.lengths {
		t.lengths[f] += o.lengths[f]
		t.headingsLengths[f] += o.headingsLengths[f]
	}
}

// cachedScopes is how many compiled scopes a snapshot and each segment remember.
const cachedScopes = 64

// compile returns what a scope sees on a day: of each segment what it sees there,
// which never changes, without what stands in a later one. So a commit costs the
// words of the bitsets and what it touched, however large the corpus.
func (s *snapshot) compile(scope *document.Scope, day, today document.Day) *visible {
	key := rules.ScopeKey(scope, day, today)
	s.mu.Lock()
	v := s.visible[key]
	s.mu.Unlock()
	if v != nil {
		return v
	}
	v = &visible{}
	for i, g := range s.segments {
		p := g.portion(key, scope, day, today)
		if s.dead[i].any() {
			p = p.without(g, s.dead[i])
		}
		v.rows, v.sections, v.chosen = append(v.rows, p.rows), append(v.sections, p.sections), append(v.chosen, p.chosen)
		v.whole = append(v.whole, p.rows.count() == g.n && p.sections.count() == len(g.sections))
		v.tally.add(&p.tally)
	}
	s.mu.Lock()
	if s.visible == nil || len(s.visible) >= cachedScopes {
		s.visible = map[string]*visible{}
	}
	s.visible[key] = v
	s.mu.Unlock()
	return v
}

// nothing sees nothing yet.
func (s *snapshot) nothing() *visible {
	v := &visible{whole: make([]bool, len(s.segments))}
	for _, g := range s.segments {
		p := newPortion(g)
		v.rows, v.sections, v.chosen = append(v.rows, p.rows), append(v.sections, p.sections), append(v.chosen, p.chosen)
	}
	return v
}

// population compiles whom the statistics count: all that is in force today, in
// the scope's tenant, of classes that its principals may read.
func (s *snapshot) population(scope *document.Scope, today document.Day) *visible {
	return s.compile(&document.Scope{Tenant: scope.Tenant, Principals: scope.Principals, Administrator: scope.Administrator}, today, today)
}

// narrow keeps of v what lies in the given places.
func (s *snapshot) narrow(v *visible, to places) *visible {
	out := s.nothing()
	for row, sections := range to {
		i, at, ok := s.document(row)
		if !ok || v.chosen[i][at] == unseen || v.chosen[i][at] == forgotten {
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
