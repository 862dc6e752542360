package analyze

import (
	"maps"
	"slices"

	"github.com/seed-d3156d19/quarry/store"
)

// ForPhrase analyses quoted text as ForQuestion does a question, but keeps every word in
// its place, function words among them, as passages do. Parts of compounds are left out: what
// is quoted is the compound.
func ForPhrase(text string, present ...Language) store.Phrase {
	terms := map[int][]string{} // by where their word begins
	for _, words := range readingsOf(text, present) {
		for _, w := range words {
			if !w.Part && !slices.Contains(terms[w.From], w.Term) {
				terms[w.From] = append(terms[w.From], w.Term)
			}
		}
	}
	begins := slices.Sorted(maps.Keys(terms))
	// At the edge of a quote a letter of a script without spaces is cut from those beside it,
	// with which a passage has it in its bigrams.
	if len(begins) > 0 && isLone(text, begins[0]) {
		begins = begins[1:]
	}
	if n := len(begins); n > 0 && isLone(text, begins[n-1]) {
		begins = begins[:n-1]
	}
	var phrase store.Phrase
	for _, at := range begins {
		phrase = append(phrase, terms[at])
	}
	return phrase
}

// isLone is whether a run of a script without spaces begins at i and is one letter.
func isLone(text string, i int) bool {
	r, _ := decode(text, i)
	if !isSpaceless(r) {
		return false
	}
	end := spacelessEnd(text, i)
	return clusterEnd(text, i, end) == end
}
