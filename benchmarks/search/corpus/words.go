package corpus

import (
	"strings"

	"github.com/seed-d3156d19/quarry/internal/analyze"
)

const (
	consonants = "bdfghjklmnprstvz"
	vowels     = "aeou"
	syllables  = len(consonants) * len(vowels)
)

// Words gives n words, the more frequent the shorter, as Zipf observed of languages.
// All are words that the analyser leaves as they are, so that the texts are the
// streams of terms that every engine indexes.
func Words(n int) []string {
	words := make([]string, 0, n)
	for length, count := 1, syllables; len(words) < n; length, count = length+1, count*syllables {
		for from := 0; from < count && len(words) < n; from += together {
			spelled := make([]string, min(together, count-from))
			for i := range spelled {
				// Multiplying by an odd number permutes them, since their count is a power of
				// two: frequent words must not stand together in the order of the alphabet.
				spelled[i] = spell(int(uint64(from+i)*0x9E3779B1%uint64(count)), length)
			}
			words = append(words, unchanged(spelled)...)
		}
	}
	return words[:n]
}

// together is how many words are analysed at once, which is faster than one by one.
const together = 4096

// unchanged are the words that the analyser leaves as they are.
func unchanged(words []string) []string {
	var kept []string
	for _, w := range analyze.Words(strings.Join(words, " ")) {
		if w.Term == words[0] {
			kept = append(kept, w.Term)
		}
		words = words[1:]
	}
	return kept
}

func spell(number, length int) string {
	word := make([]byte, 0, 2*length)
	for range length {
		syllable := number % syllables
		word = append(word, consonants[syllable/len(vowels)], vowels[syllable%len(vowels)])
		number /= syllables
	}
	return string(word)
}
