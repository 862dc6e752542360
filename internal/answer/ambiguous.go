package answer

import (
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/query"
)

// maxVagueTerms is the number of content terms up to which a question may be too
// vague to be answered from any one document.
const maxVagueTerms = 2

// vagueDocuments is how many documents must answer it about equally well.
const vagueDocuments = 3

// ambiguous recognises a question that several documents answer, each for its
// own case, while the question does not say which case is meant: few terms, no
// identifier, and many documents that cover all of them. It returns one unit
// for each case, or nothing.
func ambiguous(plan query.Plan, units []unit, weights termWeights, threshold float64) []scored {
	if len(plan.Whole) > 0 || len(plan.Requirements) != 1 {
		return nil
	}
	r := plan.Requirements[0]
	if len(r.Terms) > maxVagueTerms {
		return nil
	}
	ranked := rankUnits(r, units, weights)
	if len(ranked) == 0 || ranked[0].support < threshold {
		return nil
	}
	var cases []scored
	seen := map[string]bool{}
	for _, s := range ranked {
		name := s.source.Document.String()
		if s.support < 0.9*ranked[0].support || seen[name] {
			continue
		}
		seen[name] = true
		cases = append(cases, s)
	}
	if len(cases) < vagueDocuments {
		return nil
	}
	return cases
}

func needsInformation(plan query.Plan, cases []scored) Answer {
	var names []string
	for _, s := range cases[:min(len(cases), 5)] {
		name := s.source.Title
		if n := len(s.source.Heading); n > 0 && s.source.Heading[n-1] != name {
			name += " (" + s.source.Heading[n-1] + ")"
		}
		names = append(names, name)
	}
	a := Answer{Status: NeedsInformation,
		Text:    "Several documents answer this, each for another case. Say which is meant: " + strings.Join(names, "; ") + ".",
		Missing: []string{fmt.Sprintf("which of %d cases is meant", len(cases))}}
	for _, r := range plan.Requirements {
		a.Requirements = append(a.Requirements, Requirement{Text: r.Text, Status: Open})
	}
	return a
}
