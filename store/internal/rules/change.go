package rules

import (
	"crypto/sha256"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Metadata is that of a revision as a store keeps it.
type Metadata struct {
	document.Metadata
	Forgotten bool `json:",omitempty"` // its text is not kept any more
}

// Status is a revision's, which is Current where it says nothing.
func Status(s document.Status) document.Status {
	if s == "" {
		return document.Current
	}
	return s
}

// Sooner reports whether a revision that was seen on a day to come is seen at an earlier
// time when it is put again.
func Sooner(at time.Time, seen, today document.Day) bool {
	return store.Ahead(seen, today) && document.DayOf(at) < seen
}

// Date gives metadata what was inferred; false where it is that already, or states
// its validity itself.
func Date(m document.Metadata, d store.Dated) (document.Metadata, bool) {
	if m.StatesValidity() || m.Effective == d.Effective && m.Inferred == d.Inferred && !m.Undecided {
		return m, false
	}
	m.Effective, m.Inferred, m.Undecided = d.Effective, d.Inferred, false
	return m, true
}

// Past is what decides whether a revision is kept.
type Past struct {
	Status    document.Status
	Ends      document.Day // of its validity, 0 where that is open
	Seen      document.Day
	Forgotten bool
}

// Forget tells which of a document's revisions, the oldest first, are not to be kept. A
// draft has no end, but nobody sees it once a newer revision is there.
func Forget(list []Past, f store.Forgotten) []int {
	var out []int
	for i := range max(0, len(list)-f.Keep) {
		ends := list[i].Ends
		if list[i].Status == document.Draft && ends == 0 {
			ends = list[i+1].Seen
		}
		if !list[i].Forgotten && ends != 0 && ends <= f.Since {
			out = append(out, i)
		}
	}
	return out
}

// Renamed is the id, in bytes, that a passage of an older revision gets when its document
// goes on under another path: the one that it has is a hash of the old path, under which
// another document may come to hold the same text.
func Renamed(id []byte, to document.ID) []byte {
	sum := sha256.Sum256(append(append([]byte{}, id...), to.String()...))
	return sum[:min(len(id), len(sum))]
}

// Begins is the day from which a revision supersedes others: what it states and when it was
// seen decide, not its derived validity (see store.Validity).
func Begins(r store.Recorded) document.Day {
	switch {
	case r.Effective == document.Interval{}:
		return r.Seen
	case r.Effective.From == 0:
		return document.DayMin
	}
	return r.Effective.From
}

// Named is what the newest revision of a document, drafts aside, supersedes.
type Named struct {
	Tenant string
	Paths  []string
}
