package series

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
)

// sketchSize bounds what is kept of a text. The error of a share is about 1/sqrt of it,
// 3 points, and a text of fewer runs of words is compared exactly.
const sketchSize = 1024

// runLength is how many words in a row are compared: texts on one topic share words, and
// seldom four in a row (Broder, "On the resemblance and containment of documents",
// SEQUENCES 1997).
const runLength = 4

// Sketch is what of a text tells how much of it another shares: the least hashes of its
// runs of words, at most 8 KB of them.
type Sketch struct {
	least []uint64 // ascending, unique
	runs  int      // how many different ones the text has
}

// NewSketch makes the sketch of a text. It takes time in the text's length and memory in
// the number of its different runs.
func NewSketch(text string) Sketch {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	n := max(1, len(words)-runLength+1)
	if len(words) == 0 {
		return Sketch{}
	}
	hashes := make([]uint64, n)
	for i := range n {
		h := fnv.New64a()
		for _, w := range words[i:min(i+runLength, len(words))] {
			h.Write([]byte(w))
			h.Write([]byte{0})
		}
		hashes[i] = spread(h.Sum64())
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	s := Sketch{runs: len(hashes)}
	s.least = slices.Clone(hashes[:min(sketchSize, len(hashes))])
	return s
}

// spread mixes the bits of a hash, so that the least ones are a sample of all (the
// finalizer of MurmurHash3).
func spread(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// Shared is which share, 0 to 1, of the shorter text's runs of words stands in the other:
// what is added to a text takes nothing from it.
func Shared(a, b Sketch) float64 {
	if a.runs == 0 || b.runs == 0 {
		return 0
	}
	// Of the least hashes of both together, how many both have.
	both, seen := 0, 0
	for i, j := 0, 0; (i < len(a.least) || j < len(b.least)) && seen < sketchSize; seen++ {
		switch {
		case j == len(b.least) || i < len(a.least) && a.least[i] < b.least[j]:
			i++
		case i == len(a.least) || b.least[j] < a.least[i]:
			j++
		default:
			both++
			i++
			j++
		}
	}
	resemblance := float64(both) / float64(seen)
	if a.runs <= sketchSize && b.runs <= sketchSize && seen < sketchSize { // nothing was left out
		return float64(both) / float64(min(a.runs, b.runs))
	}
	// |A and B| = J (|A| + |B|) / (1 + J)
	common := resemblance * float64(a.runs+b.runs) / (1 + resemblance)
	return min(1, common/float64(min(a.runs, b.runs)))
}
