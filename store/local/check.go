package local

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Check reads all of the store and reports the first damage as store.ErrDamaged:
// pages and indexes as SQLite knows them, every encoded value, every passage
// against its digest, every text against its checksum, and that the index has all
// documents. It takes time in proportion to the file.
func (s *Store) Check(ctx context.Context) error {
	p, err := s.pin(ctx)
	if err != nil {
		return err
	}
	defer p.release()
	err = s.checkAll(ctx, p)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return s.wrap("checking", err)
}

func (s *Store) checkAll(ctx context.Context, p *pin) error {
	c := p.conn
	var verdict string
	if err := c.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", store.ErrDamaged, verdict)
	}
	docs, err := c.allDocuments(ctx)
	if err != nil {
		return err
	}
	for _, row := range docs { // one by one, to keep little in memory
		if _, err := newBuilder(ctx, c).build([]int64{row}); err != nil {
			return err
		}
	}
	fresh := &snapshot{sequence: p.sequence}
	if err := fresh.loadSegments(ctx, p, &snapshot{}); err != nil {
		return err
	}
	if err := fresh.loadVectors(ctx, c, &snapshot{}); err != nil {
		return err
	}
	for _, set := range fresh.vectors {
		for _, b := range set.blocks {
			if err := b.fill(ctx, c, set.model.Dims); err != nil {
				return err
			}
			b.floats = nil
		}
	}
	if err := checkPassages(ctx, c); err != nil {
		return err
	}
	return checkRevisions(ctx, c)
}

func checkPassages(ctx context.Context, c *conn) error {
	var id, key, terms, digest sql.RawBytes
	return c.each(ctx, "SELECT id, key, terms, digest FROM passage", nil, []any{&id, &key, &terms, &digest}, func() error {
		if string(passageDigest(key, terms)) != string(digest) {
			return fmt.Errorf("%w: passage %s is not what was stored", store.ErrDamaged, hex.EncodeToString(id))
		}
		return nil
	})
}

func checkRevisions(ctx context.Context, c *conn) error {
	var body, metadata []byte
	var text string
	return c.each(ctx, "SELECT c.body, r.metadata, c.text FROM revision r JOIN content c ON c.revision = r.id", nil, []any{&body, &metadata, &text}, func() error {
		b, err := decodeBody(body)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(metadata, new(document.Metadata)); err != nil {
			return err
		}
		return b.fits(text)
	})
}
