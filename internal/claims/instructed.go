package claims

import "github.com/seed-d3156d19/quarry/internal/lazyregexp"

// toModel recognises a sentence of a document that tells a model what to do. Such text is data:
// it supports nothing, nor does what follows it in its paragraph.
var toModel = lazyregexp.New(`(?i)\b(?:ignore|disregard|forget|override)\b[^.]{0,40}\b(?:instructions?|prompts?|rules|evidence|passages|above|previous)\b` +
	`|\b(?:system prompt|you are (?:now )?(?:an? )?(?:ai|assistant|language model|chatbot)|as an ai\b|(?:ai|language) model,? (?:must|should|reading))` +
	`|\b(?:assistants?|chatbots?|(?:language |ai )?models?|llms?)\b[^.]{0,30}\b(?:must|should|shall|have to|are told to)\b[^.]{0,30}\b(?:answer|say|reply|respond|write|output|state|tell)\b` +
	`|\b(?:answer|reply|respond)\b[^.]{0,20}\b(?:with|only|that|exactly)\b[^.]{0,60}\b(?:whatever|regardless|no matter)\b` +
	`|\bnew instructions?\b|\bto the (?:assistant|model|ai)\b`)

func addressesModel(text string) bool { return toModel.MatchString(text) }

// instructed reports a claim that says what text to a model says, and more of it than the rest
// of the cited passages does.
func instructed(r reading, cited []*source) (Fault, bool) {
	terms := r.contentTerms()
	for i, w := range r.words {
		if r.covered[i] {
			terms = append(terms, w.term)
		}
	}
	if len(terms) == 0 {
		return Fault{}, false
	}
	for _, s := range cited {
		if len(s.orders) == 0 {
			continue
		}
		all := map[string]bool{}
		for _, o := range s.orders {
			for t := range termsOf(o) {
				all[t] = true
			}
		}
		if told, rest := shareOf(terms, all), shareOf(terms, s.terms); told >= 0.5 && told > rest {
			return Fault{Instructed, "it repeats text that tells a model what to say, which is no evidence"}, true
		}
	}
	return Fault{}, false
}
