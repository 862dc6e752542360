package store

import "github.com/seed-d3156d19/quarry/document"

// Recorded is what validity depends on in one revision of a document.
type Recorded struct {
	Seen      document.Day
	Status    document.Status
	Effective document.Interval
}

// Validity computes, for the revisions of one document in the order they were
// seen, the days on which each may be in force, as [From, To). supersededFrom is
// the first day of the earliest revision of another document that supersedes
// this one; zero if none does. Every store uses it, so that all agree.
//
// The revisions that supersede a document are those, drafts aside, that name its
// path in its source and tenant, of other documents whose newest revision (drafts
// aside) still names it: a mistake is undone by taking it away. Documents that
// supersede each other in a ring do not count for one another (see Rings). A
// revision's first day is its effective From, or DayMin where it states To alone, or
// the day it was seen where it states neither; not its derived validity, which would
// change along a chain.
//
//   - A revision without dates holds from the day it was seen until the day the
//     next revision of its document (drafts aside) was seen.
//   - With dates it holds as they say: from alone leaves the end open.
//     To alone leaves the beginning open.
//   - A superseding document ends it on the day that document's validity begins.
//   - Superseded without a known end holds never.
//
// An interval that is empty has From == To.
func Validity(revisions []Recorded, supersededFrom document.Day) []document.Interval {
	out := make([]document.Interval, len(revisions))
	for i, r := range revisions {
		v := r.Effective
		if v == (document.Interval{}) {
			v.From = r.Seen
			if r.Status != document.Draft {
				for _, next := range revisions[i+1:] {
					if next.Status != document.Draft {
						v.To = next.Seen
						break
					}
				}
			}
		}
		if supersededFrom != 0 && (v.To == 0 || supersededFrom < v.To) {
			v.To = supersededFrom
		}
		if r.Status == document.Superseded && r.Effective.To == 0 && supersededFrom == 0 {
			v.From, v.To = document.DayMin, document.DayMin
		}
		if v.From != 0 && v.To != 0 && v.To < v.From {
			v.To = v.From
		}
		out[i] = v
	}
	return out
}

// Ahead reports whether a day lies so far in the future that the clock by which something
// was seen then was wrong: two clocks differ by a day about midnight, and not by more. What
// was seen so would not be in force, and what it replaced would be, until that day comes;
// so a sync puts it once more, and it is seen then (see Change).
func Ahead(seen, clock document.Day) bool { return seen > clock+1 }

// Today is the day of a view that asks for none: the clock's, or the day after it
// where the newest revision was seen on that already. Two machines' clocks differ,
// and about midnight a document that one has just added would not be there for the
// other. A clock that stands further back is believed: which of the two is wrong
// cannot be told, and to go by the later would publish what is not in force yet. To
// it documents without dates that were seen later are not in force.
func Today(clock, newestSeen document.Day) document.Day {
	if newestSeen == clock+1 {
		return newestSeen
	}
	return clock
}
