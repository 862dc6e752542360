// Package exact computes what a search should find, by looking at everything.
package exact

import (
	"strings"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
	"github.com/seed-d3156d19/quarry/store"
)

// Keyword scores every passage for each question by the formula of store.BM25 and
// gives the best k under each filter. Filters leave the statistics as they are.
func Keyword(files corpus.Files, questions []corpus.Question, k int) ([]measure.Answers, error) {
	terms := numbered(questions)
	frequent, tokens, err := statistics(files, terms)
	if err != nil {
		return nil, err
	}
	mean := float64(tokens) / float64(files.Passages)
	idf := make([]float64, len(terms))
	for t, n := range frequent {
		idf[t] = store.IDF(files.Passages, n)
	}
	asked := make([][]int, len(questions))
	for i, q := range questions {
		for _, t := range q.Terms {
			asked[i] = append(asked[i], terms[t])
		}
	}
	best := newBest(len(questions), k)
	tally := newTally(terms)
	err = files.Documents(false, func(d corpus.Document) error {
		for p, text := range d.Passages {
			length := tally.of(text)
			for i, q := range asked {
				var score float64
				for _, t := range q {
					if n := tally.count[t]; n > 0 {
						score += store.DefaultBM25.Score(1, idf[t], float64(n), float64(length), mean)
					}
				}
				if score > 0 {
					best.offer(d.Filters, i, measure.Hit{Passage: d.Number*corpus.PassagesPerDocument + p, Score: score})
				}
			}
		}
		return nil
	})
	return best.answers(measure.Keyword), err
}

// Common tells which words of questions at least a share of the passages hold.
func Common(files corpus.Files, questions []corpus.Question, share float64) (map[string]bool, error) {
	terms := numbered(questions)
	frequent, _, err := statistics(files, terms)
	common := map[string]bool{}
	for word, t := range terms {
		common[word] = float64(frequent[t]) >= share*float64(files.Passages)
	}
	return common, err
}

// numbered gives each word of the questions a number.
func numbered(questions []corpus.Question) map[string]int {
	terms := map[string]int{}
	for _, q := range questions {
		for _, t := range q.Terms {
			if _, ok := terms[t]; !ok {
				terms[t] = len(terms)
			}
		}
	}
	return terms
}

// statistics counts the passages that hold each term, and all words.
func statistics(files corpus.Files, terms map[string]int) (frequent []int, tokens int, err error) {
	frequent = make([]int, len(terms))
	tally := newTally(terms)
	err = files.Documents(false, func(d corpus.Document) error {
		for _, text := range d.Passages {
			tokens += tally.of(text)
			for _, t := range tally.held {
				frequent[t]++
			}
		}
		return nil
	})
	return frequent, tokens, err
}

// tally counts the terms of one text after the other.
type tally struct {
	terms map[string]int // their numbers
	count []int          // by number, in the last text
	held  []int          // those that it has
}

func newTally(terms map[string]int) *tally {
	return &tally{terms: terms, count: make([]int, len(terms))}
}

// of counts the terms of a text, and gives its number of words.
func (y *tally) of(text string) (words int) {
	for _, t := range y.held {
		y.count[t] = 0
	}
	y.held = y.held[:0]
	for word := range strings.FieldsSeq(text) {
		words++
		t, asked := y.terms[word]
		if !asked {
			continue
		}
		if y.count[t] == 0 {
			y.held = append(y.held, t)
		}
		y.count[t]++
	}
	return words
}
