package exact

import (
	"cmp"
	"slices"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

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
