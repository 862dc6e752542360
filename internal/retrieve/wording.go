package retrieve

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

const (
	// window is how many words further on the second word of a pair may stand. The first term
	// dependence models took the next word alone; what lies between two words of a
	// question has often one or two more in a text.
	window = 5
	// compared is how many candidates, best first, are read for the order of their words, and
	// covering how many of the keyword lane's best for how many of the question's words one
	// holds: reading costs more than all else of fusion, and what is behind comes to no place.
	compared = 30
	covering = 10
	// steepness is how fast a question that a passage does not quite hold counts as any other.
	steepness = 8
)

// wording is what a question says word by word, without its function words, to be compared
// with what passages say. It is not for use by several goroutines at once.
type wording struct {
	number  map[string]int  // of the word that a term stands for; terms of several languages for one
	words   int             // different ones
	follows map[[2]int]bool // pairs of them that follow each other, identifiers apart
	readers []*analyze.Reader
}

func wordingOf(plan query.Plan) *wording {
	w := &wording{number: map[string]int{}, follows: map[[2]int]bool{}, readers: []*analyze.Reader{analyze.NewReader()}}
	for _, l := range plan.Languages {
		w.readers = append(w.readers, analyze.NewReader(l))
	}
	last := -1
	for _, word := range analyze.ContentWords(plan.Question, plan.Languages...) {
		n, known := w.number[word.Terms[0]]
		if !known {
			n = w.words
			w.words++
		}
		for _, t := range word.Terms {
			if _, known := w.number[t]; !known {
				w.number[t] = n
			}
		}
		if word.Identifier { // which stands in order where it is mentioned, and not at its own place
			last = -1
			continue
		}
		if last >= 0 && last != n {
			w.follows[[2]int{last, n}] = true
		}
		last = n
	}
	return w
}

// ordered is the share of the pairs of words that follow each other in a text as well, at
// most window words apart.
func (w *wording) ordered(text string) float64 {
	type place struct{ word, at int }
	found := map[[2]int]bool{}
	for _, r := range w.readers {
		var near []place // words of the question, in the window before
		at := 0
		for _, word := range r.Words(text) {
			if word.Part {
				continue
			}
			at++
			n, asked := w.number[word.Term]
			if !asked {
				continue
			}
			for len(near) > 0 && at-near[0].at > window {
				near = near[1:]
			}
			for _, before := range near {
				if pair := [2]int{before.word, n}; w.follows[pair] {
					found[pair] = true
				}
			}
			near = append(near, place{n, at})
		}
	}
	return float64(len(found)) / float64(len(w.follows))
}

// held is how many of the question's words stand in the text of a candidate or in what
// it is found with.
func (w *wording) held(c *Candidate) int {
	found := map[int]bool{}
	for _, r := range w.readers {
		for _, text := range []string{c.Title, strings.Join(c.Heading, "\n"), c.Context, c.Text} {
			for _, word := range r.Words(text) {
				if n, asked := w.number[word.Term]; asked {
					found[n] = true
				}
			}
		}
	}
	return len(found)
}

// orderPrior lets a passage go ahead in which words of the question follow each other as
// they do there: a score is multiplied by 1 + weight * the share of such pairs (the ordered
// pairs of Metzler and Croft, "A Markov random field model for term dependencies", SIGIR 2005;
// each counts once, as passages are short). Who asks talks as mails and minutes do, and not as
// the policy does that they are about, so what has less authority than another candidate is
// lifted less.
func (w *wording) orderPrior(candidates []Candidate, weight float64) {
	if weight == 0 || len(w.follows) == 0 {
		return
	}
	byScore(candidates)
	standing := standings(candidates)
	for i := range candidates {
		share := 0.0
		if i < compared {
			share = standing[i] * w.ordered(candidates[i].Text)
		}
		candidates[i].Score *= (1 + weight*share) / (1 + weight)
	}
}

// weigh lets the keyword lane count the more beside the vector lane the more one passage
// covers the question: its weight is multiplied by 1 + weight * coverage. It says so
// where that makes a difference.
func (w *wording) weigh(candidates []Candidate, lanes []Lane, weight float64) (note string) {
	words := slices.IndexFunc(lanes, func(l Lane) bool { return l.Name == trace.Keyword })
	if weight == 0 || words < 0 || !slices.ContainsFunc(lanes, func(l Lane) bool { return l.Name == trace.Vector }) {
		return ""
	}
	factor := 1 + weight*w.coverage(candidates)
	lanes[words].Weight *= factor
	if factor < 1.05 {
		return ""
	}
	return fmt.Sprintf("words count %.2f times, as one passage holds most of the question's", factor)
}

// coverage says, from 0 to 1, how far one passage holds all words of the question, who
// then asks for a text that he has before him, and words tell more of it than nearness
// does. All words of a short question stand together by chance, so that of n words all count as
// n of n + 1. It is measured on what the keyword lane finds best, and counts less of what has
// less authority (see orderPrior).
func (w *wording) coverage(candidates []Candidate) float64 {
	standing := standings(candidates)
	best := make([]int, 0, len(candidates))
	for i := range candidates {
		if candidates[i].Keyword.Score > 0 {
			best = append(best, i)
		}
	}
	slices.SortFunc(best, func(i, j int) int {
		a, b := &candidates[i], &candidates[j]
		return cmp.Or(cmp.Compare(b.Keyword.Score, a.Keyword.Score), cmp.Compare(a.ID, b.ID))
	})
	most := 0.0
	for _, i := range best[:min(covering, len(best))] {
		held := float64(w.held(&candidates[i])) / float64(w.words+1)
		most = max(most, standing[i]*math.Pow(held, steepness))
	}
	return most
}
