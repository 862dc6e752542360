package lanes

import (
	"cmp"
	"context"
	"math"
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

// piece is the list of one term in a block.
type piece struct {
	term int
	listed
}

// run scores every row of a set that holds a term, block by block.
func (x *Index) run(ctx context.Context, q question, sees *rowSet, offer func(row int64, score float64)) error {
	pieces := make([][]piece, len(sees.blocks))
	for t, l := range q.lists {
		for _, b := range l.blocks {
			if i, ok := sees.at[b.block]; ok {
				pieces[i] = append(pieces[i], piece{t, b})
			}
		}
	}
	var scores [blockRows]float64
	d := new(decoded)
	for i, ps := range pieces {
		if len(ps) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		var matched bitset
		clear(scores[:])
		rows, lengths := sees.blocks[i].rows, &sees.blocks[i].block.lengths
		for _, p := range ps {
			if err := x.scored(q.of, p.rows, p.weights, d); err != nil {
				return err
			}
			s := q.shares[p.term]
			for j, at := range d.at {
				if rows.has(at) {
					scores[at] += s.of(d.weights[j], lengths[at])
					matched.set(at)
				}
			}
		}
		first := sees.blocks[i].id * blockRows
		matched.each(func(at uint16) { offer(first+int64(at), scores[at]) })
	}
	return nil
}

// score gives what run gives one row.
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

// scoredRow is a row with its score.
type scoredRow struct {
	row   int64
	score float64
}

// ranking keeps the best k rows, those that score as much as the last of them, and what is
// needed to normalise all scores.
type ranking struct {
	k        int
	kept     []scoredRow
	least    float64 // no less is among the best
	full     int     // of kept: prune then
	matched  int
	min, max float64
}

func newRanking(k int) *ranking {
	return &ranking{k: max(k, 0), full: 2*min(max(k, 0), 1<<20) + 256, least: math.Inf(-1), min: math.Inf(1), max: math.Inf(-1)}
}

func (r *ranking) add(row int64, score float64) {
	r.matched++
	r.min, r.max = min(r.min, score), max(r.max, score)
	if score < r.least || r.k == 0 {
		return
	}
	if r.kept = append(r.kept, scoredRow{row, score}); len(r.kept) >= r.full {
		r.prune()
		r.full = 2*len(r.kept) + 256
	}
}

// prune leaves those that may be among the best k.
func (r *ranking) prune() {
	if len(r.kept) <= r.k {
		return
	}
	slices.SortFunc(r.kept, func(a, b scoredRow) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.row, b.row)) })
	r.least = r.kept[r.k-1].score
	end := r.k
	for end < len(r.kept) && r.kept[end].score == r.least {
		end++
	}
	r.kept = r.kept[:end]
}

// bounds are the least and the greatest score of all that are seen; those that matched
// nothing count as 0.
func (r *ranking) bounds(seen int) (least, greatest float64) {
	least, greatest = r.min, r.max
	if r.matched < seen {
		least, greatest = min(least, 0), max(greatest, 0)
	}
	if math.IsInf(least, 0) {
		return 0, 0
	}
	return least, greatest
}

func (r *ranking) rows() []int64 {
	r.prune()
	out := make([]int64, len(r.kept))
	for i, s := range r.kept {
		out[i] = s.row
	}
	return out
}
