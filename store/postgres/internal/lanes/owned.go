package lanes

import (
	"context"
	"math/bits"

	"github.com/jackc/pgx/v5"
)

// Owned counts the passages of a document that are in the index, and the rows of the index that
// are of no passage: it reads the whole index. q sees all tenants.
func Owned(ctx context.Context, q Querier, document int64) (held, unowned int, err error) {
	passages, err := existing(ctx, q)
	if err != nil {
		return 0, 0, err
	}
	rows, err := q.Query(ctx, `SELECT tenant, block, body FROM block WHERE NOT sections`)
	if err != nil {
		return 0, 0, err
	}
	var key blockKey
	var body []byte
	if _, err := pgx.ForEachRow(rows, []any{&key.tenant, &key.id, &body}, func() error {
		members, err := decodeMembers(body)
		if err != nil {
			return err
		}
		there := passages[key]
		for _, m := range members {
			if m.document == document {
				held++
			}
			if there == nil || !there.has(m.at) {
				unowned++
			}
		}
		return nil
	}); err != nil {
		return 0, 0, err
	}
	stray, err := strayPostings(ctx, q, passages)
	return held, unowned + stray, err
}

// existing are the passages that there are, by tenant and block.
func existing(ctx context.Context, q Querier) (map[blockKey]*bitset, error) {
	rows, err := q.Query(ctx, `SELECT tenant, id FROM passage`)
	if err != nil {
		return nil, err
	}
	out := map[blockKey]*bitset{}
	var key blockKey
	var id int64
	_, err = pgx.ForEachRow(rows, []any{&key.tenant, &id}, func() error {
		key.id = blockOf(id)
		b := out[key]
		if b == nil {
			b = new(bitset)
			out[key] = b
		}
		b.set(placeOf(id))
		return nil
	})
	return out, err
}

// strayPostings counts rows in lists that are of no passage, each once.
func strayPostings(ctx context.Context, q Querier, passages map[blockKey]*bitset) (n int, err error) {
	rows, err := q.Query(ctx, `SELECT tenant, block, rows FROM posting WHERE lane <> $1`, outline)
	if err != nil {
		return 0, err
	}
	stray := map[blockKey]*bitset{}
	var key blockKey
	var places []byte
	if _, err := pgx.ForEachRow(rows, []any{&key.tenant, &key.id, &places}, func() error {
		var listed, none bitset
		if err := listed.add(places); err != nil {
			return err
		}
		there := passages[key]
		if there == nil {
			there = &none
		}
		for word := range listed {
			if beyond := listed[word] &^ there[word]; beyond != 0 {
				if stray[key] == nil {
					stray[key] = new(bitset)
				}
				stray[key][word] |= beyond
			}
		}
		return nil
	}); err != nil {
		return 0, err
	}
	for _, b := range stray {
		for _, word := range b {
			n += bits.OnesCount64(word)
		}
	}
	return n, nil
}
