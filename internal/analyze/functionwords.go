package analyze

import (
	_ "embed" // the function words
	"strings"
	"sync"
)

//go:embed functionwords.txt
var functionWordFile string

// functionWordsIn are the function words of languages other than English, folded, from
// functionwords.txt: a language and its words a line. As in English, words that turn
// a meaning round or place it in time are not among them.
var functionWordsIn = sync.OnceValue(func() map[Language]map[string]bool {
	out := map[Language]map[string]bool{English: functionWords}
	for line := range strings.Lines(functionWordFile) {
		code, words, _ := strings.Cut(line, ":")
		l := Language(code)
		if out[l] == nil {
			out[l] = map[string]bool{}
		}
		for _, word := range strings.Fields(words) {
			out[l][foldIn(l, word)] = true
		}
	}
	return out
})

// functionWordsOf finds where a question has function words of the language that it is in:
// of those that the passages have, the one that most of them are of, and the default
// where none has more.
func functionWordsOf(readings [][]Word, present []Language) map[int]bool {
	count := func(words []Word, l Language) (at []int) {
		for _, w := range words {
			if functionWordsIn()[l][w.Folded] {
				at = append(at, w.From)
			}
		}
		return at
	}
	skip := map[int]bool{}
	for s, l := range byDefault {
		best := count(readings[0], l)
		for i, l := range present {
			if scriptOf[l] == script(s) {
				if other := count(readings[i+1], l); len(other) > len(best) {
					best = other
				}
			}
		}
		for _, at := range best {
			skip[at] = true
		}
	}
	return skip
}
