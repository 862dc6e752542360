package storetest

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// reference answers from plain lists, with no index and no cache: what a store
// must answer. It is written from the formulas of the contract.
type reference struct {
	today   document.Day
	docs    map[document.ID]*kept
	vectors map[document.ContentKey][][]float32
}

type kept struct {
	revisions []store.Revision
	valid     []document.Interval
	failed    document.Day
}

func (x *reference) put(r store.Revision) {
	k := x.docs[r.Document]
	if k == nil {
		k = &kept{}
		x.docs[r.Document] = k
	}
	k.failed = 0
	if n := len(k.revisions); n > 0 && k.revisions[n-1].Hash == r.Hash {
		return
	}
	k.revisions = append(k.revisions, r)
}

func newReference(now time.Time) reference {
	return reference{today: document.DayOf(now), docs: map[document.ID]*kept{}, vectors: map[document.ContentKey][][]float32{}}
}

// date gives the revisions of a document that state no validity the one that was inferred.
func (x *reference) date(d store.Dated) {
	if k := x.docs[d.Document]; k != nil {
		for i := range k.revisions {
			if m := &k.revisions[i].Metadata; !m.StatesValidity() {
				m.Effective, m.Inferred = d.Effective, d.Inferred
			}
		}
	}
}

// forget drops the vectors that no passage has any more.
func (x *reference) forget() {
	used := map[document.ContentKey]bool{}
	for _, k := range x.docs {
		for _, r := range k.revisions {
			for _, p := range r.Passages {
				used[p.Key] = true
			}
		}
	}
	for key := range x.vectors {
		if !used[key] {
			delete(x.vectors, key)
		}
	}
}

// inForce is the revision of a document on a day, nil if there is none.
func (x *reference) inForce(k *kept, day document.Day, drafts bool) *store.Revision {
	if k.failed != 0 && (day >= k.failed || day >= x.today) {
		return nil
	}
	for i := len(k.revisions) - 1; i >= 0; i-- {
		m := k.revisions[i].Metadata
		if m.Status == document.Draft && !drafts || m.Status == document.Superseded && day >= x.today {
			continue
		}
		if k.valid[i].Holds(day) {
			return &k.revisions[i]
		}
	}
	return nil
}

// sees lists the revisions that a scope sees.
func (x *reference) sees(s document.Scope) []*store.Revision {
	day := s.AsOf
	if day == 0 {
		day = x.today
	}
	var out []*store.Revision
	for _, k := range x.docs {
		r := x.inForce(k, day, s.Drafts)
		if r == nil || r.Metadata.Tenant != s.Tenant || !admits(s, r.Metadata.Access) {
			continue
		}
		// Closing a document closes its past.
		if newest := k.revisions[len(k.revisions)-1].Metadata; newest.Tenant != s.Tenant || !admits(s, newest.Access) {
			continue
		}
		if len(s.Sources) > 0 && !slices.Contains(s.Sources, r.Document.Source) {
			continue
		}
		fits := true
		for key, wanted := range s.Where {
			if has, ok := r.Metadata.Attributes[key]; ok {
				any := false
				for _, w := range wanted {
					any = any || slices.Contains(has, w)
				}
				fits = fits && any
			}
		}
		if fits {
			out = append(out, r)
		}
	}
	return out
}

// admits is who may read, as the contract says it.
func admits(s document.Scope, a document.Access) bool {
	in := func(names []string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(s.Principals, n) })
	}
	return !in(a.Deny) && (a.Everyone || in(a.Readers) || s.Administrator && len(a.Readers) > 0)
}

// population lists the revisions that statistics count.
func (x *reference) population(s document.Scope) []*store.Revision {
	return x.sees(document.Scope{Tenant: s.Tenant, Principals: s.Principals, Administrator: s.Administrator})
}

// unit of ranking: a passage, or a section below level 0.
type ranked struct {
	id    string // orders ties
	terms *store.Terms
	key   document.ContentKey
}

