package retrieve

import "slices"

// attributePrior prefers the specific to the general and both to what is for another case.
// Of what the scope asks for, a passage of a document that is for it goes before one that
// fits as well and says nothing of it. What a question names in words says less: what holds
// there may be said by a rule for all; so a passage for another case goes back, and none
// forward. A score is multiplied by 1 + weight, 1 or 1 - weight, all divided by 1 + weight.
func attributePrior(candidates []Candidate, where, named map[string][]string, weight float64) {
	if weight == 0 || len(where)+len(named) == 0 {
		return
	}
	for i := range candidates {
		has, share := candidates[i].Attributes, 1.0
		if applies(has, where) > 0 {
			share += weight
		} else if applies(has, named) < 0 {
			share -= weight
		}
		candidates[i].Score *= share / (1 + weight)
	}
}

// applies is 1 where a document is for what is asked, -1 where it is for another, and 0
// where it does not say.
func applies(has, asked map[string][]string) (order int) {
	for key, wanted := range asked {
		switch values := has[key]; {
		case len(values) == 0:
		case !slices.ContainsFunc(wanted, func(w string) bool { return slices.Contains(values, w) }):
			return -1
		default:
			order = 1
		}
	}
	return order
}
