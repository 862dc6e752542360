package local

import "slices"

// location is where the first vector of a content key stands in a vectorSet: one
// more than the place of its block, and the vector's slot in it. 0 is nowhere.
type location uint64

func locate(block int, slot uint32) location { return location(block+1)<<32 | location(slot) }

func (l location) block() int   { return int(l>>32) - 1 }
func (l location) slot() uint32 { return uint32(l) }

// locations tell where the vectors of content keys stand, by the number of the key.
// They are kept in pages that sets of different commits share, so that a commit
// costs what it changed.
type locations struct {
	pages []*page
	own   []bool // pages that no other set has; nil once the set is made
}

const pageLength = 1024

type page [pageLength]location

func (l *locations) at(number uint32) location {
	if n := int(number / pageLength); n < len(l.pages) && l.pages[n] != nil {
		return l.pages[n][number%pageLength]
	}
	return 0
}

// copy begins other locations that are the same until they are set.
func (l *locations) copy() locations {
	return locations{slices.Clone(l.pages), make([]bool, len(l.pages))}
}

func (l *locations) set(number uint32, to location) {
	n := int(number / pageLength)
	for n >= len(l.pages) {
		l.pages, l.own = append(l.pages, nil), append(l.own, false)
	}
	if !l.own[n] {
		fresh := new(page)
		if l.pages[n] != nil {
			*fresh = *l.pages[n]
		}
		l.pages[n], l.own[n] = fresh, true
	}
	l.pages[n][number%pageLength] = to
}
