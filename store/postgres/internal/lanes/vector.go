package lanes

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// VectorTable is a table of a model's vectors: (tenant text, key bytea, no smallint, embedding
// vector(Dims)), by content key of passage. The zero VectorTable has none.
type VectorTable struct {
	Name string // needs no quoting
	Dims int
}

// Vector is store.View's. Scores are those of the vectors as they were given. Where all that is
// seen is compared (see plan) the hits are the nearest; else they are those that the index finds,
// and Min is that of the farthest it finds.
func (r *Reader) Vector(ctx context.Context, t VectorTable, query []float32, k int) (store.Hits, error) {
	if t.Name == "" {
		return store.Hits{}, nil
	}
	has, err := r.embedded(ctx, t)
	if err != nil || has.rows == 0 {
		return store.Hits{}, err
	}
	wanted := max(k, 1)
	p, err := r.plan(ctx, t, has, wanted)
	if err != nil {
		return store.Hits{}, err
	}
	// This is what takes the server longest: lanes that are asked at once read first, and score meanwhile.
	if err := r.apart(func() error { runtime.Gosched(); return nil }); err != nil {
		return store.Hits{}, err
	}
	var out store.Hits
	if !p.exhaustive {
		var enough bool
		if out, enough, err = r.nearest(ctx, t, query, has.rowSet, wanted, p); err != nil {
			return store.Hits{}, err
		}
		p.exhaustive = !enough
	}
	if p.exhaustive {
		if out, err = r.compareAll(ctx, t, query, has.rowSet, wanted); err != nil {
			return store.Hits{}, err
		}
	}
	out.Matched = has.rows
	out.Hits = out.Hits[:min(max(k, 0), len(out.Hits))]
	return out, r.identify(ctx, has.rowSet)
}

// compareAll compares every passage that is seen.
func (r *Reader) compareAll(ctx context.Context, t VectorTable, query []float32, has *rowSet, k int) (store.Hits, error) {
	var out store.Hits
	var id *int64
	var name, key []byte
	var distance float64
	err := r.each(ctx, comparisons, `
		WITH compared AS MATERIALIZED (
			SELECT p.id, p.name, p.key, min(v.embedding <#> $1::real[]::vector) AS distance
			FROM unnest($2::bigint[]) AS seen (id)
			JOIN passage p ON p.id = seen.id
			JOIN `+t.Name+` v ON v.tenant = p.tenant AND v.key = p.key
			WHERE p.tenant = $3 AND v.tenant = $3
			GROUP BY p.id)
		(SELECT id, name, key, distance FROM compared ORDER BY distance, name LIMIT $4)
		UNION ALL
		SELECT NULL, NULL, NULL, coalesce(max(distance), 0) FROM compared`,
		[]any{query, has.all(), r.scope.Tenant, min(k, has.rows)}, []any{&id, &name, &key, &distance}, func() error {
			if id == nil {
				out.Min = -distance
				return nil
			}
			out.Hits = append(out.Hits, store.Hit{Passage: r.note(name, *id, string(key)), Score: -distance})
			return nil
		})
	if len(out.Hits) > 0 {
		out.Max = out.Hits[0].Score
	}
	slices.SortFunc(out.Hits, compareHits)
	return out, err
}

func compareHits(a, b store.Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Passage, b.Passage))
}

// nearest asks the HNSW index, for more and more until k are seen, or until that would cost as much
// as comparing all: then enough is false.
func (r *Reader) nearest(ctx context.Context, t VectorTable, query []float32, has *rowSet, k int, p plan) (out store.Hits, enough bool, err error) {
	opposite := make([]float32, len(query))
	for i, x := range query {
		opposite[i] = -x
	}
	near := walk{query: query, limit: p.limit, list: p.list, iterate: p.iterate}
	far := walk{query: opposite, limit: farthest, list: farthest, iterate: p.iterate}
	err = r.walk(ctx, t, has, &near, &far)
	for ; err == nil && len(near.hits) < min(k, has.rows); err = r.walk(ctx, t, has, &near) {
		near.limit, near.list, near.iterate = 4*near.limit, 4*near.list, true
		if costOfWalk(near.list) > p.cost {
			return out, false, nil
		}
	}
	if err != nil {
		return out, false, err
	}
	out = store.Hits{Hits: near.hits[:min(k, len(near.hits))], Max: near.hits[0].Score, Min: near.hits[len(near.hits)-1].Score}
	if len(far.hits) > 0 {
		out.Min = min(out.Min, -far.hits[0].Score)
	}
	return out, true, nil
}

// walk is a search of the HNSW index: the limit vectors nearest to a query, by keeping list candidates
// (ef of Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using
// Hierarchical Navigable Small World graphs", 2018, algorithm 5).
type walk struct {
	query       []float32
	limit, list int
	iterate     bool        // goes on where the list holds too few rows of the tenant
	hits        []store.Hit // passages that are seen, the nearest first
}

const (
	// farthest is how many vectors are looked for on the other side, of which one that is seen does. It
	// bounds the scale of the scores alone: over 200,000 vectors it is by 0.04 off that of all, of the 0.98
	// from the nearest to the farthest, and with twice as many by 0.034.
	farthest = 2
	// mostSearched is the greatest hnsw.ef_search; what is asked for beyond it the iterative scan finds.
	mostSearched = 1000
)

