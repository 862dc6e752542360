package quarry

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
)

// warnOfUnmet names the documents that this sync took in and that say they supersede one
// that their source does not have. A path that was meant from the document's own folder, or
// mistyped, ends nothing, and what should be out of force would be quoted on. It is said
// once: what was superseded may rightly be gone.
func (in *intake) warnOfUnmet(ctx context.Context) error {
	if len(in.superseding) == 0 {
		return nil
	}
	states, err := in.corpus.store.States(ctx, in.source)
	if err != nil {
		return fmt.Errorf("reading the documents of %s: %w", in.source, err)
	}
	known := map[string]bool{}
	for _, s := range states {
		known[s.Path] = true
	}
	for _, document := range slices.Sorted(maps.Keys(in.superseding)) {
		for _, name := range in.superseding[document] {
			if known[name] {
				continue
			}
			says := fmt.Sprintf("it supersedes %s, and there is no such document in its source, so it ends none", name)
			if meant := path.Join(path.Dir(document), name); known[meant] {
				says += ": write " + meant + ", paths begin at the root of the source"
			}
			in.report.Warned = append(in.report.Warned, Problem{document, says})
		}
	}
	return nil
}

// supersedes remembers what a revision that is taken in supersedes, the last of a
// document's; a draft ends nothing.
func (in *intake) supersedes(path string, m document.Metadata) {
	if m.Status == document.Draft {
		return
	}
	if in.superseding == nil {
		in.superseding = map[string][]string{}
	}
	if delete(in.superseding, path); len(m.Supersedes) > 0 {
		in.superseding[path] = m.Supersedes
	}
}
