package corpus

import "math/rand/v2"

// Terms says how terms are distributed in made documents.
//
// Over all documents a term of rank r = 0, 1, ... has a probability proportional to
// (Offset + r)^-Exponent (Zipf-Mandelbrot). Within a document terms come in bursts,
// as a Dirichlet compound multinomial with that mean makes them (Madsen, Kauchak and
// Elkan, "Modeling word burstiness using the Dirichlet distribution", ICML 2005):
// its n-th word is, with probability n / (Concentration + n), one of the n before it,
// and otherwise drawn anew. That leaves the distribution over all documents as it is.
type Terms struct {
	Exponent      float64
	Offset        float64
	Vocabulary    int // number of ranks
	Concentration float64
}

// Document draws the ranks of a document's words.
func (t Terms) Document(rnd *rand.Rand, words int) []uint32 {
	// rand.Zipf counts from 0 and draws k with probability proportional to (v + k)^-s.
	anew := rand.NewZipf(rnd, t.Exponent, t.Offset, uint64(t.Vocabulary-1))
	ranks := make([]uint32, words)
	for n := range ranks {
		if rnd.Float64()*(t.Concentration+float64(n)) < float64(n) {
			ranks[n] = ranks[rnd.IntN(n)]
		} else {
			ranks[n] = uint32(anew.Uint64())
		}
	}
	return ranks
}
