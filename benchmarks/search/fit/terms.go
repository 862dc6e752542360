package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/internal/analyze"
)

// terms are the words of texts as the analyser gives them.
func terms(texts []string) [][]string {
	out := make([][]string, len(texts))
	for i, text := range texts {
		for _, w := range analyze.Words(text) {
			out[i] = append(out[i], w.Term)
		}
	}
	return out
}

// frequencies are how often each term stands in the texts, most frequent first.
func frequencies(texts [][]string) []float64 {
	counts := map[string]float64{}
	for _, text := range texts {
		for _, t := range text {
			counts[t]++
		}
	}
	var out []float64
	for _, n := range counts {
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b float64) int { return int(b - a) })
	return out
}

// wordsOfLargest is about how many words the largest made corpus has.
const wordsOfLargest = 100_000_000

// vocabulary is how many distinct terms as many words have as the largest corpus, by
// Heaps' law with the exponent that the texts show between a part of them and all.
func vocabulary(texts [][]string) int {
	rnd := rand.New(rand.NewPCG(1, 1))
	shuffled := slices.Clone(texts)
	rnd.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	all := slices.Concat(shuffled...)
	some := all[:len(all)/8]
	distinctSome, distinctAll := float64(distinct(some)), float64(distinct(all))
	beta := math.Log(distinctAll/distinctSome) / math.Log(float64(len(all))/float64(len(some)))
	return int(distinctAll * math.Pow(wordsOfLargest/float64(len(all)), beta))
}

// zipfMandelbrot fits, by maximum likelihood, exponent and offset of the frequency of
// rank r = 0, 1, ... proportional to (offset + r)^-exponent (Mandelbrot, "An
// informational theory of the statistical structure of language", 1953): a grid that
// narrows around its best point. The generator needs an exponent over 1 and an offset
// of at least 1.
func zipfMandelbrot(observed []float64, vocabulary int) (exponent, offset float64) {
	lowS, highS, lowV, highV := 1.001, 2.0, math.Log(1), math.Log(200)
	for range 12 {
		best := math.Inf(-1)
		const steps = 8
		stepS, stepV := (highS-lowS)/steps, (highV-lowV)/steps
		for i := range steps + 1 {
			for j := range steps + 1 {
				s, v := lowS+float64(i)*stepS, math.Exp(lowV+float64(j)*stepV)
				if l := likelihood(observed, vocabulary, s, v); l > best {
					best, exponent, offset = l, s, v
				}
			}
		}
		lowS, highS = max(1.001, exponent-stepS), exponent+stepS
		lowV, highV = max(0, math.Log(offset)-stepV), math.Log(offset)+stepV
	}
	return exponent, offset
}

// likelihood is its logarithm, up to what is constant.
func likelihood(observed []float64, vocabulary int, s, v float64) float64 {
	var sum, total, norm float64
	for r, n := range observed {
		l := math.Log(v + float64(r))
		sum -= n * s * l
		total += n
		norm += math.Exp(-s * l)
	}
	// The ranks that were not observed, by the integral.
	from, to := v+float64(len(observed))-0.5, v+float64(vocabulary)-0.5
	norm += (math.Pow(from, 1-s) - math.Pow(to, 1-s)) / (s - 1)
	return sum - total*math.Log(norm)
}

// longWords is how much of a long text is compared: about what a made document has.
const longWords = corpus.PassagesPerDocument * corpus.MeanWords

// concentration fits how strongly a document repeats its own terms (see
// corpus.Terms): the value at which a made document has as many distinct terms as
// the beginnings of the long texts have on average.
func concentration(texts [][]string, t corpus.Terms) float64 {
	var observed, n float64
	for _, text := range texts {
		if len(text) >= longWords {
			observed += float64(distinct(text[:longWords]))
			n++
		}
	}
	observed /= n
	low, high := math.Log(10), math.Log(1e6)
	for range 14 {
		middle := (low + high) / 2
		t.Concentration = math.Exp(middle)
		rnd := rand.New(rand.NewPCG(1, 1))
		var made float64
		for range 40 {
			made += float64(distinct(t.Document(rnd, longWords)))
		}
		if made/40 < observed {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Exp((low + high) / 2)
}

func distinct[T comparable](list []T) int {
	seen := map[T]bool{}
	for _, t := range list {
		seen[t] = true
	}
	return len(seen)
}
