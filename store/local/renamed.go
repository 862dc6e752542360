package local

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// planRenamed removes what was renamed, and lets what it has become be seen when it was
// seen. What is gone already was renamed before.
func (c *conn) planRenamed(ctx context.Context, renamed []store.Renamed, p *plan) error {
	for _, n := range renamed {
		var row int64
		found, err := c.get(ctx, "SELECT id FROM document WHERE source = ? AND path = ?", []any{n.From.Source, n.From.Path}, &row)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		p.remove = append(p.remove, row)
		at := slices.IndexFunc(p.put, func(r *store.Revision) bool { return r.Document == n.To })
		if at < 0 {
			continue
		}
		if found, err := c.get(ctx, "SELECT 1 FROM document WHERE source = ? AND path = ?", []any{n.To.Source, n.To.Path}, new(int)); err != nil || found {
			if err != nil {
				return err
			}
			continue // it has a past of its own
		}
		if p.put[at], err = c.wasCalled(ctx, row, n.From.Path, p.put[at]); err != nil {
			return err
		}
	}
	return nil
}

// wasCalled is a revision that goes on what another document's newest was, if it is the
// same.
func (c *conn) wasCalled(ctx context.Context, row int64, path string, r *store.Revision) (*store.Revision, error) {
	var hash, seen string
	var metadata []byte
	found, err := c.get(ctx, `SELECT hash, seen, metadata FROM revision WHERE document = ?1
		AND NOT EXISTS (SELECT 1 FROM failure WHERE document = ?1) ORDER BY id DESC LIMIT 1`, []any{row}, &hash, &seen, &metadata)
	if err != nil || !found || hash != r.Hash {
		return r, err
	}
	var was document.Metadata
	if err := json.Unmarshal(metadata, &was); err != nil {
		return r, err
	}
	out := *r
	if out.Seen, err = parseInstant(seen); err != nil {
		return r, err
	}
	out.Metadata.Formerly = append(slices.Clone(was.Formerly), document.Former{Path: path, Until: document.DayOf(r.Seen)})
	return &out, nil
}
