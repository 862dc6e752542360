package diagnose

import (
	"slices"
	"strings"
)

// group is what an advice is about, in the order in which to try.
type group int

const (
	source group = iota
	chunking
	results
	candidates
	ranking
	completeness
	generation
)

var groupNames = [...]string{"source", "chunking", "retrieval results", "candidates", "ranking", "completeness", "generation"}

type advice struct {
	group group
	text  string
}

// advise adds something to try; the same is said once.
func (d *diagnosis) advise(g group, text string) {
	if a := (advice{g, text}); !slices.Contains(d.advice, a) {
		d.advice = append(d.advice, a)
	}
}

// suggestion is what to try, the earliest group first: a fault in the source is
// not cured by ranking.
func (d *diagnosis) suggestion() string {
	if d.report.LostAt == "" {
		return "nothing was lost: the answer cites it"
	}
	slices.SortStableFunc(d.advice, func(a, b advice) int { return int(a.group) - int(b.group) })
	parts := make([]string, len(d.advice))
	for i, a := range d.advice {
		parts[i] = groupNames[a.group] + ": " + a.text
	}
	return strings.Join(parts, ". ")
}
