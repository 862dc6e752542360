package exact

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

func made(t *testing.T) (corpus.Files, []corpus.Document, []corpus.Question) {
	t.Helper()
	p, err := corpus.Fitted()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := corpus.Make(dir, p, corpus.Seed, 400); err != nil {
		t.Fatal(err)
	}
	files, err := corpus.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	questions, err := files.Questions(20)
	if err != nil {
		t.Fatal(err)
	}
	var documents []corpus.Document
	if err := files.Documents(true, func(d corpus.Document) error { documents = append(documents, d); return nil }); err != nil {
		t.Fatal(err)
	}
	return files, documents, questions
}

// TestKeyword writes BM25 out once more, from its definition (Robertson and Zaragoza,
// "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, 3.3) with Lucene's
// positive idf.
func TestKeyword(t *testing.T) {
	files, documents, questions := made(t)
	got, err := Keyword(files, questions, 10)
	if err != nil {
		t.Fatal(err)
	}
	var texts [][]string
	for _, d := range documents {
		for _, p := range d.Passages {
			texts = append(texts, strings.Fields(p))
		}
	}
	count := func(text []string, term string) (n float64) {
		for _, w := range text {
			if w == term {
				n++
			}
		}
		return n
	}
	n, mean := float64(len(texts)), 0.0
	for _, text := range texts {
		mean += float64(len(text)) / n
	}
	df := map[string]float64{}
	for _, q := range questions {
		for _, term := range q.Terms {
			df[term] = 0
			for _, text := range texts {
				if slices.Contains(text, term) {
					df[term]++
				}
			}
		}
	}
	check(t, got, documents, questions, 10, func(q corpus.Question, passage int) float64 {
		var score float64
		for _, term := range q.Terms {
			tf := count(texts[passage], term)
			idf := math.Log(1 + (n-df[term]+0.5)/(df[term]+0.5))
			score += idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*float64(len(texts[passage]))/mean))
		}
		return score
	})
}

func TestVectors(t *testing.T) {
	files, documents, questions := made(t)
	got, err := Vectors(files, questions, 50)
	if err != nil {
		t.Fatal(err)
	}
	check(t, got, documents, questions, 50, func(q corpus.Question, passage int) float64 {
		var sum float64
		for i, x := range documents[passage/corpus.PassagesPerDocument].Vectors[passage%corpus.PassagesPerDocument] {
			sum += float64(x) * float64(q.Vector[i])
		}
		return sum + 1 // above 0, as dot products below it are hits as well
	})
}

// check compares the scores under each filter, place by place, with those of a sort of
// everything. Of a lane with dot products 1 is taken off again.
func check(t *testing.T, got []measure.Answers, documents []corpus.Document, questions []corpus.Question, k int, score func(corpus.Question, int) float64) {
	t.Helper()
	for _, a := range got {
		for i, q := range questions {
			var want []float64
			for _, d := range documents {
				for p := range d.Passages {
					if s := score(q, d.Number*corpus.PassagesPerDocument+p); s > 0 && slices.Contains(d.Filters, a.Filter) {
						want = append(want, s)
					}
				}
			}
			slices.Sort(want)
			slices.Reverse(want)
			want = want[:min(k, len(want))]
			if len(a.Hits[i]) != len(want) {
				t.Fatalf("filter %s, question %d: %d hits, not %d", a.Filter, i, len(a.Hits[i]), len(want))
			}
			for at, h := range a.Hits[i] {
				s := h.Score
				if a.Lane == measure.Vector {
					s++
				}
				if math.Abs(s-want[at]) > 1e-5 {
					t.Fatalf("filter %s, question %d: the score at %d is %v, not %v", a.Filter, i, at+1, s, want[at])
				}
			}
		}
	}
}

func TestDot(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for n := range 20 {
		a, b := make([]float32, n), make([]float32, n)
		var want float64
		for i := range a {
			a[i], b[i] = rnd.Float32(), rnd.Float32()
			want += float64(a[i]) * float64(b[i])
		}
		if got := float64(dot(a, b)); math.Abs(got-want) > 1e-5 {
			t.Errorf("the dot product over %d is %v, not %v", n, got, want)
		}
	}
}

func TestCommon(t *testing.T) {
	files, documents, questions := made(t)
	common, err := Common(files, questions, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	for word, is := range common {
		held := 0
		for _, d := range documents {
			for _, p := range d.Passages {
				if slices.Contains(strings.Fields(p), word) {
					held++
				}
			}
		}
		if is != (held*10 >= files.Passages) {
			t.Errorf("%q is held by %d of %d passages; common: %v", word, held, files.Passages, is)
		}
	}
}
