package local

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// progress remembers, for each model by its row, up to which row every passage has a
// vector, so that embedding a corpus batch by batch does not look through all of it each
// time. A passage that has a vector keeps one, and rows are never given twice.
type progress struct {
	mu   sync.Mutex
	from map[int64]int64
}

func (p *progress) get(model int64) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.from[model]
}

func (p *progress) set(model, row int64) {
	if model == 0 {
		return // a model without a row, which may come to have vectors
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.from == nil {
		p.from = map[int64]int64{}
	}
	p.from[model] = max(p.from[model], row)
}

// waiting is a passage without a vector.
type waiting struct {
	row, doc int64
	key      string
}

// MissingVectors implements store.Index, in the order the passages were added.
func (s *Store) MissingVectors(ctx context.Context, model store.Model, limit int) ([]store.Unembedded, error) {
	if limit <= 0 {
		return nil, s.alive()
	}
	var out []store.Unembedded
	err := s.reading(ctx, "looking for passages without vectors", func(c *conn) error {
		id, err := c.modelRow(ctx, model)
		if err != nil {
			return err
		}
		list, err := c.waiting(ctx, id, s.embedded.get(id), limit)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			s.embedded.set(id, list[0].row)
		}
		var r texts
		for _, w := range list {
			u := store.Unembedded{Key: document.ContentKey(hex.EncodeToString([]byte(w.key)))}
			if u.Document, err = r.document(ctx, c, w.doc); err != nil {
				return err
			}
			if u.Context, u.Text, err = r.of(ctx, c, w); err != nil {
				return err
			}
			out = append(out, u)
		}
		return nil
	})
	return out, err
}

// CountMissing implements store.Index.
func (s *Store) CountMissing(ctx context.Context, model store.Model) (n int, err error) {
	err = s.reading(ctx, "counting passages without vectors", func(c *conn) error {
		id, err := c.modelRow(ctx, model)
		if err != nil {
			return err
		}
		n, err = c.countMissing(ctx, id, s.embedded.get(id))
		return err
	})
	return n, err
}

// countMissing counts the passages from a row on without a vector of a model.
func (c *conn) countMissing(ctx context.Context, model, from int64) (n int, err error) {
	_, err = c.get(ctx, `SELECT count(DISTINCT p.key) FROM passage p WHERE p.row >= ?
		AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.model = ? AND v.key = p.key)`, []any{from, model}, &n)
	return n, err
}

// errFound ends a loop over rows.
var errFound = errors.New("found")

func (c *conn) waiting(ctx context.Context, model, from int64, limit int) ([]waiting, error) {
	var out []waiting
	var w waiting
	var key []byte
	seen := map[string]bool{}
	err := c.each(ctx, `SELECT p.row, p.document, p.key FROM passage p WHERE p.row >= ?
		AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.model = ? AND v.key = p.key) ORDER BY p.row`, []any{from, model},
		[]any{&w.row, &w.doc, &key}, func() error {
			if w.key = string(key); seen[w.key] {
				return nil
			}
			seen[w.key] = true
			if out = append(out, w); len(out) == limit {
				return errFound
			}
			return nil
		})
	if err == errFound {
		err = nil
	}
	return out, err
}

// texts finds the texts of passages of one document after the other.
type texts struct {
	doc  int64
	rows map[int64]passageText

	named int64 // the document that id is of
	id    document.ID
}

type passageText struct{ context, text string }

func (r *texts) document(ctx context.Context, c *conn, doc int64) (document.ID, error) {
	if r.named != doc {
		found, err := c.get(ctx, "SELECT source, path FROM document WHERE id = ?", []any{doc}, &r.id.Source, &r.id.Path)
		if err != nil {
			return document.ID{}, err
		}
		if !found {
			return document.ID{}, dangling(fmt.Sprintf("document %d", doc))
		}
		r.named = doc
	}
	return r.id, nil
}

func (r *texts) of(ctx context.Context, c *conn, w waiting) (context, text string, err error) {
	if r.doc != w.doc {
		if err := r.read(ctx, c, w.doc); err != nil {
			return "", "", err
		}
	}
	p, ok := r.rows[w.row]
	if !ok {
		return "", "", dangling(fmt.Sprintf("passage %d", w.row))
	}
	return p.context, p.text, nil
}

// read reads all revisions of a document: a passage may be of an old one alone.
func (r *texts) read(ctx context.Context, c *conn, doc int64) error {
	r.doc, r.rows = doc, map[int64]passageText{}
	var raw []byte
	var text string
	return c.each(ctx, "SELECT c.body, c.text FROM revision r JOIN content c ON c.revision = r.id WHERE r.document = ?", []any{doc}, []any{&raw, &text}, func() error {
		b, err := decodeBody(raw)
		if err != nil {
			return err
		}
		if err := b.fits(text); err != nil {
			return err
		}
		for _, p := range b.passages {
			r.rows[p.row] = passageText{p.context, p.span.Of(text)}
		}
		return nil
	})
}
