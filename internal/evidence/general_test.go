package evidence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// The general rule goes to the evidence with what modifies it for the case asked for.
func TestGeneralRule(t *testing.T) {
	norway := map[string][]string{"region": {"norway"}}
	// of makes candidates in ranked order: "n" is for norway, "f" for france, "g" for none, "m"
	// is a mail that is for none; upper-case ones stand out and the others do not.
	of := func(kinds string) []retrieve.Candidate {
		var scores []float64
		for _, k := range kinds {
			scores = append(scores, map[bool]float64{true: 1, false: 0.01}[strings.ToUpper(string(k)) == string(k)])
		}
		list := scored(0, scores...)
		for i := range list {
			c := &list[i]
			c.Attributes = map[string][]string{"region": {"france"}} // the rest
			c.Authority = 100
			if i < len(kinds) {
				switch strings.ToLower(kinds[i : i+1]) {
				case "n":
					c.Attributes = norway
				case "g":
					c.Attributes = map[string][]string{"category": {"policy"}}
				case "m":
					c.Attributes, c.Authority = nil, 10
				}
			}
		}
		return list
	}
	for _, c := range []struct {
		name   string
		kinds  string
		asked  map[string][]string
		budget int // of passages
		want   string
	}{
		{"it follows the first for the case, though it does not stand out", "NFFfffg", norway, 8, "1 7 2 3"},
		{"not where nothing is asked for", "NFFfffg", nil, 8, "1 2 3"},
		{"nor where nothing is for the case", "FFFfffg", norway, 8, "1 2 3"},
		{"it stays where it is if it stands before", "GFFffn", norway, 8, "1 2 3"},
		{"the best of them", "NFFfgg", norway, 8, "1 5 2 3"},
		{"of a rule's authority, not the mail about it", "NFFmfg", norway, 8, "1 6 2 3"},
		{"a mail where there is no rule", "NFFfm", norway, 8, "1 5 2 3"},
		{"for a case farther down that goes on", "FFFNfg", norway, 8, "1 2 3 4 6"},
		{"not for one that does not", "FFFnfg", norway, 8, "1 2 3"},
		{"within the passages that may go on", "NFFfffg", norway, 2, "1 7"},
	} {
		var ranks []string
		for _, p := range cut(of(c.kinds), Options{Passages: c.budget, Lead: 0.5, Asked: c.asked}, &trace.Trace{}) {
			ranks = append(ranks, fmt.Sprint(p.Rank))
		}
		if got := strings.Join(ranks, " "); got != c.want {
			t.Errorf("%s: %s go on, want %s", c.name, got, c.want)
		}
	}
}
