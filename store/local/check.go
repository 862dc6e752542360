package local

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Check reads all of the store and reports the first damage as store.ErrDamaged:
// pages and indexes as SQLite knows them, every encoded value, and every passage
// against its digest and the text it stands in. It takes time in proportion to
// the file.
func (s *Store) Check(ctx context.Context) error {
	return s.reading(ctx, "checking", func(c *conn) error {
		var verdict string
		if err := c.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
			return err
		}
		if verdict != "ok" {
			return fmt.Errorf("%w: %s", store.ErrDamaged, verdict)
		}
		if _, err := newBuilder(s.bm25).load(ctx, c, -1); err != nil {
			return err
		}
		if err := checkPassages(ctx, c); err != nil {
			return err
		}
		return checkRevisions(ctx, c)
	})
}

func checkPassages(ctx context.Context, c *conn) error {
	var p document.Passage
	var id, key, terms, digest []byte
	return c.each(ctx, "SELECT id, key, kind, context, text, tokens, terms, digest FROM passage", nil,
		[]any{&id, &key, &p.Kind, &p.Context, &p.Text, &p.Tokens, &terms, &digest}, func() error {
			if string(passageDigest(&p, key, terms)) != string(digest) {
				return fmt.Errorf("%w: passage %s is not what was stored", store.ErrDamaged, hex.EncodeToString(id))
			}
			return nil
		})
}

func checkRevisions(ctx context.Context, c *conn) error {
	var ids []int64
	var id int64
	if err := c.each(ctx, "SELECT id FROM revision", nil, []any{&id}, func() error { ids = append(ids, id); return nil }); err != nil {
		return err
	}
	for _, id := range ids {
		var text, sections, metadata string
		if _, err := c.get(ctx, "SELECT text, sections, metadata FROM revision WHERE id = ?", []any{id}, &text, &sections, &metadata); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(sections), new([]document.Section)); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(metadata), new(document.Metadata)); err != nil {
			return err
		}
		var passage string
		var span document.Span
		if err := c.each(ctx, "SELECT p.text, o.start, o.stop FROM occurrence o JOIN passage p ON p.row = o.passage WHERE o.revision = ?",
			[]any{id}, []any{&passage, &span.From, &span.To}, func() error {
				if span.Of(text) != passage {
					return fmt.Errorf("%w: a passage is not the text of its span", store.ErrDamaged)
				}
				return nil
			}); err != nil {
			return err
		}
	}
	return nil
}
