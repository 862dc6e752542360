package answer

import (
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/query"
)

// vagueDocuments is how many documents must answer a vague question about equally well.
const vagueDocuments = 3

// ambiguous recognises a question that several documents answer, each for its
// own case, while the question does not say which case is meant: it is vague, and many
// documents cover its terms. It returns one unit for each case, or nothing.
func ambiguous(plan query.Plan, units []unit, known terms, threshold float64) []scored {
	if !plan.Vague() {
		return nil
	}
	ranked := rankUnits(plan.Requirements[0], units, known, threshold)
	if len(ranked) == 0 {
		return nil
	}
	var cases []scored
	seen := map[string]bool{}
	for _, s := range ranked {
		name := s.source.Document.String()
		if s.support < threshold || seen[name] {
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
		names = append(names, clean(name)) // a title is data: no line and no citation of its own
	}
	a := Answer{Status: NeedsInformation,
		Text:    "Several documents answer this, each for another case. Say which is meant: " + strings.Join(names, "; ") + ".",
		Missing: []string{fmt.Sprintf("which of %d cases is meant", len(cases))}}
	for _, r := range plan.Requirements {
		a.Requirements = append(a.Requirements, Requirement{Text: r.Text, Status: Open})
	}
	return a
}