func passagesOf(revisions []*store.Revision) []ranked {
	var out []ranked
	for _, r := range revisions {
		for i, p := range r.Passages {
			out = append(out, ranked{string(p.ID), &r.Terms[i], p.Key})
		}
	}
	return out
}

func sectionsOf(revisions []*store.Revision) []ranked {
	var out []ranked
	for _, r := range revisions {
		for i := range r.Sections {
			if i > 0 {
				out = append(out, ranked{sectionName(r.Document, i), &r.Outline[i], ""})
			}
		}
	}
	return out
}

// sectionName orders sections as ties are: by source, path and number.
func sectionName(id document.ID, section int) string {
	return id.Source + "\x00" + id.Path + "\x00" + string(rune(section+1))
}

func frequency(t *store.Terms, term string) (tf float64) {
	for _, p := range t.Postings {
		if p.Term == term {
			tf += float64(len(p.Positions)) // all weights are 1 by default
		}
	}
	return tf
}

func length(t *store.Terms) float64 {
	return float64(t.Lengths[0] + t.Lengths[1] + t.Lengths[2])
}

// bm25 scores one unit: Robertson and Zaragoza, "The Probabilistic Relevance
// Framework: BM25 and Beyond" (2009), 3.4 and 3.6, with k1 = 1.2 and b = 0.75.
func bm25(u ranked, terms []store.QueryTerm, population []ranked) float64 {
	n, total := float64(len(population)), 0.0
	for _, p := range population {
		total += length(p.terms)
	}
	score := 0.0
	for _, q := range terms {
		tf, df := frequency(u.terms, q.Term), 0.0
		for _, p := range population {
			if frequency(p.terms, q.Term) > 0 {
				df++
			}
		}
		if tf == 0 {
			continue
		}
		norm := 1.2
		if total > 0 {
			norm = 1.2 * (0.25 + 0.75*length(u.terms)/(total/n))
		}
		score += q.Weight * math.Log(1+(n-df+0.5)/(df+0.5)) * tf * 2.2 / (tf + norm)
	}
	return score
}

// identifiers scores one unit in the identifier lane.
func identifiers(u ranked, terms []store.QueryTerm, population []ranked) float64 {
	weight := func(t *store.Terms, value string) float64 {
		for _, d := range t.Identifiers {
			if d.Value == value {
				return float64(d.Weight)
			}
		}
		return 0
	}
	n, score := float64(len(population)), 0.0
	for _, q := range terms {
		df := 0.0
		for _, p := range population {
			if weight(p.terms, q.Term) > 0 {
				df++
			}
		}
		score += q.Weight * weight(u.terms, q.Term) * math.Log(1+(n-df+0.5)/(df+0.5))
	}
	return score
}

// nearness is the greatest dot product; NaN without a vector.
func (x *reference) nearness(u ranked, query []float32) float64 {
	best := math.NaN()
	for _, v := range x.vectors[u.key] {
		sum := 0.0
		for i := range v {
			sum += float64(v[i]) * float64(query[i])
		}
		if math.IsNaN(best) || sum > best {
			best = sum
		}
	}
	return best
}

// scored is a whole lane: every unit that has a score.
type scored struct {
	scores   map[string]float64
	order    []string // best first
	min, max float64  // over all that is seen
}

// rank scores units; zero says whether those that score 0 bound the scores.
func rank(units []ranked, zero bool, score func(ranked) float64) scored {
	s := scored{scores: map[string]float64{}, min: math.Inf(1), max: math.Inf(-1)}
	for _, u := range units {
		v := score(u)
		matched := !math.IsNaN(v) && (!zero || v > 0)
		if matched {
			s.scores[u.id] = v
			s.order = append(s.order, u.id)
		}
		if matched || zero {
			s.min, s.max = min(s.min, v), max(s.max, v)
		}
	}
	if math.IsInf(s.min, 0) {
		s.min, s.max = 0, 0
	}
	slices.SortFunc(s.order, func(a, b string) int {
		switch {
		case s.scores[a] > s.scores[b]:
			return -1
		case s.scores[a] < s.scores[b]:
			return 1
		}
		return strings.Compare(a, b)
	})
	return s
}
