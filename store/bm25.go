package store

import "math"

// BM25 holds the parameters of the keyword lane. They belong to an opened store
// and are the same for every view of it.
type BM25 struct {
	K1 float64 // saturation of the term frequency
	B  float64 // how far length normalises it, 0 to 1
	// Weights multiply frequency and length of each field before they are
	// summed and saturated once: the simple form of BM25F (Robertson, Zaragoza
	// and Taylor, "Simple BM25 extension to multiple weighted fields", CIKM 2004).
	Weights [Fields]float64
}

// DefaultBM25 is what a store uses unless it is told otherwise.
var DefaultBM25 = BM25{K1: 1.2, B: 0.75, Weights: [Fields]float64{Title: 1, HeadingPath: 1, Text: 1}}

// Statistics are what BM25 needs to know of the population (see View).
type Statistics struct {
	Passages int            // N
	Lengths  [Fields]int    // tokens per field, summed over the passages
	Frequent map[string]int // document frequency, in passages, by term
}

// IDF is the inverse document frequency of a term that df of n passages hold:
// ln(1 + (n - df + 0.5) / (df + 0.5)), the form of Robertson and Sparck Jones
// kept positive as in Lucene.
func IDF(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

// Length is the weighted length of a passage.
func (p BM25) Length(lengths [Fields]int) float64 {
	var sum float64
	for f, w := range p.Weights {
		sum += w * float64(lengths[f])
	}
	return sum
}

// Score is one term's share of a passage's BM25: tf is the weighted frequency
// (sum over fields of weight times frequency), length the passage's weighted
// length, mean the weighted mean length of the population, weight the query
// term's. A population without tokens has mean 0; then length does not count.
func (p BM25) Score(weight, idf, tf, length, mean float64) float64 {
	if tf <= 0 {
		return 0
	}
	norm := p.K1
	if mean > 0 {
		norm = p.K1 * (1 - p.B + p.B*length/mean)
	}
	return weight * idf * tf * (p.K1 + 1) / (tf + norm)
}

// IdentifierScore is one identifier's share of a passage's score in the
// identifier lane: the rarer it is among the population, and the more the
// passage is about it, the more it counts. Shares are summed.
func IdentifierScore(queryWeight float64, passageWeight float32, n, df int) float64 {
	return queryWeight * float64(passageWeight) * IDF(n, df)
}
