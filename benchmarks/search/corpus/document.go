package corpus

import (
	"math/rand/v2"
	"slices"
)

// Document is a made document.
type Document struct {
	Number   int
	Filters  []string    // names of the filters that keep it
	Passages []string    // one line each
	Vectors  [][]float32 // of the passages, of unit length
}

// maker draws documents and questions. What it draws for a number depends on that
// number and the seed alone, so that many can be drawn at once.
type maker struct {
	Parameters
	seed      uint64
	words     []string
	documents int
	order     []int // of documents: a filter keeps those that come first in it
}

// Streams of random numbers, one for each thing that is drawn.
const (
	streamTexts = iota
	streamVectors
	streamQuestions
	streamQuestionVectors
	streamFilters
	streams
)

func newMaker(p Parameters, seed uint64, documents int) *maker {
	m := &maker{Parameters: p, seed: seed, words: Words(p.Terms.Vocabulary), documents: documents}
	m.order = m.random(streamFilters, 0).Perm(documents)
	return m
}

func (m *maker) random(stream, number int) *rand.Rand {
	return rand.New(rand.NewPCG(m.seed*streams+uint64(stream), uint64(number)))
}

func (m *maker) filters(document int) []string {
	var names []string
	for _, f := range Filters {
		if m.order[document] < f.Documents(m.documents) {
			names = append(names, f.Name)
		}
	}
	return names
}

// text draws the words of a document's passages, by rank.
func (m *maker) text(document int) [][]uint32 {
	rnd := m.random(streamTexts, document)
	lengths := make([]int, PassagesPerDocument)
	sum := 0
	for i := range lengths {
		lengths[i] = MeanWords/2 + rnd.IntN(MeanWords+1)
		sum += lengths[i]
	}
	words := m.Terms.Document(rnd, sum)
	passages := make([][]uint32, PassagesPerDocument)
	for i, n := range lengths {
		passages[i], words = words[:n], words[n:]
	}
	return passages
}

func (m *maker) vectors(document int) [][]float32 {
	return m.Mixture.Document(m.random(streamVectors, document), PassagesPerDocument)
}

// Questions have from 2 to 20 distinct words.
const leastWords, mostWords = 2, 20

// question draws words of a passage, so that as in a passage most of them are frequent.
func (m *maker) question(number int) []string {
	rnd := m.random(streamQuestions, number)
	passage := m.text(rnd.IntN(m.documents))[rnd.IntN(PassagesPerDocument)]
	length := leastWords + rnd.IntN(mostWords-leastWords+1)
	var words []string
	for _, at := range rnd.Perm(len(passage)) {
		if w := m.words[passage[at]]; !slices.Contains(words, w) {
			words = append(words, w)
		}
		if len(words) == length {
			break
		}
	}
	return words
}

// questionVector draws, by turns, one near a passage's and one as passages' are drawn.
func (m *maker) questionVector(number int) []float32 {
	rnd := m.random(streamQuestionVectors, number)
	if number%2 == 0 {
		return m.Mixture.Near(rnd, m.vectors(rnd.IntN(m.documents))[rnd.IntN(PassagesPerDocument)])
	}
	return m.Mixture.Document(rnd, 1)[0]
}
