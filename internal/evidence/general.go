package evidence

import (
	"maps"
	"slices"

	"github.com/seed-d3156d19/quarry/internal/retrieve"
)

// reading is the order in which candidates are looked at, as places in their ranking.
type reading struct {
	order []int
	rules map[int]int // of what is read for the sake of another: that other
}

// readingOf puts the rule behind its exception: where a passage for a region, product or
// customer that was asked for stands before all that are for none, the best of those
// follows it, and neither the cut nor the budget takes it away, as a rule for one case is
// read with the one that it modifies. The best is the first of a document of at
// least half the authority, or else the first at all.
func readingOf(ranked []retrieve.Candidate, asked map[string][]string) reading {
	r := reading{order: make([]int, len(ranked)), rules: map[int]int{}}
	for i := range r.order {
		r.order[i] = i
	}
	for _, key := range slices.Sorted(maps.Keys(asked)) {
		special := slices.IndexFunc(ranked, func(c retrieve.Candidate) bool {
			return slices.ContainsFunc(c.Attributes[key], func(v string) bool { return slices.Contains(asked[key], v) })
		})
		if special < 0 {
			continue
		}
		if general := generalFor(ranked, key, ranked[special].Authority); general > special {
			r.rules[general] = special
			at := slices.Index(r.order, general)
			r.order = slices.Delete(r.order, at, at+1)
			r.order = slices.Insert(r.order, slices.Index(r.order, special)+1, general)
		}
	}
	return r
}

// generalFor finds the best passage of a document that is for no value of a key.
func generalFor(ranked []retrieve.Candidate, key string, authority int) int {
	first := -1
	for i, c := range ranked {
		switch {
		case len(c.Attributes[key]) > 0:
		case 2*c.Authority >= authority:
			return i
		case first < 0:
			first = i
		}
	}
	return first
}
