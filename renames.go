package quarry

import (
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/store"
)

// Rename is a document that was found under another path of its source with the same
// content and metadata.
type Rename struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// expectRenames notes by their hash the documents that a complete listing lacks: one that
// turns up under a new path with such a hash was renamed. What was renamed is not lost,
// so it does not count as removed, and its history goes on. Of what
// programs give (see Put) nothing is known before the last one, and the path is the document.
func (in *intake) expectRenames(l source.Listing) {
	if !l.Complete {
		return
	}
	listed := make(map[string]bool, len(l.Items))
	for _, item := range l.Items {
		listed[item.Path] = true
	}
	in.lacking = map[string][]string{}
	for path, s := range in.states {
		if !listed[path] && !s.Failed && !in.hidden(path) {
			in.lacking[s.Hash] = append(in.lacking[s.Hash], path)
		}
	}
	for _, paths := range in.lacking {
		slices.Sort(paths) // of several copies each is renamed once, in this order
	}
}

// renamed takes a new document into the batch as what another has become, if it has.
func (in *intake) renamed(path, hash string) bool {
	from := in.lacking[hash]
	if len(from) == 0 {
		return false
	}
	in.lacking[hash] = from[1:]
	in.became[from[0]] = true
	in.report.Renamed = append(in.report.Renamed, Rename{from[0], path})
	in.change.Renamed = append(in.change.Renamed, store.Renamed{
		From: document.ID{Source: in.source, Path: from[0]}, To: document.ID{Source: in.source, Path: path}})
	return true
}
