package local

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Documents implements store.View.
func (v *view) Documents(ctx context.Context) ([]store.Listed, error) {
	var out []store.Listed
	err := v.reads(ctx, "listing documents", func(c *conn) error {
		all, err := v.seenDocuments(ctx, c)
		if err != nil {
			return err
		}
		embedded, err := v.embedded(ctx, c, all)
		if err != nil {
			return err
		}
		for _, h := range all {
			l := store.Listed{Document: h.id, Title: h.title, Revision: h.hash, Status: string(h.status), Valid: h.valid,
				Passages: h.passages, Vectors: embedded[h.revision].any, Error: h.reason}
			if h.failed {
				l.Status = "failed"
			}
			out = append(out, l)
		}
		return nil
	})
	return out, err
}

// Counts implements store.View.
func (v *view) Counts(ctx context.Context) (store.Counts, error) {
	out := store.Counts{Vectors: map[store.Model]int{}}
	err := v.reads(ctx, "counting", func(c *conn) error {
		all, err := v.seenDocuments(ctx, c)
		if err != nil {
			return err
		}
		embedded, err := v.embedded(ctx, c, all)
		if err != nil {
			return err
		}
		for _, h := range all {
			if h.failed {
				out.Failed++
				continue
			}
			out.Documents++
			out.Passages += h.passages
			out.Sections += h.headings
			for model, n := range embedded[h.revision].models {
				out.Vectors[model] += n
			}
		}
		return nil
	})
	if err != nil {
		return store.Counts{}, err
	}
	return out, nil
}

// seenDocuments lists the documents that the view sees, by source and path, with
// how many passages and headings of each it sees.
func (v *view) seenDocuments(ctx context.Context, c *conn) ([]*held, error) {
	var all []*held
	if err := v.choose(ctx, c, "", nil, func(h *held) error { all = append(all, h); return nil }); err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b *held) int {
		return cmp.Or(cmp.Compare(a.id.Source, b.id.Source), cmp.Compare(a.id.Path, b.id.Path))
	})
	if v.within == nil {
		return all, nil
	}
	for _, h := range all {
		w := v.within[h.id]
		if h.failed || w.sections == nil {
			continue
		}
		h.passages, h.headings = 0, 0
		for section := range w.sections {
			if section > 0 {
				h.headings++
			}
			var n int
			if _, err := c.get(ctx, "SELECT count(*) FROM occurrence WHERE revision = ? AND section = ?", []any{h.revision, section}, &n); err != nil {
				return nil, err
			}
			h.passages += n
		}
	}
	return all, nil
}

// embeddings counts the passages of a revision that have a vector.
type embeddings struct {
	any    int // of any model
	models map[store.Model]int
}

func (v *view) embedded(ctx context.Context, c *conn, all []*held) (map[int64]embeddings, error) {
	ids := make(map[int64]document.ID, len(all))
	for _, h := range all {
		if !h.failed {
			ids[h.revision] = h.id
		}
	}
	out := make(map[int64]embeddings, len(ids))
	models := map[int64]store.Model{}
	var id int64
	var m store.Model
	if err := c.each(ctx, "SELECT id, name, dims FROM model", nil, []any{&id, &m.Name, &m.Dims},
		func() error { models[id] = m; return nil }); err != nil || len(models) == 0 {
		return out, err
	}
	var revision, model, passage, last int64
	var section int
	err := c.each(ctx, `SELECT o.revision, o.passage, o.section, v.model FROM occurrence o JOIN passage p ON p.row = o.passage
		JOIN vector v ON v.key = p.key ORDER BY o.revision, o.ordinal, v.model`, nil,
		[]any{&revision, &passage, &section, &model}, func() error {
			doc, ok := ids[revision]
			if !ok || !v.holdsSection(doc, section) {
				return nil
			}
			e := out[revision]
			if e.models == nil {
				e.models = map[store.Model]int{}
				last = 0
			}
			e.models[models[model]]++
			if passage != last {
				e.any++
			}
			last = passage
			out[revision] = e
			return nil
		})
	return out, err
}
