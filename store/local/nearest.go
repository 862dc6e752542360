package local

import (
	"cmp"
	"context"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
	"github.com/seed-d3156d19/quarry/store/local/internal/scan"
)

// Vector implements store.View. The codes of every vector under the scope are
// compared; they tell between which bounds each score lies, and what may be among
// the best is scored by its vectors. So the best k are found however few the scope
// sees and however loose the bounds are.
func (v *view) Vector(ctx context.Context, model store.Model, query []float32, k int) (store.Hits, error) {
	if err := rules.CheckQuery(model, query); err != nil {
		return store.Hits{}, err
	}
	s, sees, set, err := v.embedded(ctx, model)
	if err != nil || set == nil {
		return store.Hits{}, err
	}
	reading := func(sign float64) func(func(func(candidate) (float64, error)) error) error {
		return func(fn func(func(candidate) (float64, error)) error) error {
			return v.reads(ctx, "reading vectors", func(c *conn) error {
				exact := v.exact(ctx, c, set, query)
				return fn(func(c candidate) (float64, error) {
					s, err := exact.score(c.block, c.slot)
					return sign * s, err
				})
			})
		}
	}
	best, least := newFinalists(max(k, 1), reading(1)), newFinalists(1, reading(-1))
	matched, err := s.sweep(ctx, sees, set, newQuestion(query), best, least)
	if err != nil || matched == 0 {
		return store.Hits{}, err
	}
	best.best.matched, best.best.min = matched, -least.best.max
	hits := best.best.hits(-1)
	hits.Hits = hits.Hits[:min(max(k, 0), len(hits.Hits))]
	return hits, nil
}

// embedded returns what is searched by vectors of a model; the set is nil where
// there are none.
func (v *view) embedded(ctx context.Context, model store.Model) (*snapshot, *visible, *vectorSet, error) {
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	set := s.vectors[model]
	if set != nil && !set.filled.Load() {
		err = v.reads(ctx, "reading vectors", func(c *conn) error {
			damaged, err := set.fill(ctx, c)
			if damaged {
				v.store.index.damaged.Store(true)
			}
			return err
		})
	}
	return s, sees, set, err
}

// sweep is what one goroutine compares of a set, a batch of vectors at a time.
type sweep struct {
	set      *vectorSet
	question *question
	segment  *segment

	block *block // of the batch
	rows  []uint32
	slots []uint32
	sums  []int32

	matched     int
	best, least *shortlist // least is of negated scores
}

const (
	batchLength  = 256
	stretchWords = 64 // of 64 rows: enough that starting another goroutine pays
)

// sweep compares the codes of all that is seen, settles who is best and least, and
// returns how many have vectors.
func (s *snapshot) sweep(ctx context.Context, sees *visible, set *vectorSet, q *question, best, least *finalists) (int, error) {
	type stretch struct{ segment, from, to int }
	var work []stretch
	for i := range s.segments {
		for from := 0; from < len(sees.rows[i]); from += stretchWords {
			work = append(work, stretch{i, from, min(from+stretchWords, len(sees.rows[i]))})
		}
	}
	parts := make([]*sweep, max(1, min(runtime.GOMAXPROCS(0), len(work))))
	var group sync.WaitGroup
	for n := range parts {
		w := &sweep{set: set, question: q, best: newShortlist(best.best.top.k, best), least: newShortlist(least.best.top.k, least)}
		parts[n] = w
		part := func() {
			for i := n; i < len(work) && ctx.Err() == nil; i += len(parts) {
				at := work[i]
				w.segment = s.segments[at.segment]
				w.stretch(s.numbered[at.segment], sees.rows[at.segment], at.from, at.to)
			}
		}
		if n == len(parts)-1 {
			part() // here; one stretch needs no other goroutine
		} else {
			group.Go(part)
		}
	}
	group.Wait()
	all := parts[0]
	for _, part := range parts[1:] {
		all.matched += part.matched
		all.best.merge(part.best)
		all.least.merge(part.least)
	}
	if ctx.Err() == nil {
		all.best.settle()
		all.least.settle()
	}
	return all.matched, cmp.Or(ctx.Err(), best.err, least.err)
}

