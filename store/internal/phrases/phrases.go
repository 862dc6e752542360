// Package phrases tells how closely passages hold a phrase, for stores that read where the terms of
// a passage stand.
package phrases

import (
	"slices"

	"github.com/seed-d3156d19/quarry/store"
)

// Places are those of the words of a phrase in one passage after the other: begin each with Clear,
// Add its terms, and ask for Closeness. They may not be used concurrently.
type Places struct {
	words map[string][]int // the places in the phrase that a term may stand for
	at    [store.Fields][][]uint32
}

// New prepares for the words of a phrase.
func New(phrase store.Phrase) *Places {
	p := &Places{words: map[string][]int{}}
	for f := range p.at {
		p.at[f] = make([][]uint32, len(phrase))
	}
	for i, terms := range phrase {
		for _, term := range terms {
			p.words[term] = append(p.words[term], i)
		}
	}
	return p
}

// Clear forgets the passage before.
func (p *Places) Clear() {
	for f := range p.at {
		for i := range p.at[f] {
			p.at[f][i] = p.at[f][i][:0]
		}
	}
}

// Add notes where a term of the passage stands in one of its fields; it keeps neither argument. A
// term that is not of the phrase changes nothing.
func (p *Places) Add(f store.Field, term []byte, at []uint32) {
	for _, i := range p.words[string(term)] {
		p.at[f][i] = append(p.at[f][i], at...)
	}
}

// Closeness is that of the passage (see store.Closeness) in the field where it is greatest.
func (p *Places) Closeness() (closest float64) {
	for _, words := range p.at {
		for i := range words { // of several terms
			slices.Sort(words[i])
		}
		closest = max(closest, store.Closeness(words))
	}
	return closest
}
