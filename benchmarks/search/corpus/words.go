package corpus

import "github.com/seed-d3156d19/quarry/internal/analyze"

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
		for i := range count {
			// Multiplying by an odd number permutes them, since their count is a power of
			// two: frequent words must not stand together in the order of the alphabet.
			word := spell(int(uint64(i)*0x9E3779B1%uint64(count)), length)
			if kept := analyze.Words(word); len(kept) == 1 && kept[0].Term == word {
				if words = append(words, word); len(words) == n {
					break
				}
			}
		}
	}
	return words
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
