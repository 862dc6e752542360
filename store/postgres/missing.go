package postgres

import (
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// progress remembers, for each model by its row, up to which passage every one has a
// vector, so that embedding a corpus batch by batch does not look through all of it each
// time. A passage that has a vector keeps one, and ids are never given twice.
type progress struct {
	mu   sync.Mutex
	from map[int64]int64
}

func (p *progress) get(m *storedModel) int64 {
	if m == nil {
		return 0 // a model without a row, which may come to have vectors
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.from[m.id]
}

func (p *progress) set(m *storedModel, passage int64) {
	if m == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.from == nil {
		p.from = map[int64]int64{}
	}
	p.from[m.id] = max(p.from[m.id], passage)
}

// without is a condition on passages: they have no vector of a model.
func without(m *storedModel) string {
	if m == nil {
		return "true"
	}
	return fmt.Sprintf("NOT EXISTS (SELECT FROM %s v WHERE v.key = p.key AND v.tenant = p.tenant)", m.table().Name)
}

// MissingVectors implements store.Index, in the order the passages were added.
func (s *Store) MissingVectors(ctx context.Context, model store.Model, limit int) (out []store.Unembedded, err error) {
	if limit <= 0 {
		return nil, s.alive()
	}
	limit = min(limit, math.MaxInt32)
	err = s.reading(ctx, "looking for passages without vectors", func(tx pgx.Tx) error {
		m, err := modelRow(ctx, tx, model)
		if err != nil {
			return err
		}
		waiting, err := waitingPassages(ctx, tx, m, s.embedded.get(m), limit)
		if err != nil || len(waiting) == 0 {
			return err
		}
		s.embedded.set(m, waiting[0])
		out, err = unembedded(ctx, tx, waiting)
		return err
	})
	return out, err
}

// waitingPassages lists the first passage of each content key without a vector.
func waitingPassages(ctx context.Context, tx pgx.Tx, m *storedModel, from int64, limit int) (out []int64, err error) {
	seen := map[string]bool{}
	var id int64
	var key []byte
	for {
		read := 0
		err := query(ctx, tx, "SELECT p.id, p.key FROM passage p WHERE p.id >= $1 AND "+without(m)+" ORDER BY p.id LIMIT $2", []any{from, limit},
			[]any{&id, &key}, func() error {
				read++
				from = id + 1
				if !seen[string(key)] && len(out) < limit {
					out = append(out, id)
				}
				seen[string(key)] = true
				return nil
			})
		if err != nil || read < limit || len(out) == limit {
			return out, err
		}
	}
}

// unembedded reads what passages are made of, in the order of their ids.
func unembedded(ctx context.Context, tx pgx.Tx, ids []int64) (out []store.Unembedded, err error) {
	var u store.Unembedded
	var key, text []byte
	err = query(ctx, tx, `SELECT p.key, d.source, d.path, p.context, substring(c.text FROM o.span_from + 1 FOR o.span_to - o.span_from)
		FROM passage p JOIN document d ON d.id = p.document
		JOIN LATERAL (SELECT * FROM occurrence WHERE passage = p.id ORDER BY revision DESC LIMIT 1) o ON true
		JOIN content c ON c.revision = o.revision WHERE p.id = ANY($1) ORDER BY p.id`, []any{ids},
		[]any{&key, &u.Document.Source, &u.Document.Path, &u.Context, &text}, func() error {
			u.Key, u.Text = document.ContentKey(hex.EncodeToString(key)), string(text)
			out = append(out, u)
			return nil
		})
	return out, err
}

// CountMissing implements store.Index.
func (s *Store) CountMissing(ctx context.Context, model store.Model) (n int, err error) {
	err = s.reading(ctx, "counting passages without vectors", func(tx pgx.Tx) error {
		m, err := modelRow(ctx, tx, model)
		if err != nil {
			return err
		}
		n, err = countMissing(ctx, tx, m, s.embedded.get(m))
		return err
	})
	return n, err
}

// countMissing counts the content keys of passages from one on without a vector of a model.
func countMissing(ctx context.Context, q querier, m *storedModel, from int64) (n int, err error) {
	err = q.QueryRow(ctx, "SELECT count(DISTINCT p.key) FROM passage p WHERE p.id >= $1 AND "+without(m), from).Scan(&n)
	return n, err
}
