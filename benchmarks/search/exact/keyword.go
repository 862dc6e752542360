// Package exact computes what a search should find, by looking at everything.
package exact

import (
	"cmp"
	"slices"
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
	count := make([]int, len(terms))
	err = files.Documents(false, func(d corpus.Document) error {
		for p, text := range d.Passages {
			clear(count)
			length := tally(text, terms, count)
			for i, q := range asked {
				var score float64
				for _, t := range q {
					if n := count[t]; n > 0 {
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
	frequent, count := make([]int, len(terms)), make([]int, len(terms))
	err = files.Documents(false, func(d corpus.Document) error {
		for _, text := range d.Passages {
			clear(count)
			tokens += tally(text, terms, count)
			for t, n := range count {
				if n > 0 {
					frequent[t]++
				}
			}
		}
		return nil
	})
	return frequent, tokens, err
}

// tally counts how often a text has each term, and its words.
func tally(text string, terms map[string]int, count []int) (words int) {
	for word := range strings.FieldsSeq(text) {
		words++
		if t, ok := terms[word]; ok {
			count[t]++
		}
	}
	return words
}

// best keeps the best hits of each question under each filter.
type best struct {
	k    int
	hits map[string][][]measure.Hit // by filter and question, best first
}

func newBest(questions, k int) best {
	b := best{k: k, hits: map[string][][]measure.Hit{}}
	for _, f := range corpus.Filters {
		b.hits[f.Name] = make([][]measure.Hit, questions)
	}
	return b
}

func (b best) offer(filters []string, question int, h measure.Hit) {
	for _, f := range filters {
		of := b.hits[f][question]
		if len(of) == b.k && !before(h, of[b.k-1]) {
			continue
		}
		at, _ := slices.BinarySearchFunc(of, h, func(a, h measure.Hit) int {
			if before(a, h) {
				return -1
			}
			return 1
		})
		of = slices.Insert(of, at, h)
		b.hits[f][question] = of[:min(len(of), b.k)]
	}
}

func before(a, b measure.Hit) bool {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Passage, b.Passage)) < 0
}

func (b best) answers(lane measure.Lane) []measure.Answers {
	var out []measure.Answers
	for _, f := range corpus.Filters {
		out = append(out, measure.Answers{Lane: lane, Filter: f.Name, Hits: b.hits[f.Name]})
	}
	return out
}
