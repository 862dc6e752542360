package quarry

import "github.com/seed-d3156d19/quarry/document"

// DefaultRemovals is the share of a source that one sync removes unasked. People
// seldom throw away a quarter of a handbook at once; a disk that is not mounted, a
// site that shows its login page or a wrong prefix takes that much and more.
const DefaultRemovals = 0.25

// alwaysRemoved is how many documents may go whatever share they are, as a quarter of
// a small source is less than a person deletes.
const alwaysRemoved = 3

// removeGone takes into the batch the removal of what the source no longer holds:
// what it itself says is gone and, where all of it was listed, what is not there. Where
// that is more than may go at once, nothing is removed.
func (in *intake) removeGone() {
	var gone []string
	for path := range in.states {
		if in.became[path] {
			continue
		}
		if in.gone[path] || !in.present[path] && !in.hidden(path) && !in.report.Incomplete {
			gone = append(gone, path)
		}
	}
	if len(gone) > alwaysRemoved && float64(len(gone)) > in.removals*float64(len(in.states)) {
		in.report.Withheld = gone
		return
	}
	in.report.Removed = gone
	for _, path := range gone {
		in.change.Remove = append(in.change.Remove, document.ID{Source: in.source, Path: path})
	}
}
