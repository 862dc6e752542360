package local

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// renaming is a document that goes on under another path.
type renaming struct {
	row      int64
	from, to document.ID
	revision int64             // its newest
	metadata document.Metadata // of that, with the path that it had
}

// planRenamed lets a document go on as the one that is put, if that is new and the same,
// and else removes it. What is gone already was renamed before.
func (c *conn) planRenamed(ctx context.Context, renamed []store.Renamed, p *plan) error {
	const find = "SELECT id FROM document WHERE source = ? AND path = ?"
	for _, n := range renamed {
		r := renaming{from: n.From, to: n.To}
		found, err := c.get(ctx, find, []any{n.From.Source, n.From.Path}, &r.row)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		other, err := c.get(ctx, find, []any{n.To.Source, n.To.Path}, new(int64))
		if err != nil {
			return err
		}
		at := slices.IndexFunc(p.put, func(put *store.Revision) bool { return put.Document == n.To })
		same := false
		if at >= 0 && !other { // else it has a past of its own
			if same, err = c.goesOn(ctx, &r, p.put[at]); err != nil {
				return err
			}
		}
		if same {
			p.renamed = append(p.renamed, r)
		} else {
			p.remove = append(p.remove, r.row)
		}
	}
	return nil
}

// goesOn reports whether a revision is the newest of a document, which did not fail.
func (c *conn) goesOn(ctx context.Context, r *renaming, put *store.Revision) (bool, error) {
	var hash string
	var metadata []byte
	found, err := c.get(ctx, `SELECT id, hash, metadata FROM revision WHERE document = ?1
		AND NOT EXISTS (SELECT 1 FROM failure WHERE document = ?1) ORDER BY id DESC LIMIT 1`, []any{r.row}, &r.revision, &hash, &metadata)
	if err != nil || !found || hash != put.Hash {
		return false, err
	}
	if err := json.Unmarshal(metadata, &r.metadata); err != nil {
		return false, err
	}
	r.metadata.Formerly = append(r.metadata.Formerly, document.Former{Path: r.from.Path, Until: document.DayOf(put.Seen)})
	return true, nil
}

// rename gives a document its new path. Its revision is put after that, in the place of the
// newest; the passages of the older ones get other ids.
func (a *applier) rename(r renaming) error {
	if err := a.supersedes(r.from, r.row); err != nil {
		return err
	}
	if _, err := a.touch(r.from); err != nil {
		return err
	}
	if err := a.do("UPDATE document SET path = ? WHERE id = ?", r.to.Path, r.row); err != nil {
		return err
	}
	metadata, err := json.Marshal(r.metadata)
	if err != nil {
		return err
	}
	if err := a.do("UPDATE revision SET metadata = ? WHERE id = ?", string(metadata), r.revision); err != nil {
		return err
	}
	type passage struct {
		row int64
		id  []byte
	}
	var all []passage
	var row int64
	var id, digest []byte
	if err := a.each(a.ctx, passageRows, []any{r.row}, []any{&row, &id, &digest}, func() error {
		all = append(all, passage{row, slices.Clone(id)})
		return nil
	}); err != nil {
		return err
	}
	for _, p := range all {
		if err := a.do("UPDATE passage SET id = ? WHERE row = ?", rules.Renamed(p.id, r.to), p.row); err != nil {
			return err
		}
	}
	return nil
}
