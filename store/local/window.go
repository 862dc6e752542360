package local

import (
	"context"
	"math"
	"math/bits"
	"sync"
)

// windowRows is how many rows are scored at a time: their scores stay in the cache
// nearest to the processor.
const (
	windowRows  = 4096
	windowWords = windowRows / 64
)

// windows scores the rows of a segment window by window, by MaxScore (Turtle and Flood,
// "Query evaluation: strategies and optimizations", 1995) with a bound for each term
// in each window, from the blocks that overlap it (Chakrabarti, Chaudhuri and Ganti,
// "Interval-based pruning for top-k processing over compressed lists", 2011): of terms
// that together cannot lift a row over the least score that still counts, postings are
// only looked up for rows that the other terms have brought near enough to it.
type windows struct {
	cursors []*cursor
	live    []*cursor // those with postings in the window, the least bound first
	upTo    []float64 // sums of the bounds of live
	scores  [windowRows]float64
	matched rowSet      // rows of the window that a term is in
	spare   []rowSet    // rows that each term is in whose postings are only looked up
	near    []promising // rows that may reach the least score

	lo   uint32 // first row of the window
	seen bitset // rows of the window that the scope sees
	full bool   // it sees all
}

type promising struct {
	row   uint32
	score float64
}

var scans = sync.Pool{New: func() any { return new(windows) }}

// run offers the rows that score at least what least says at the time, and others
// maybe, and counts all that have a term of the question.
func (q *scorer) run(ctx context.Context, s *snapshot, sees *visible, least func() float64, offer func(segment int, row uint32, score float64)) (matched int, err error) {
	w := scans.Get().(*windows)
	defer scans.Put(w)
	for i, g := range s.segments {
		if !w.open(q, q.lists(g)) {
			continue
		}
		rows := q.shown(sees)[i]
		give := func(row uint32, score float64) { offer(i, row, score) }
		for at := 0; at < len(rows); at += windowWords {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			w.lo, w.seen = uint32(at*64), rows[at:min(at+windowWords, len(rows))]
			if w.seen.any() {
				matched += w.window(least, give)
			}
		}
		for _, c := range w.cursors {
			if err := c.err(); err != nil {
				return 0, err
			}
		}
	}
	return matched, nil
}

// open points a cursor to the list of each term; false where none is there.
func (w *windows) open(q *scorer, lists *inverted) bool {
	n := 0
	for t, term := range q.terms {
		at := lists.find(term)
		if at < 0 {
			continue
		}
		if n == cap(w.cursors) {
			w.cursors = append(w.cursors[:n], new(cursor))
		}
		if w.cursors = w.cursors[:n+1]; w.cursors[n] == nil {
			w.cursors[n] = new(cursor)
		}
		w.cursors[n].open(lists, at)
		w.cursors[n].share = q.shares[t]
		n++
	}
	w.cursors = w.cursors[:n]
	return n > 0
}

// window scores one window, and counts its rows that have a term.
func (w *windows) window(least func() float64, give func(row uint32, score float64)) int {
	w.full = len(w.seen) == windowWords
	for _, word := range w.seen {
		w.full = w.full && word == ^uint64(0)
	}
	w.sort()
	if len(w.live) == 0 {
		return 0
	}
	lowest := least()
	spare := 0 // how many terms together stay below the lowest
	for spare < len(w.live) && w.upTo[spare] < lowest {
		spare++
	}
	for _, c := range w.live[spare:] {
		w.score(c)
	}
	scored := w.matched
	for len(w.spare) < spare {
		w.spare = append(w.spare, rowSet{})
	}
	for t, c := range w.live[:spare] {
		w.spare[t] = rowSet{}
		w.mark(c, &w.spare[t])
	}
	w.gather(&scored, spare, lowest)
	w.complete(spare, lowest)
	for _, near := range w.near {
		if near.score >= lowest {
			give(near.row, near.score)
			lowest = least()
		}
	}
	n := 0
	for i, word := range w.seen {
		n += bits.OnesCount64(word & w.matched[i])
		w.matched[i] = 0
	}
	return n
}

