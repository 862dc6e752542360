package answer

import (
	"context"
	"math"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/store"
)

// Signals are what tells whether the documents hold an answer at all, read off the candidates
// before anything is answered. A passage about the same matter that does not hold the answer is near to
// the question as well; what tells it apart is that it stands out less, and lacks words of the
// question that its title does not already say.
type Signals struct {
	Near    float64 // cosine of the first candidate
	Gap     float64 // by how much the nearest candidate is nearer than the second
	Lead    float64 // and than the mean of those behind the twentieth
	Named   float64 // share of the question's term weight that the first candidate's title says
	Keyword float64 // the greatest keyword score, as a share of what the question's terms can give
	Lacking float64 // words of the question that the first candidate's text does not say
	Rest    float64 // of the term weight that the title does not say, the share that one sentence of it says
	Length  float64 // natural logarithm of its words: a long text says more words of any question
	Prose   float64 // the share of function words in its text: few where it is a list of names
	// Vectors says whether the vector lane ran: without it the first three are not known.
	Vectors bool
}

// background is the rank from which candidates are taken for what the question does not ask
// for, as evidence does.
const background = 20

// SignalsOf reads the signals off ranked candidates.
func SignalsOf(ctx context.Context, view store.View, plan query.Plan, ranked []retrieve.Candidate) (Signals, error) {
	known, err := weigh(ctx, view, plan)
	if err != nil {
		return Signals{}, err
	}
	return signalsOf(plan, ranked, known), nil
}

func signalsOf(plan query.Plan, ranked []retrieve.Candidate, known terms) Signals {
	if len(ranked) == 0 {
		return Signals{Lacking: math.Inf(1)}
	}
	first := ranked[0]
	var s Signals
	s.nearness(ranked)
	words := analyze.NewReader()
	text, title := map[string]bool{}, map[string]bool{}
	function, all := 0, 0
	for _, w := range words.Words(first.Text) {
		text[w.Term] = true
		if all++; analyze.IsFunctionWord(w.Folded) {
			function++
		}
	}
	s.Length = math.Log(float64(1 + all))
	// A table answers without a sentence, and function words of other languages are not counted.
	if s.Prose = usualProse; all > 0 && first.Kind != document.Table && first.Kind != document.Code && len(plan.Languages) == 0 {
		s.Prose = float64(function) / float64(all)
	}
	for _, w := range words.Words(first.Title) {
		title[w.Term] = true
	}
	total, rest := 0.0, map[string]float64{}
	for _, w := range analyze.Words(plan.Question) {
		weight, asked := known.weight[w.Term]
		if !asked || w.Part {
			continue
		}
		total += weight
		if !text[w.Term] {
			s.Lacking++
		}
		if title[w.Term] {
			s.Named += weight
		} else {
			rest[w.Term] += weight
		}
	}
	best := 0.0
	for _, c := range ranked {
		if !math.IsNaN(c.Keyword.Score) {
			best = max(best, c.Keyword.Score)
		}
	}
	if total > 0 {
		s.Named /= total
		s.Keyword = best / (total * (store.DefaultBM25.K1 + 1))
	}
	s.Rest = bestShare(words, first.Text, rest)
	return s
}

// nearness reads what the vector lane says.
func (s *Signals) nearness(ranked []retrieve.Candidate) {
	var cosines []float64
	for _, c := range ranked {
		if c.Vector.Rank > 0 && !math.IsNaN(c.Vector.Score) {
			cosines = append(cosines, c.Vector.Score)
		}
	}
	if len(cosines) == 0 {
		return
	}
	s.Vectors = true
	s.Near = ranked[0].Vector.Score
	if math.IsNaN(s.Near) {
		s.Near = cosines[0]
	}
	sortDescending(cosines)
	if len(cosines) > 1 {
		s.Gap = cosines[0] - cosines[1]
	}
	s.Lead = usualLead
	if len(cosines) > background {
		mean := 0.0
		for _, x := range cosines[background:] {
			mean += x / float64(len(cosines)-background)
		}
		s.Lead = cosines[0] - mean
	}
}

// bestShare is the greatest share of the weights that one sentence says; 1 where there is nothing
// to say.
func bestShare(words *analyze.Reader, text string, weights map[string]float64) float64 {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if total == 0 {
		return 1
	}
	best := 0.0
	for _, l := range lines(text) {
		share, seen := 0.0, map[string]bool{}
		for _, w := range words.Words(l.span.Of(text)) {
			if !seen[w.Term] {
				seen[w.Term] = true
				share += weights[w.Term] / total
			}
		}
		best = max(best, share)
	}
	return best
}

// Values lists the signals in the order of the weights below.
func (s Signals) Values() []float64 {
	if !s.Vectors {
		return []float64{s.Named, s.Keyword, s.Lacking, s.Rest, s.Length, s.Prose, 1}
	}
	return []float64{s.Near, s.Gap, s.Lead, s.Named, s.Keyword, s.Lacking, s.Rest, s.Length, s.Prose, 1}
}

// Promise is how far the documents promise to hold an answer, 0 to 1: a logistic regression over
// the signals. Half a question in two of the set that it was fitted on has an answer, so its
// value is no probability elsewhere; its order and a threshold are what it is for.
func (s Signals) Promise() float64 {
	if math.IsInf(s.Lacking, 1) {
		return 0
	}
	weights := withVectors[:]
	if !s.Vectors {
		weights = byWords[:]
	}
	sum := 0.0
	for i, x := range s.Values() {
		sum += weights[i] * x
	}
	return 1 / (1 + math.Exp(-sum))
}
