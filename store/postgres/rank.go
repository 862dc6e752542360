package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
	"github.com/seed-d3156d19/quarry/store/postgres/internal/lanes"
)

// rank asks package lanes, which is told first what the view sees and whom the statistics
// count.
func (v *view) rank(ctx context.Context, fn func(q querier, r *lanes.Reader) error) error {
	return v.reads(ctx, "searching", func(q *reading) error {
		if err := v.tally(ctx, q); err != nil {
			return err
		}
		apart := func(do func() error) error { return q.apart(ctx, do) }
		return fn(q, v.store.index.Reader(q, &v.compiled.Scope, &v.read, apart))
	})
}

// tally counts what the relations hold.
func (v *view) tally(ctx context.Context, q querier) error {
	v.answers.mu.Lock()
	defer v.answers.mu.Unlock()
	if v.tallied {
		return nil
	}
	seen, err := v.count(ctx, q)
	if err != nil {
		return err
	}
	if v.answers.population == nil {
		var c counts
		if err := c.tell(q.QueryRow(ctx, "SELECT "+sums+" FROM in_force f WHERE "+population, v.args(pgx.NamedArgs{}))); err != nil {
			return err
		}
		v.answers.population = &c.tally
	}
	v.compiled.SeenTally, v.compiled.PopulationTally = seen.tally, *v.answers.population
	v.tallied = true
	return nil
}

// rankVectors asks package lanes for vectors of a model, which has no table where there are none.
func (v *view) rankVectors(ctx context.Context, model store.Model, fn func(*lanes.Reader, lanes.VectorTable) error) error {
	return v.rank(ctx, func(_ querier, r *lanes.Reader) error {
		for _, m := range v.models {
			if m.Model == model {
				return fn(r, m.table())
			}
		}
		return fn(r, lanes.VectorTable{})
	})
}

// Model implements store.View.
func (v *view) Model(ctx context.Context) (store.Model, error) {
	if err := v.alive(); err != nil {
		return store.Model{}, err
	}
	return modelsOf(v.models).InForce, ctx.Err()
}

// Keyword implements store.View.
func (v *view) Keyword(ctx context.Context, terms []store.QueryTerm, k int) (hits store.Hits, err error) {
	err = v.rank(ctx, func(_ querier, r *lanes.Reader) error { hits, err = r.Keyword(ctx, terms, k); return err })
	return hits, err
}

// Identifier implements store.View.
func (v *view) Identifier(ctx context.Context, identifiers []store.QueryTerm, k int) (hits store.Hits, err error) {
	err = v.rank(ctx, func(_ querier, r *lanes.Reader) error { hits, err = r.Identifier(ctx, identifiers, k); return err })
	return hits, err
}

// Vector implements store.View.
func (v *view) Vector(ctx context.Context, model store.Model, query []float32, k int) (hits store.Hits, err error) {
	if err := rules.CheckQuery(model, query); err != nil {
		return store.Hits{}, err
	}
	err = v.rankVectors(ctx, model, func(r *lanes.Reader, table lanes.VectorTable) error {
		hits, err = r.Vector(ctx, table, query, k)
		return err
	})
	return hits, err
}

// Outline implements store.View.
func (v *view) Outline(ctx context.Context, terms []store.QueryTerm, k int) (out store.SectionHits, err error) {
	err = v.rank(ctx, func(q querier, r *lanes.Reader) error {
		hits, matched, greatest, err := r.Outline(ctx, terms, k)
		if err != nil {
			return err
		}
		out = store.SectionHits{Matched: matched, Max: greatest}
		return v.placeSections(ctx, q, hits, &out)
	})
	if err != nil {
		return store.SectionHits{}, err
	}
	return out, nil
}

// placeSections tells where sections stand.
func (v *view) placeSections(ctx context.Context, q querier, hits []lanes.SectionHit, out *store.SectionHits) error {
	if len(hits) == 0 {
		return nil
	}
	found := map[int64]store.SectionHit{}
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	var id int64
	var hit store.SectionHit
	if err := query(ctx, q, `SELECT e.id, d.source, d.path, e.n, e.heading, e.path, e.span_from, e.span_to
		FROM section e JOIN document d ON d.id = e.document WHERE e.id = ANY($1)`, []any{ids},
		[]any{&id, &hit.Document.Source, &hit.Document.Path, &hit.Section, &hit.Heading, &hit.Path, &hit.Span.From, &hit.Span.To}, func() error {
			found[id] = hit
			hit.Path = nil
			return nil
		}); err != nil {
		return err
	}
	for _, h := range hits {
		hit := found[h.ID]
		hit.Score = h.Score
		out.Hits = append(out.Hits, hit)
	}
	return nil
}

// ScoreKeyword implements store.View.
func (v *view) ScoreKeyword(ctx context.Context, terms []store.QueryTerm, passages []document.PassageID) (scores []float64, err error) {
	err = v.rank(ctx, func(_ querier, r *lanes.Reader) error { scores, err = r.ScoreKeyword(ctx, terms, passages); return err })
	return scores, err
}

// ScoreIdentifier implements store.View.
func (v *view) ScoreIdentifier(ctx context.Context, identifiers []store.QueryTerm, passages []document.PassageID) (scores []float64, err error) {
	err = v.rank(ctx, func(_ querier, r *lanes.Reader) error {
		scores, err = r.ScoreIdentifier(ctx, identifiers, passages)
		return err
	})
	return scores, err
}

// ScoreVector implements store.View.
func (v *view) ScoreVector(ctx context.Context, model store.Model, query []float32, passages []document.PassageID) (scores []float64, err error) {
	if err := rules.CheckQuery(model, query); err != nil {
		return nil, err
	}
	err = v.rankVectors(ctx, model, func(r *lanes.Reader, table lanes.VectorTable) error {
		scores, err = r.ScoreVector(ctx, table, query, passages)
		return err
	})
	return scores, err
}

// Similar implements store.View.
func (v *view) Similar(ctx context.Context, model store.Model, to document.PassageID, passages []document.PassageID) (scores []float64, err error) {
	err = v.rankVectors(ctx, model, func(r *lanes.Reader, table lanes.VectorTable) error {
		scores, err = r.Similar(ctx, table, to, passages)
		return err
	})
	return scores, err
}

// Near implements store.View.
func (v *view) Near(ctx context.Context, term string, edits, k int) (out []store.NearTerm, err error) {
	if edits < 0 || edits > store.MaxEdits {
		return nil, fmt.Errorf("%w: terms at %d edits are asked for, and at most %d are looked for", store.ErrInvalid, edits, store.MaxEdits)
	}
	err = v.rank(ctx, func(_ querier, r *lanes.Reader) error { out, err = r.Near(ctx, term, edits, k); return err })
	return out, err
}

// Phrase implements store.View.
func (v *view) Phrase(ctx context.Context, phrase store.Phrase, k int) (hits store.PhraseHits, err error) {
	err = v.rank(ctx, func(_ querier, r *lanes.Reader) error { hits, err = r.Phrase(ctx, phrase, k); return err })
	return hits, err
}

// Statistics implements store.View.
func (v *view) Statistics(ctx context.Context, terms []string) (out store.Statistics, err error) {
	err = v.rank(ctx, func(_ querier, r *lanes.Reader) error { out, err = r.Statistics(ctx, terms); return err })
	return out, err
}