// gather makes candidates of the rows that were scored and can reach the lowest score
// with the spare terms that they have.
func (w *windows) gather(scored *rowSet, spare int, lowest float64) {
	w.near = w.near[:0]
	rest := 0.0
	if spare > 0 {
		rest = w.upTo[spare-1]
	}
	for i, word := range w.seen {
		for word &= scored[i]; word != 0; word &= word - 1 {
			bit := bits.TrailingZeros64(word)
			at := 64*i + bit
			score := w.scores[at]
			w.scores[at] = 0
			if score+rest < lowest {
				continue
			}
			most := score
			for t := range spare {
				most += math.Float64frombits(math.Float64bits(w.live[t].bound) & -(w.spare[t][i] >> bit & 1))
			}
			if most >= lowest {
				w.near = append(w.near, promising{w.lo + uint32(at), score})
			}
		}
	}
}

// sort brings the terms that have postings in the window into the order of their
// bounds.
func (w *windows) sort() {
	w.live, w.upTo = w.live[:0], w.upTo[:0]
	end := w.lo + uint32(64*len(w.seen))
	for _, c := range w.cursors {
		if !c.seek(w.lo) || c.base(c.at) >= end {
			continue
		}
		c.bound = c.most(end)
		w.live = append(w.live, c)
		for i := len(w.live) - 1; i > 0 && w.live[i-1].bound > c.bound; i-- {
			w.live[i-1], w.live[i] = c, w.live[i-1]
		}
	}
	sum := 0.0
	for _, c := range w.live {
		sum += c.bound
		w.upTo = append(w.upTo, sum)
	}
}

// blocks calls fn with each block of the list that may have rows in the window that
// the scope sees, as long as it says so.
func (w *windows) blocks(c *cursor, fn func(block int) bool) {
	end := w.lo + uint32(64*len(w.seen))
	base := c.base(c.at)
	for i := c.at; i < c.blocks && base < end; i++ {
		last := c.last(i)
		from, to := max(base, w.lo), min(last, end-1)
		if from > to { // as in a damaged list
			return
		}
		if (w.full || w.seen.anyOf(from-w.lo, to-w.lo)) && !fn(i) {
			return
		}
		base = last + 1
	}
}

// score adds the shares of a term to the scores of the rows that are seen.
func (w *windows) score(c *cursor) {
	x := c.lists
	w.blocks(c, func(block int) bool {
		if !c.load(block, true) {
			return false
		}
		for i := c.from(w.lo); i < c.n; i++ {
			row := c.rows[i]
			at := row - w.lo
			if at >= windowRows {
				break
			}
			bit := uint64(1) << (at & 63)
			if !w.full && (int(at>>6) >= len(w.seen) || w.seen[at>>6]&bit == 0) {
				continue
			}
			weight := x.weights[c.codes[i]]
			if !(weight > 0) {
				continue
			}
			w.matched[at>>6] |= bit
			w.scores[at] += c.share.of(weight, x.length(row))
		}
		return true
	})
}

// mark notes which rows of the window a term is in, without scoring them.
func (w *windows) mark(c *cursor, in *rowSet) {
	w.blocks(c, func(block int) bool {
		if rows, base, ok := c.bitsOf(block); ok {
			in.addBits(rows, base, w.lo)
			return true
		}
		if !c.load(block, c.lists.idle) {
			return false
		}
		for i := c.from(w.lo); i < c.n; i++ {
			at := c.rows[i] - w.lo
			if at >= windowRows {
				break
			}
			if !c.lists.idle || c.lists.weights[c.codes[i]] > 0 {
				in[at>>6] |= 1 << (at & 63)
			}
		}
		return true
	})
	w.matched.add(in)
}

// complete adds the shares of the spare terms to the candidates that can still reach
// the lowest score, the term with the greatest bound first.
func (w *windows) complete(spare int, lowest float64) {
	for t := spare - 1; t >= 0 && len(w.near) > 0; t-- {
		c, at, in := w.live[t], w.live[t].at, &w.spare[t]
		kept := w.near[:0]
		for _, near := range w.near {
			if near.score+w.upTo[t] < lowest {
				continue
			}
			if at := near.row - w.lo; in[at>>6]>>(at&63)&1 != 0 {
				if code, ok := c.has(near.row); ok {
					near.score += c.share.of(c.lists.weights[code], c.lists.length(near.row))
				}
			}
			kept = append(kept, near)
		}
		w.near = kept
		if !c.damaged {
			c.at = at
		}
	}
}
