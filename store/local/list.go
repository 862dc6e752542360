package local

import (
	"context"
	"slices"

	"github.com/seed-d3156d19/quarry/store"
)

// Documents implements store.View, from the index but for which revisions are suspect.
func (v *view) Documents(ctx context.Context) ([]store.Listed, error) {
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return nil, err
	}
	model, err := v.Model(ctx)
	if err != nil {
		return nil, err
	}
	var suspects map[int64]bool
	if err := v.reads(ctx, "listing documents", func(c *conn) (err error) {
		suspects, err = c.suspects(ctx)
		return err
	}); err != nil {
		return nil, err
	}
	var out []store.Listed
	for i, g := range s.segments {
		embedded := newBitset(g.n) // with a vector of the model in force
		if set := s.vectors[model]; set != nil {
			for row, number := range s.numbered[i] {
				if set.where.at(number) != 0 {
					embedded.set(uint32(row))
				}
			}
		}
		for at, n := range sees.chosen[i] {
			d := &g.docs[at]
			switch {
			case n == hasFailed:
				out = append(out, store.Listed{Document: d.id, Revision: d.failed.hash, Status: "failed", Error: d.failed.reason})
			case n >= 0:
				r := &d.revisions[n]
				l := store.Listed{Document: d.id, Title: r.title, Revision: r.hash, Status: string(r.Status), Valid: r.Valid, Inferred: r.inferred, Suspect: suspects[r.id]}
				for _, p := range r.passages {
					if sees.rows[i].has(p.row) {
						l.Passages++
						if embedded.has(p.row) {
							l.Vectors++
						}
					}
				}
				out = append(out, l)
			}
		}
	}
	slices.SortFunc(out, func(a, b store.Listed) int { return compareIDs(a.Document, b.Document) })
	return out, nil
}

// Counts implements store.View, from the index alone: it is asked with every
// question.
func (v *view) Counts(ctx context.Context) (store.Counts, error) {
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return store.Counts{}, err
	}
	out := store.Counts{Documents: sees.documents, Failed: sees.failed, Sections: sees.headings, Passages: sees.passages, Forgotten: sees.forgotten,
		Vectors: map[store.Model]int{}}
	for model, set := range s.vectors {
		if n := set.count(s, sees); n > 0 {
			out.Vectors[model] = n
		}
	}
	return out, nil
}
