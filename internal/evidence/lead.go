package evidence

import (
	"math"

	"github.com/seed-d3156d19/quarry/internal/retrieve"
)

// noise is the rank behind which candidates are taken for what the question does not
// ask for.
const noise = 20

// usual is the length in tokens, context included, at which a passage's place alone says
// how far it must stand out: about that of a passage.
const usual = 128

// leads gives each candidate's lead over the background, as a share of the best
// one's: 1 for the best, 0 for one that scores as the mean of those behind noise. It
// depends on the shape of the scores alone, not on their scale. nil where there is
// no background to compare with.
func leads(ranked []retrieve.Candidate) []float64 {
	if len(ranked) <= noise {
		return nil
	}
	background := 0.0
	for _, c := range ranked[noise:] {
		background += c.Score / float64(len(ranked)-noise)
	}
	best := ranked[0].Score - background
	if !(best > 0) {
		return nil
	}
	out := make([]float64, len(ranked))
	for i, c := range ranked {
		out[i] = (c.Score - background) / best
	}
	return out
}

// places says what place counts as the first: 1, or where one lane alone reads the
// text 2. The better of two lanes' places was 0.55 to 0.64 of the keyword lane's (geometric
// mean over ranks 4 to 20 of four sets).
type places struct{ first float64 }

func placesOf(ranked []retrieve.Candidate) places {
	words, vectors := false, false
	for _, c := range ranked {
		words, vectors = words || c.Keyword.Rank > 0, vectors || c.Vector.Rank > 0
	}
	if words && vectors {
		return places{first: 1}
	}
	return places{first: 2}
}

// asks gives the lead that a passage of so many tokens needs, in units of Options.Lead:
//
//	ln(place * sqrt(tokens / usual)), not below 0
//
// where place is the best that a lane or the ranking gives it. That a passage holds what
// those before it lack grew, in its log odds, with the lead and fell with ln(place) on each
// of the four sets that benchmarks/quality.md names: logistic regression gives 2.7 to 5.9 for
// the lead and -0.8 to -1.7 for ln(place). The tokens ask for gain by cost, as in summarising
// within a budget, where the cost has an exponent as well (Lin and Bilmes, "Multi-document
// Summarization via Budgeted Maximization of Submodular Functions", NAACL 2010).
func (p places) asks(c retrieve.Candidate, tokens int) float64 {
	return max(0, math.Log(bestPlace(c)/p.first)+math.Log(float64(max(1, tokens))/usual)/2)
}

func bestPlace(c retrieve.Candidate) float64 {
	best := max(1, c.Rank)
	for _, rank := range [...]int{c.Keyword.Rank, c.Vector.Rank, c.Identifier.Rank} {
		if rank > 0 {
			best = min(best, rank)
		}
	}
	return float64(best)
}
