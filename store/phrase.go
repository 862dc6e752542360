package store

import "slices"

// Phrase is quoted text as it was analysed: its words, all of them, in their order. A word
// is any of its terms, one for each language that the passages may be in.
type Phrase [][]string

// Terms are all terms of the phrase, each once.
func (p Phrase) Terms() []string {
	out := slices.Concat(p...)
	slices.Sort(out)
	return slices.Compact(out)
}

// PhraseHits is the result of looking for a phrase: passages with their Closeness, the
// greatest first, ties by passage id ascending.
type PhraseHits struct {
	Hits []Hit
	// Matched is the number of passages that hold every word of the phrase, looked at or not.
	Matched int
}

// Closeness says how closely a text holds a phrase: places are the positions of each of
// its words in one field, ascending. It is 1 where the words stand as in the phrase, one
// behind the other and in its order; 0 where one is missing; else
//
//	1 / (1 + spread)
//
// where spread is how far the words are from standing so: of the positions less the
// word's place in the phrase, one for each word, the greatest less the least, in the best
// choice of positions. It is the least span that covers all words (MinCover: Tao and
// Zhai, "An Exploration of Proximity Measures in Information Retrieval", SIGIR 2007)
// measured as Lucene measures the slop of a phrase, which puts order before
// disorder. A word that the phrase has twice may count one position for both, but
// then never as a phrase.
func Closeness(places [][]uint32) float64 {
	if len(places) == 0 {
		return 0
	}
	for _, at := range places {
		if len(at) == 0 {
			return 0
		}
	}
	// The window slides up: of the words' offsets at hand the least is taken on.
	next := make([]int, len(places))
	offset := func(word int) int { return int(places[word][next[word]]) - word }
	for spread := -1; ; {
		least, greatest := 0, 0
		for word := range places {
			if offset(word) < offset(least) {
				least = word
			}
			if offset(word) > offset(greatest) {
				greatest = word
			}
		}
		if wide := offset(greatest) - offset(least); spread < 0 || wide < spread {
			spread = wide
		}
		if next[least]++; spread == 0 || next[least] == len(places[least]) {
			return 1 / (1 + float64(spread))
		}
	}
}
