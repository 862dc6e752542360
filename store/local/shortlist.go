package local

import "math"

// shortlist collects those that may be among the best k, of which only bounds of
// their scores are known.
type shortlist struct {
	lowers top[float64]   // the best k lower bounds
	floor  float64        // the k-th of them: what is surely below it is not among the best
	likely top[candidate] // by upper bound
}

// candidate is a passage whose score is at most upper.
type candidate struct {
	upper float64
	id    string // bytes of the passage id
	block *block
	slot  uint32 // of its first vector
}

// mostCandidates bounds what is scored exactly for a question. More than a few dozen
// beside the k are within the error of codes only where vectors are all but equal;
// of more than this those with the best codes are taken.
func mostCandidates(k int) int { return 8*k + 1024 }

func newShortlist(k int) *shortlist {
	return &shortlist{
		lowers: top[float64]{k: k, worse: func(a, b float64) bool { return a < b }},
		floor:  math.Inf(-1),
		likely: top[candidate]{k: mostCandidates(k), worse: func(a, b candidate) bool {
			if a.upper != b.upper {
				return a.upper < b.upper
			}
			return a.id > b.id
		}},
	}
}

// offer takes a candidate whose score is at least lower. Most are below the floor;
// the caller asks for that first.
func (l *shortlist) offer(lower float64, c candidate) {
	l.raise(lower)
	if c.upper >= l.floor {
		l.likely.offer(c)
	}
}

func (l *shortlist) raise(lower float64) {
	l.lowers.offer(lower)
	if len(l.lowers.kept) == l.lowers.k {
		l.floor = l.lowers.kept[0]
	}
}

// merge adds what another shortlist collected.
func (l *shortlist) merge(o *shortlist) {
	for _, lower := range o.lowers.kept {
		l.raise(lower)
	}
	for _, c := range o.likely.kept {
		if c.upper >= l.floor {
			l.likely.offer(c)
		}
	}
}

// settle scores candidates, the most promising first, until no other can be among
// the best k.
func (l *shortlist) settle(score func(candidate) (float64, error)) (*ranking, error) {
	r := newRanking(l.lowers.k)
	for _, c := range l.likely.best() {
		if len(r.top.kept) == r.top.k && c.upper < r.top.kept[0].score {
			break
		}
		s, err := score(c)
		if err != nil {
			return nil, err
		}
		r.add(c.id, s)
	}
	return r, nil
}