// stretch compares the rows in some words of what is seen.
func (w *sweep) stretch(numbers []uint32, seen bitset, from, to int) {
	at := -1 // the place of the batch's block
	for word := from; word < to; word++ {
		for rows := seen[word]; rows != 0; rows &= rows - 1 {
			row := uint32(word*64 + bits.TrailingZeros64(rows))
			l := w.set.where.at(numbers[row])
			if l == 0 {
				continue
			}
			if l.block() != at || len(w.slots) >= batchLength {
				w.compare()
				at = l.block()
				w.block = w.set.blocks[at]
			}
			w.rows, w.slots = append(w.rows, row), append(w.slots, l.slot())
			if !w.block.single() {
				for slot, end := l.slot()+1, w.block.end(l.slot()); slot < end; slot++ {
					w.rows, w.slots = append(w.rows, row), append(w.slots, slot)
				}
			}
		}
	}
	w.compare()
}

// compare bounds the scores of the batch. A passage counts as its best vector.
func (w *sweep) compare() {
	if len(w.slots) == 0 {
		return
	}
	codes := w.block.codes.Load()
	w.sums = slices.Grow(w.sums[:0], len(w.slots))[:len(w.slots)]
	scan.Sums(w.sums, w.slots, codes.rows, w.question.codes)
	step, slack := w.question.scale, w.question.slack(codes)
	bounds := func(i int) (lower, upper float64) {
		scale, near := float64(codes.scales[w.slots[i]]), float64(w.sums[i])*step
		return scale * (near - slack), scale * (near + slack)
	}
	best, least := w.best.floor, -w.least.floor
	for i := 0; i < len(w.slots); {
		first := i
		lower, upper := bounds(i)
		for i++; i < len(w.slots) && w.rows[i] == w.rows[first]; i++ {
			l, u := bounds(i)
			lower, upper = max(l, lower), max(u, upper)
		}
		w.matched++
		if upper >= best {
			w.best.offer(lower, w.candidate(first, upper))
			best = w.best.floor
		}
		if lower <= least {
			w.least.offer(-upper, w.candidate(first, -lower))
			least = -w.least.floor
		}
	}
	w.rows, w.slots = w.rows[:0], w.slots[:0]
}

func (w *sweep) candidate(i int, upper float64) candidate {
	return candidate{upper, w.segment.idOf(w.rows[i]), w.block, w.slots[i]}
}

// scoreRows calls fn with the score of each of some rows of a segment, which ascend.
type scoreRows func(g *segment, rows []uint32, fn func(i int, score float64)) error

// scoreEach gives each passage, in order, the score that prepare's function gives
// the rows of a segment, which ascend.
func (v *view) scoreEach(ctx context.Context, passages []document.PassageID,
	prepare func(*snapshot, *visible) (scoreRows, error)) ([]float64, error) {
	s, sees, counts, err := v.searchable(ctx)
	if err != nil {
		return nil, err
	}
	type asked struct {
		spot
		i int
	}
	list := make([]asked, len(passages))
	for i, id := range passages {
		at, ok := s.find(rawID(id), sees)
		if !ok {
			return nil, notFound{"passage " + string(id)}
		}
		list[i] = asked{at, i}
	}
	slices.SortFunc(list, func(a, b asked) int { return a.compare(b.spot) })
	score, err := prepare(s, counts)
	if err != nil {
		return nil, v.store.wrap("scoring", err)
	}
	out := make([]float64, len(passages))
	var rows []uint32
	for from, to := 0, 0; from < len(list); from = to {
		rows = rows[:0]
		for to = from; to < len(list) && list[to].segment == list[from].segment; to++ {
			rows = append(rows, list[to].row)
		}
		if err := score(s.segments[list[from].segment], rows, func(n int, score float64) { out[list[from+n].i] = score }); err != nil {
			return nil, v.store.wrap("scoring", err)
		}
	}
	return out, ctx.Err()
}

// ScoreKeyword implements store.View.
func (v *view) ScoreKeyword(ctx context.Context, terms []store.QueryTerm, passages []document.PassageID) ([]float64, error) {
	return v.scoreEach(ctx, passages, func(s *snapshot, counts *visible) (scoreRows, error) {
		q, err := v.keywordScorer(s, terms, counts)
		return q.score, err
	})
}

// ScoreIdentifier implements store.View.
func (v *view) ScoreIdentifier(ctx context.Context, identifiers []store.QueryTerm, passages []document.PassageID) ([]float64, error) {
	return v.scoreEach(ctx, passages, func(s *snapshot, counts *visible) (scoreRows, error) {
		q, err := v.identifierScorer(s, identifiers, counts)
		return q.score, err
	})
}
