package evaluate

import (
	"cmp"
	"math"
	"slices"
)

// ranking is a collapsed list with the grades of its judged units.
type ranking struct {
	entries []entry
	grades  []int // of every judged unit, found or not; all at least 1
}

// value is the metric of a ranking of which entries in the first hits hits
// count (all, where the metric has no budget). The package comment has the
// definitions.
func (r ranking) value(m metric, hits int) float64 {
	entries := r.entries
	if m.budget > 0 {
		n, _ := slices.BinarySearchFunc(entries, hits, func(e entry, hits int) int { return cmp.Compare(e.hit, hits) })
		entries = entries[:n]
	}
	cut := entries
	if m.k > 0 {
		cut = entries[:min(m.k, len(entries))]
	}
	found, right := 0, 0
	for _, e := range cut {
		found += len(e.units)
		if len(e.units) > 0 {
			right++
		}
	}
	switch m.kind {
	case "recall":
		return float64(found) / float64(len(r.grades))
	case "all_sources":
		if found == len(r.grades) {
			return 1
		}
		return 0
	case "precision":
		of := len(cut)
		if m.k > 0 {
			of = m.k
		}
		if of == 0 {
			return 0
		}
		return float64(right) / float64(of)
	case "mrr":
		return reciprocalRank(cut)
	case "map":
		return averagePrecision(r.gains(cut), m.k, len(r.grades))
	}
	return r.ndcg(cut, m.k) // the one kind left
}

func reciprocalRank(entries []entry) float64 {
	for i, e := range entries {
		if len(e.units) > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// gains gives the grade at each place: an entry has as many places as it holds
// units, the higher grades first, and one of gain 0 if it holds none.
func (r ranking) gains(entries []entry) []int {
	var gains []int
	for _, e := range entries {
		if len(e.units) == 0 {
			gains = append(gains, 0)
			continue
		}
		from := len(gains)
		for _, u := range e.units {
			gains = append(gains, r.grades[u])
		}
		slices.SortFunc(gains[from:], descending)
	}
	return gains
}

func descending(a, b int) int { return cmp.Compare(b, a) }

// averagePrecision of the first k places (0 is all) over all relevant units.
func averagePrecision(gains []int, k, relevant int) float64 {
	if k > 0 {
		gains = gains[:min(k, len(gains))]
	}
	sum, found := 0.0, 0
	for i, g := range gains {
		if g > 0 {
			found++
			sum += float64(found) / float64(i+1)
		}
	}
	return sum / float64(relevant)
}

// ndcg of the first k places; 0 is all.
func (r ranking) ndcg(entries []entry, k int) float64 {
	ideal := slices.SortedFunc(slices.Values(r.grades), descending)
	return dcg(r.gains(entries), k) / dcg(ideal, k)
}

// dcg is the sum of gain / log2(rank + 1) over the first k places.
func dcg(gains []int, k int) float64 {
	if k > 0 {
		gains = gains[:min(k, len(gains))]
	}
	sum := 0.0
	for i, g := range gains {
		sum += float64(g) / math.Log2(float64(i+2))
	}
	return sum
}

// showsStale reports whether a hit of a stale source is among the first k
// distinct documents (0 is all).
func showsStale(hits []prepared, stale judgement, k int) bool {
	seen := map[string]bool{}
	for i := range hits {
		seen[hits[i].Document] = true
		if k > 0 && len(seen) > k {
			return false
		}
		for h := range hits[i].places() {
			for _, u := range stale.documents[h.Document] {
				if stale.units[u].inSection(h.headings) {
					return true
				}
			}
		}
	}
	return false
}
