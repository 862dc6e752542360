package claims

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

const (
	// leastCovered is the share of a claim's content words that its passages must say.
	leastCovered = 0.6
	// fewWords is up to how many content words a claim may lack one more.
	fewWords = 3
	// alignedShare is the share that a sentence must say itself to be the one that the claim
	// retells: only then can it have been turned round.
	alignedShare = 0.5
	// turnedShare is the share from which a missing or added negation is taken to turn it round.
	turnedShare = 0.65
	// closeShare is how near to the best another sentence must come to be looked at as well.
	closeShare = 0.97
	// maxWindow is the most neighbouring sentences that are cited for one claim.
	maxWindow = 3
)

// content are the claim's words that name its topic, each term once.
func (r *reading) contentTerms() []string {
	seen := map[string]bool{}
	var out []string
	for i, w := range r.words {
		if w.content && !r.covered[i] && !seen[w.term] {
			seen[w.term] = true
			out = append(out, w.term)
		}
	}
	return out
}

// unsupported reports a claim too few of whose words its passages say.
func unsupported(r reading, cited []*source) (Fault, bool) {
	terms := r.contentTerms()
	if len(terms) == 0 && !slices.Contains(r.covered, true) && !strings.HasSuffix(r.text, ":") { // "No.", "It may not."
		return Fault{Unsupported, "it says nothing that can be looked up: write it as a whole sentence"}, true
	}
	var missing []string
	for _, t := range terms {
		found := false
		for _, s := range cited {
			found = found || s.terms[t]
		}
		if !found {
			missing = append(missing, t)
		}
	}
	allowed := int((1 - leastCovered) * float64(len(terms)))
	if len(terms) <= fewWords {
		allowed = 1
	}
	if len(missing) <= allowed && (len(terms) == 0 || len(missing) < len(terms)) {
		return Fault{}, false
	}
	return Fault{Unsupported, fmt.Sprintf("what it cites says too little of it: %s", quoted(rawOf(r, missing)))}, true
}

// rawOf gives terms as the claim writes them.
func rawOf(r reading, terms []string) []string {
	var out []string
	for _, t := range terms {
		for _, w := range r.words {
			if w.term == t {
				out = append(out, w.raw)
				break
			}
		}
	}
	return out
}

// align finds the sentences of the cited passages that a claim may retell, the one that says
// most of it first.
func align(r reading, cited []*source) []part {
	terms := r.contentTerms()
	if len(terms) == 0 {
		return nil
	}
	every := make([]string, len(r.words))
	for i, w := range r.words {
		every[i] = w.term
	}
	best, at := 0.0, part{}
	type scored struct {
		part
		share float64
	}
	var all []scored
	for _, s := range cited {
		for _, p := range s.parts {
			share := shareOf(terms, p.terms)
			// Of sentences with the same content, the one with the same words and figures.
			share += 0.15*shareOf(every, p.terms) + 0.01*float64(p.sameFigures(r))
			if share > best {
				best, at = share, p
			}
			all = append(all, scored{p, share})
		}
	}
	if best < alignedShare {
		return nil
	}
	out := []part{at}
	for _, s := range all {
		if s.share >= closeShare*best && s.span != at.span {
			out = append(out, s.part)
		}
	}
	return out
}

func (p part) sameFigures(r reading) int {
	same := 0
	for _, n := range r.facts.numbers {
		for _, have := range p.facts.numbers {
			if equal(n.values[0], have.values[0]) {
				same++
				break
			}
		}
	}
	return same
}

func shareOf(terms []string, in map[string]bool) float64 {
	if len(terms) == 0 {
		return 0
	}
	n := 0
	for _, t := range terms {
		if in[t] {
			n++
		}
	}
	return float64(n) / float64(len(terms))
}

// held finds the sentences of a passage that say most of a claim, as few neighbours as say it, and
// the share that they say.
func (s *source) held(r reading) (document.Span, float64) {
	need := r.contentTerms()
	for i, w := range r.words {
		if r.covered[i] {
			need = append(need, w.term)
		}
	}
	best, span := 0.0, document.Span{}
	for i := range s.parts {
		terms := map[string]bool{}
		for n := 0; n < maxWindow && i+n < len(s.parts); n++ {
			for t := range s.parts[i+n].terms {
				terms[t] = true
			}
			// A further sentence must say something more, to be worth its length.
			if share := shareOf(need, terms) - 0.06*float64(n); share > best+1e-9 {
				best, span = share, document.Span{From: s.parts[i].span.From, To: s.parts[i+n].span.To}
			}
		}
	}
	return span, best
}