// walk searches the index, in one round trip. The counts have chosen this plan, so it is the one that
// Postgres is left, and it is kept: LIMIT stands in the statement for its estimates.
func (r *Reader) walk(ctx context.Context, t VectorTable, in *rowSet, walks ...*walk) error {
	half := fmt.Sprintf("halfvec(%d)", t.Dims)
	who := r.identified(in)
	batch := &pgx.Batch{}
	const settings = `SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', $2, true), set_config('hnsw.max_scan_tuples', $3, true)`
	for i, w := range walks {
		iterative := "off"
		if w.iterate {
			iterative = "relaxed_order"
		}
		set := settings
		if i == 0 {
			set += `, set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`
		}
		batch.Queue(set, strconv.Itoa(min(w.list, mostSearched)), iterative, strconv.Itoa(max(20000, 4*w.list)))
		near := `SELECT key, embedding <#> (SELECT $1::real[]::vector) AS distance FROM ` + t.Name + `
			WHERE tenant = $2 ORDER BY embedding::` + half + ` <#> $1::real[]::vector::` + half + ` LIMIT ` + strconv.Itoa(w.limit)
		found := &hitsOf{Reader: r, in: in, at: map[int64]int{}}
		if who == nil {
			near = `WITH near AS MATERIALIZED (` + near + `)
				SELECT p.id, p.name, near.key, near.distance FROM near JOIN passage p ON p.key = near.key WHERE p.tenant = $2`
		}
		batch.Queue(near, w.query, r.scope.Tenant).Query(func(rows pgx.Rows) (err error) {
			if who == nil {
				err = found.passages(rows)
			} else {
				err = found.contents(rows, who)
			}
			slices.SortFunc(found.hits, compareHits)
			w.hits = found.hits
			return err
		})
	}
	batch.Queue("SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'on', true)")
	return r.q.SendBatch(ctx, batch).Close()
}

// hitsOf are the passages of a set among what a walk gives, each of which may come several times, with their
// best scores.
type hitsOf struct {
	*Reader
	in   *rowSet
	hits []store.Hit
	at   map[int64]int // in hits, of a row
}

// passages reads rows of passages with their distances.
func (h *hitsOf) passages(rows pgx.Rows) error {
	var id int64
	var name, key []byte
	var distance float64
	_, err := pgx.ForEachRow(rows, []any{&id, &name, &key, &distance}, func() error {
		if h.in.has(id) {
			h.add(id, name, string(key), -distance)
		}
		return nil
	})
	return err
}

// contents reads content keys with their distances, of passages whose identities are at hand.
func (h *hitsOf) contents(rows pgx.Rows, who []*identities) error {
	var key []byte
	var distance float64
	_, err := pgx.ForEachRow(rows, []any{&key, &distance}, func() error {
		h.content(key, -distance, who)
		return nil
	})
	return err
}

// content adds the passages of the set that have a content key; who are the identities of its blocks.
func (h *hitsOf) content(key []byte, score float64, who []*identities) {
	content := string(key)
	bucket, tag := bucketOf(content)
	for n, b := range h.in.blocks {
		who[n].with(content, bucket, tag, func(at uint16) {
			if b.rows.has(at) {
				h.add(b.id*blockRows+int64(at), []byte(who[n].names[at]), content, score)
			}
		})
	}
}

func (h *hitsOf) add(id int64, name []byte, key string, score float64) {
	if at, again := h.at[id]; again {
		h.hits[at].Score = max(h.hits[at].Score, score)
		return
	}
	h.at[id] = len(h.hits)
	h.hits = append(h.hits, store.Hit{Passage: h.note(name, id, key), Score: score})
}

// ScoreVector is store.View's.
func (r *Reader) ScoreVector(ctx context.Context, t VectorTable, query []float32, passages []document.PassageID) ([]float64, error) {
	return r.compare(ctx, t, passages, "(SELECT $1::real[]::vector)", query)
}

// Similar is store.View's.
func (r *Reader) Similar(ctx context.Context, t VectorTable, to document.PassageID, passages []document.PassageID) ([]float64, error) {
	at, err := r.find(ctx, []document.PassageID{to})
	if err != nil {
		return nil, err
	}
	return r.compare(ctx, t, passages, `(SELECT embedding FROM `+t.Name+` WHERE tenant = $3 AND key = $1 AND no = 0)`, []byte(at[0].key))
}

// compare scores passages by their nearness to a vector, an expression of the first argument.
func (r *Reader) compare(ctx context.Context, t VectorTable, passages []document.PassageID, with string, argument any) ([]float64, error) {
	found, err := r.find(ctx, passages)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(found))
	if t.Name == "" || len(found) == 0 {
		for i := range out {
			out[i] = math.NaN()
		}
		return out, nil
	}
	nearest := make(map[string]float64, len(found)) // by key
	keys := make([][]byte, 0, len(found))
	for _, p := range found {
		if _, asked := nearest[p.key]; !asked {
			nearest[p.key] = math.NaN()
			keys = append(keys, []byte(p.key))
		}
	}
	var key []byte
	var distance *float64
	if err := r.each(ctx, lookups, `SELECT v.key, v.embedding <#> `+with+` FROM `+t.Name+` v WHERE v.tenant = $3 AND v.key = ANY($2)`,
		[]any{argument, keys, r.scope.Tenant}, []any{&key, &distance}, func() error {
			if distance != nil && !(nearest[string(key)] >= -*distance) {
				nearest[string(key)] = -*distance
			}
			return nil
		}); err != nil {
		return nil, err
	}
	for i, p := range found {
		out[i] = nearest[p.key]
	}
	return out, nil
}
