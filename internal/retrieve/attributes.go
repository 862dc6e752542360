package retrieve

import "slices"

// attributePrior prefers the specific to the general: a passage of a document that is for
// what was asked for (an attribute of the scope, or one that the question names) goes
// before one that fits as well and says nothing of it, and that before one that is for
// another, which only a question that names its case in words lets in. Scores are
// multiplied by 1 + weight, 1 and 1 - weight, all divided by 1 + weight.
func attributePrior(candidates []Candidate, asked map[string][]string, weight float64) {
	if len(asked) == 0 || weight == 0 {
		return
	}
	for i := range candidates {
		candidates[i].Score *= (1 + weight*float64(applies(candidates[i].Attributes, asked))) / (1 + weight)
	}
}

// applies is 1 where a document is for what is asked, -1 where it is for another, and 0
// where it does not say.
func applies(has, asked map[string][]string) int {
	for key, wanted := range asked {
		if values := has[key]; len(values) > 0 {
			if !slices.ContainsFunc(wanted, func(w string) bool { return slices.Contains(values, w) }) {
				return -1
			}
		}
	}
	for key := range asked {
		if len(has[key]) > 0 {
			return 1
		}
	}
	return 0
}
