package lanes

import (
	"context"
	"slices"

	"github.com/seed-d3156d19/quarry/store"
)

// question is what is asked of a lane, with the lists of its terms.
type question struct {
	of     lane
	shares []share // of each term, in the order that scores are summed in
	lists  []list
}

// share is what a posting brings to a row's score: scale * weight / (weight + flat + slope *
// length) for BM25, which is (see store.BM25) the term's weight and idf times the saturated
// frequency, and scale * weight for an identifier.
type share struct {
	scale, flat, slope float64
	plain              bool // of an identifier
}

func (s *share) of(weight float64, length float32) float64 {
	if s.plain {
		return s.scale * weight
	}
	return s.scale * weight / (weight + (s.flat + s.slope*float64(length)))
}

// prepare reads the lists of a question and weighs its terms by the population.
func (r *Reader) prepare(ctx context.Context, of lane, terms []store.QueryTerm) (question, error) {
	q := question{of: of}
	counts, err := r.population(ctx, of.sections())
	if err != nil {
		return q, err
	}
	var asked []string
	frequencies := make(map[string]int, len(terms))
	for _, t := range terms {
		if t.Weight > 0 {
			asked = append(asked, t.Term)
			if n, ok := counts.known(of, t.Term); ok {
				frequencies[t.Term] = n
			}
		}
	}
	// Whole lists are needed to count in how many passages a term stands.
	whole := slices.ContainsFunc(asked, func(t string) bool { _, ok := frequencies[t]; return !ok })
	lists, err := r.listsOf(ctx, of, asked, whole)
	if err != nil {
		return q, err
	}
	tally, p := &r.scope.PopulationTally, r.index.bm25
	n, lengths := tally.Passages, tally.Lengths
	if of.sections() {
		n, lengths = tally.Sections, tally.Outlines
	}
	mean := 0.0
	if n > 0 {
		mean = p.Length(lengths) / float64(n)
	}
	for _, t := range terms {
		if !(t.Weight > 0) {
			continue
		}
		df, ok := frequencies[t.Term]
		if !ok {
			if df, err = counts.frequent(of, t.Term, lists[t.Term]); err != nil {
				return q, err
			}
		}
		s := share{scale: store.IdentifierScore(t.Weight, 1, n, df), plain: true}
		if of != identifiers {
			s = share{scale: t.Weight * store.IDF(n, df) * (p.K1 + 1), flat: p.K1}
			if mean > 0 {
				s.flat, s.slope = p.K1*(1-p.B), p.K1*p.B/mean
			}
		}
		q.shares, q.lists = append(q.shares, s), append(q.lists, lists[t.Term])
	}
	return q, nil
}

// score gives what rank gives one row.
func (x *Index) score(q question, sees *rowSet, row int64) (score float64, err error) {
	block, at := blockOf(row), placeOf(row)
	length := sees.blocks[sees.at[block]].block.lengths[at]
	for t, l := range q.lists {
		b, ok := l.in(block)
		if !ok {
			continue
		}
		weight, ok, err := x.weightAt(q.of, b, at)
		if err != nil {
			return 0, err
		}
		if ok {
			score += q.shares[t].of(weight, length)
		}
	}
	return score, nil
}
