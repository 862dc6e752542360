package quarry

import (
	"context"
	"sort"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Layout says where the lines and pages of a revision begin, to name the place of a
// passage; it holds nothing of the text.
type Layout struct {
	Revision string // its hash
	Format   string
	Pages    document.Pages
	Length   int // of the canonical text, in bytes
	ends     []int
}

// Line is the line, from 1, that an offset into the canonical text lies on.
func (l Layout) Line(offset int) int { return 1 + sort.SearchInts(l.ends, offset) }

// Layout returns the layout of the revision in force of one document.
func (c *Corpus) Layout(ctx context.Context, id document.ID, scope document.Scope) (l Layout, err error) {
	if scope, err = c.resolved(ctx, scope); err != nil {
		return l, err
	}
	err = c.read(ctx, scope, func(view store.View) error {
		r, err := view.Document(ctx, id, false)
		if err != nil {
			return err
		}
		l = Layout{Revision: r.Hash, Format: r.Format, Pages: r.Pages, Length: len(r.Text), ends: make([]int, 0, strings.Count(r.Text, "\n"))}
		for i := range len(r.Text) {
			if r.Text[i] == '\n' {
				l.ends = append(l.ends, i)
			}
		}
		return nil
	})
	return l, err
}
