package lanes

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// rank finds the best of the rows of a set that hold a term of a question, and counts all of these. It
// is exact, and reads of most blocks only the terms that can decide (MaxScore: Turtle and Flood, "Query
// evaluation: strategies and optimizations", 1995, by blocks as in Ding and Suel, "Faster top-k document
// retrieval using block-max indexes", 2011): a block, and in it a row, is left as soon as the most that
// its terms may bring is less than what the last of the best has.
func (x *Index) rank(ctx context.Context, q question, sees *rowSet, best *ranking) error {
	blocks := piecesOf(q, sees)
	matched := 0
	for i := range blocks {
		b := &blocks[i]
		for _, p := range b.pieces {
			if err := b.holders.add(p.rows); err != nil {
				return err
			}
		}
		for word, seen := range b.rows {
			b.holders[word] &= seen
		}
		matched += b.holders.count()
	}
	// Where all match, the least score counts as well (see store.Hits); where none is asked for, the
	// greatest alone.
	whole := matched == sees.rows || best.k == 0
	var room scoring
	if !whole {
		for i := range blocks {
			if err := x.weigh(q, &blocks[i], &room); err != nil {
				return err
			}
		}
		slices.SortStableFunc(blocks, func(a, b blockPieces) int { return cmp.Compare(b.most, a.most) })
	}
	for i := range blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := &blocks[i]
		var err error
		switch {
		case whole || math.IsInf(best.least, -1):
			err = x.scoreAll(q, b, best, &room)
		case b.most < best.floor():
			best.matched = matched
			return nil
		default:
			err = x.scoreLikely(q, b, best, &room)
		}
		if err != nil {
			return err
		}
	}
	best.matched = matched
	return nil
}

// piece is the list of one term in a block, and the most that it brings to a score.
type piece struct {
	term int
	listed
	most float64
}

// blockPieces is a block of which a set holds rows, with the lists of the terms that stand in it, in the
// order of the question.
type blockPieces struct {
	seenBlock
	pieces  []piece
	most    float64 // that a row of it may score
	holders bitset  // rows of the set that hold a term
}

func piecesOf(q question, sees *rowSet) []blockPieces {
	blocks := make([]blockPieces, len(sees.blocks))
	for t, l := range q.lists {
		for _, b := range l.blocks {
			if i, ok := sees.at[b.block]; ok {
				blocks[i].pieces = append(blocks[i].pieces, piece{term: t, listed: b})
			}
		}
	}
	held := blocks[:0]
	for i, b := range sees.blocks {
		if len(blocks[i].pieces) > 0 {
			held = append(held, blockPieces{seenBlock: b, pieces: blocks[i].pieces})
		}
	}
	return held
}

// weigh tells the most that the terms of a block bring.
func (x *Index) weigh(q question, b *blockPieces, room *scoring) error {
	for i := range b.pieces {
		p := &b.pieces[i]
		peak, err := x.peak(q.of, p.listed, b.block, &room.decoded)
		if err != nil {
			return err
		}
		p.most = q.shares[p.term].most(peak)
		b.most += p.most
	}
	return nil
}

// scoring is room for what is worked out of one block after the other.
type scoring struct {
	decoded decoded
	scores  [blockRows]float64
	order   []int     // of pieces, those that bring most first
	rest    []float64 // the most that the pieces from each on in that order bring together
}

// scoreAll scores every row of a block.
func (x *Index) scoreAll(q question, b *blockPieces, best *ranking, room *scoring) error {
	clear(room.scores[:])
	for i := range b.pieces {
		if err := x.sum(q, b, &b.pieces[i], room); err != nil {
			return err
		}
	}
	first := b.id * blockRows
	b.holders.each(func(at uint16) { best.add(first+int64(at), room.scores[at]) })
	return nil
}

// sum adds what a piece brings to the scores of its rows.
func (x *Index) sum(q question, b *blockPieces, p *piece, room *scoring) error {
	d := &room.decoded
	if err := x.scored(q.of, p.rows, p.weights, d); err != nil {
		return err
	}
	s := q.shares[p.term]
	for j, at := range d.at {
		room.scores[at] += s.of(d.weights[j], b.block.lengths[at])
	}
	return nil
}

// scoreLikely scores the rows of a block that may be among the best. Of its terms those that bring most come
// first: once the others together bring less than the floor, no row that holds none so far gets there,
// and of those at hand ever fewer.
func (x *Index) scoreLikely(q question, b *blockPieces, best *ranking, room *scoring) error {
	room.sort(b.pieces)
	clear(room.scores[:])
	floor := best.floor()
	var likely bitset
	count := 0
	for n, i := range room.order {
		p := &b.pieces[i]
		if room.rest[n] >= floor {
			if err := likely.add(p.rows); err != nil {
				return err
			}
			for word, seen := range b.rows {
				likely[word] &= seen
			}
		}
		if err := x.sumLikely(q, b, p, &likely, count, room); err != nil {
			return err
		}
		if rest := room.rest[n+1]; rest < floor {
			likely.keep(&room.scores, floor-rest)
			if count = likely.count(); count == 0 {
				return nil
			}
		}
	}
	var failed error
	likely.each(func(at uint16) {
		if room.scores[at] < best.floor() { // which has risen
			return
		}
		score := 0.0 // in the order in which every score is summed
		for i := range b.pieces {
			brings, err := x.brings(q, b, &b.pieces[i], at)
			if err != nil {
				failed = err
			}
			score += brings
		}
		best.add(b.id*blockRows+int64(at), score)
	})
	return failed
}

// sort puts pieces in the order of what they bring.
func (s *scoring) sort(pieces []piece) {
	s.order, s.rest = s.order[:0], append(s.rest[:0], 0)
	for i := range pieces {
		s.order = append(s.order, i)
	}
	slices.SortFunc(s.order, func(i, j int) int { return cmp.Compare(pieces[j].most, pieces[i].most) })
	for _, i := range slices.Backward(s.order) {
		s.rest = append(s.rest, s.rest[len(s.rest)-1]+pieces[i].most)
	}
	slices.Reverse(s.rest)
}

// lookup is in how many steps a row is looked up in a list, of those that a row takes which is read with all.
const lookup = 8

// sumLikely adds what a piece brings to the rows that are likely, so many of them; 0: all its rows.
func (x *Index) sumLikely(q question, b *blockPieces, p *piece, likely *bitset, count int, room *scoring) (err error) {
	if count == 0 || count*lookup > p.count() {
		return x.sum(q, b, p, room)
	}
	likely.each(func(at uint16) {
		brings, failed := x.brings(q, b, p, at)
		if failed != nil {
			err = failed
		}
		room.scores[at] += brings
	})
	return err
}

// brings is what a piece brings to the score of a row, 0 where the row is not in its list.
func (x *Index) brings(q question, b *blockPieces, p *piece, at uint16) (float64, error) {
	weight, ok, err := x.weightAt(q.of, p.listed, at)
	if !ok || err != nil {
		return 0, err
	}
	return q.shares[p.term].of(weight, b.block.lengths[at]), nil
}
