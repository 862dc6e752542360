package local

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// finalists are the best k by their scores, of all shortlists of one question. They
// may be used by several goroutines.
type finalists struct {
	// reads calls fn with what scores a candidate by its vectors.
	reads func(fn func(score func(candidate) (float64, error)) error) error

	mu   sync.Mutex
	best *ranking
	err  error // the first; from then on nothing is scored
}

// shortlist collects those that may be among the best k, of which only bounds of
// their scores are known. When it is full, those that can still be are scored, which
// raises the floor: none is left out that could be among the best, however loose
// the bounds are, and what is held stays bounded.
type shortlist struct {
	lowers top[float64] // the best k lower bounds
	floor  float64      // what is surely below it is not among the best
	likely []candidate
	full   int
	finals *finalists
}

// candidate is a passage whose score is at most upper.
type candidate struct {
	upper float64
	id    string // bytes of the passage id
	block *block
	slot  uint32 // of its first vector
}

// mostCandidates is how many a shortlist holds. More than a few dozen beside the k
// are within the error of codes only where vectors are all but equal, or where a
// long component makes their codes coarse.
func mostCandidates(k int) int { return 8*k + 1024 }

func newShortlist(k int, finals *finalists) *shortlist {
	return &shortlist{
		lowers: top[float64]{k: k, worse: func(a, b float64) bool { return a < b }},
		floor:  math.Inf(-1),
		full:   mostCandidates(k),
		finals: finals,
	}
}

func newFinalists(k int, reads func(func(func(candidate) (float64, error)) error) error) *finalists {
	return &finalists{reads: reads, best: newRanking(k)}
}

// offer takes a candidate whose score is at least lower. Most are below the floor;
// the caller asks for that first.
func (l *shortlist) offer(lower float64, c candidate) {
	l.raise(lower)
	if c.upper < l.floor {
		return
	}
	if l.likely = append(l.likely, c); len(l.likely) >= l.full {
		l.prune()
		if len(l.likely) > l.full/2 {
			l.settle()
		}
	}
}

func (l *shortlist) raise(lower float64) {
	l.lowers.offer(lower)
	if len(l.lowers.kept) == l.lowers.k {
		l.floor = max(l.floor, l.lowers.kept[0])
	}
}

// prune leaves out what the floor has risen above since it was offered.
func (l *shortlist) prune() {
	l.likely = slices.DeleteFunc(l.likely, func(c candidate) bool { return c.upper < l.floor })
}

// merge adds what another shortlist collected.
func (l *shortlist) merge(o *shortlist) {
	for _, lower := range o.lowers.kept {
		l.raise(lower)
	}
	l.floor = max(l.floor, o.floor)
	l.likely = append(l.likely, o.likely...)
}

// settle scores what was collected, the most promising first, until no other can be
// among the best k, and empties the list.
func (l *shortlist) settle() {
	l.prune()
	slices.SortFunc(l.likely, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.upper, a.upper), cmp.Compare(a.id, b.id))
	})
	l.floor = max(l.floor, l.finals.take(l.likely))
	l.likely = l.likely[:0]
}

// take scores candidates, which descend, and returns the floor that follows.
func (f *finalists) take(list []candidate) float64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = f.reads(func(score func(candidate) (float64, error)) error {
			for _, c := range list {
				if c.upper < f.best.least() {
					break
				}
				s, err := score(c)
				if err != nil {
					return err
				}
				f.best.add(c.id, s)
			}
			return nil
		})
	}
	return f.best.least()
}
