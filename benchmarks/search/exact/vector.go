package exact

import (
	"runtime"
	"sync"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// Vectors computes the dot product of every vector with each question's and gives the
// best k under each filter. Questions are shared out among the cores.
func Vectors(files corpus.Files, questions []corpus.Question, k int) ([]measure.Answers, error) {
	best := newBest(len(questions), k)
	var block []corpus.Document
	flush := func() {
		var all sync.WaitGroup
		for worker := range runtime.GOMAXPROCS(0) {
			all.Go(func() {
				for i := worker; i < len(questions); i += runtime.GOMAXPROCS(0) {
					score(best, i, questions[i].Vector, block)
				}
			})
		}
		all.Wait()
		block = block[:0]
	}
	// So many that their vectors stay in a core's cache while questions take turns.
	const together = 16
	err := files.Documents(true, func(d corpus.Document) error {
		if block = append(block, d); len(block) == together {
			flush()
		}
		return nil
	})
	flush()
	return best.answers(measure.Vector), err
}

func score(best best, question int, query []float32, block []corpus.Document) {
	for _, d := range block {
		for p, v := range d.Vectors {
			hit := measure.Hit{Passage: d.Number*corpus.PassagesPerDocument + p, Score: float64(dot(query, v))}
			best.offer(d.Filters, question, hit)
		}
	}
}

// dot adds in four sums, which a core can do at once.
func dot(a, b []float32) float32 {
	var w, x, y, z float32
	for len(a) >= 4 && len(b) >= 4 {
		w += a[0] * b[0]
		x += a[1] * b[1]
		y += a[2] * b[2]
		z += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i := range a {
		w += a[i] * b[i]
	}
	return w + x + y + z
}
