package retrieve

import "github.com/seed-d3156d19/quarry/document"

// authorityPrior lets authority decide between passages that fit about equally
// well, and never lifts one that does not fit: a score is multiplied by
// 1 + weight * authority / (greatest authority among the candidates).
func authorityPrior(candidates []Candidate, weight float64) {
	if weight == 0 {
		return
	}
	standing := standings(candidates)
	for i := range candidates {
		candidates[i].Score *= (1 + weight*standing[i]) / (1 + weight)
	}
}

// standings are the authority of each candidate as a share of the greatest among them, all 1
// where none has any.
func standings(candidates []Candidate) []float64 {
	greatest := 0
	for _, c := range candidates {
		greatest = max(greatest, c.Authority)
	}
	out := make([]float64, len(candidates))
	for i, c := range candidates {
		if out[i] = 1; greatest > 0 {
			out[i] = max(0, float64(c.Authority)/float64(greatest))
		}
	}
	return out
}

// documentPrior lets a passage share in the best that its document has to offer: its
// normalised score in a lane becomes (1-share) of its own and share of the best among
// the candidates of its document. The words of a question stand often in a title, an
// introduction and a clause, not all in each; of two passages that fit equally well the one from the
// document that is about the question goes first (Callan, "Passage-level evidence in
// document retrieval", SIGIR 1994). It changes nothing where documents have one passage.
func documentPrior(candidates []Candidate, l Lane, share float64) Lane {
	if share == 0 {
		return l
	}
	best := make(map[document.ID]float64)
	scores := make([]float64, len(candidates))
	for i, c := range candidates {
		scores[i] = l.Normalised(i)
		best[c.Document] = max(best[c.Document], scores[i])
	}
	for i, c := range candidates {
		scores[i] += share * (best[c.Document] - scores[i])
	}
	return Lane{Name: l.Name, Weight: l.Weight, Scores: scores, Max: 1}
}
