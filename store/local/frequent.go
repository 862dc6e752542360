package local

import "sync"

// frequencies remembers document frequencies among the rows of one visible: counting
// them for a scope that sees a part of the corpus takes longer than a search.
type frequencies struct {
	mu    sync.Mutex
	known map[frequency]int
}

type frequency struct{ lane, term string }

// knownFrequencies is how many are remembered.
const knownFrequencies = 1 << 14

func (f *frequencies) get(key frequency) (int, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	df, ok := f.known[key]
	return df, ok
}

func (f *frequencies) put(key frequency, df int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil || len(f.known) >= knownFrequencies {
		f.known = map[frequency]int{}
	}
	f.known[key] = df
}

// frequent is a term's document frequency among the rows that count.
func (s *snapshot) frequent(term string, counts *visible, of lane) (df int, err error) {
	key := frequency{of.name, term}
	if df, ok := counts.frequencies.get(key); ok {
		return df, nil
	}
	c := resting.Get().(*cursor)
	defer resting.Put(c)
	for i, g := range s.segments {
		lists := of.lists(g)
		at := lists.find(term)
		if at < 0 {
			continue
		}
		if counts.whole[i] {
			df += int(lists.count.at(at))
			continue
		}
		c.open(lists, at)
		df += c.common(of.shown(counts)[i])
		if err := c.err(); err != nil {
			return 0, err
		}
	}
	counts.frequencies.put(key, df)
	return df, nil
}
