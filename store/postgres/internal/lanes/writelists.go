package lanes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
)

// What is looked up by keys is looked up key by key (LATERAL, OFFSET): where a table has no
// statistics yet, the planner reads all lists of a lane to find ten.

// writeLists merges some lists of a lane with those there are.
func writeLists(ctx context.Context, tx pgx.Tx, key listsKey, some []termBlock, edits map[termBlock]*listEdit) error {
	terms, blocks := (&encodedLists{keys: some}).columns()
	rows, err := tx.Query(ctx, `
		SELECT p.term, p.block, p.rows, p.weights FROM unnest($3::text[], $4::bigint[]) AS k (term, block)
		CROSS JOIN LATERAL (SELECT * FROM posting WHERE tenant = $1 AND lane = $2 AND term = k.term AND block = k.block OFFSET 0) p`, key.tenant, key.lane, terms, blocks)
	if err != nil {
		return err
	}
	there := map[termBlock][]entry{}
	var at termBlock
	var places, weights []byte
	if _, err := pgx.ForEachRow(rows, []any{&at.term, &at.block, &places, &weights}, func() error {
		entries, err := decodeList(key.lane, places, weights)
		there[at] = entries
		return err
	}); err != nil {
		return err
	}
	w := listWrites{listsKey: key}
	for _, k := range some {
		old, exists := there[k]
		entries, err := edits[k].merge(old)
		if err != nil {
			return err
		}
		switch {
		case len(entries) > 0 && exists:
			w.changed.add(key.lane, k, entries)
		case len(entries) > 0:
			w.made.add(key.lane, k, entries)
		case exists:
			w.emptied.keys = append(w.emptied.keys, k)
		}
	}
	return w.do(ctx, tx)
}

// merge gives the entries of a list after an edit.
func (l *listEdit) merge(entries []entry) ([]entry, error) {
	if len(l.gone) > 0 {
		slices.Sort(l.gone)
		entries = slices.DeleteFunc(entries, func(e entry) bool {
			_, gone := slices.BinarySearch(l.gone, e.at)
			return gone
		})
	}
	entries = append(entries, l.added...)
	ascending := func(a, b entry) int { return cmp.Compare(a.at, b.at) }
	if !slices.IsSortedFunc(entries, ascending) {
		slices.SortFunc(entries, ascending)
	}
	for i := 1; i < len(entries); i++ {
		if entries[i].at == entries[i-1].at {
			return nil, fmt.Errorf("a row of the index is given twice")
		}
	}
	return entries, nil
}

// listWrites are lists of a lane that a change makes, changes and empties.
type listWrites struct {
	listsKey
	made, changed, emptied encodedLists
}

// encodedLists are lists with their values as encodeList writes them.
type encodedLists struct {
	keys          []termBlock
	rows, weights [][]byte
}

func (l *encodedLists) add(of lane, key termBlock, entries []entry) {
	rows, weights := encodeList(of, entries)
	l.keys, l.rows, l.weights = append(l.keys, key), append(l.rows, rows), append(l.weights, weights)
}

func (l *encodedLists) columns() (terms []string, blocks []int64) {
	terms, blocks = make([]string, len(l.keys)), make([]int64, len(l.keys))
	for i, k := range l.keys {
		terms[i], blocks[i] = k.term, k.block
	}
	return terms, blocks
}

func (w *listWrites) do(ctx context.Context, tx pgx.Tx) error {
	if len(w.made.keys) > 0 {
		if err := w.create(ctx, tx); err != nil {
			return err
		}
	}
	if len(w.changed.keys) > 0 {
		terms, blocks := w.changed.columns()
		if _, err := tx.Exec(ctx, `
			INSERT INTO posting (tenant, lane, term, block, rows, weights)
			SELECT $1::text, $2::smallint, * FROM unnest($3::text[], $4::bigint[], $5::bytea[], $6::bytea[])
			ON CONFLICT (tenant, lane, term, block) DO UPDATE SET rows = excluded.rows, weights = excluded.weights`,
			w.tenant, w.lane, terms, blocks, w.changed.rows, w.changed.weights); err != nil {
			return err
		}
	}
	if len(w.emptied.keys) > 0 {
		return w.empty(ctx, tx)
	}
	return nil
}

// create writes new lists, and their terms where these are new.
func (w *listWrites) create(ctx context.Context, tx pgx.Tx) error {
	l := &w.made
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{"posting"}, []string{"tenant", "lane", "term", "block", "rows", "weights"},
		pgx.CopyFromSlice(len(l.keys), func(i int) ([]any, error) {
			return []any{w.tenant, int16(w.lane), l.keys[i].term, l.keys[i].block, l.rows[i], l.weights[i]}, nil
		})); err != nil {
		return err
	}
	if w.lane != words {
		return nil
	}
	terms, _ := l.columns()
	terms = slices.Compact(terms)
	_, err := tx.Exec(ctx, `
		INSERT INTO term (tenant, length, term) SELECT $1::text, * FROM unnest($2::smallint[], $3::text[]) ON CONFLICT DO NOTHING`,
		w.tenant, lengthsOf(terms), terms)
	return err
}

// empty deletes lists that hold nothing any more, and their terms where nothing else holds these.
func (w *listWrites) empty(ctx context.Context, tx pgx.Tx) error {
	terms, blocks := w.emptied.columns()
	if _, err := tx.Exec(ctx, `
		DELETE FROM posting WHERE ctid = ANY (ARRAY(SELECT p.ctid FROM unnest($3::text[], $4::bigint[]) AS k (term, block)
		CROSS JOIN LATERAL (SELECT ctid FROM posting WHERE tenant = $1 AND lane = $2 AND term = k.term AND block = k.block OFFSET 0) p))`, w.tenant, w.lane, terms, blocks); err != nil {
		return err
	}
	if w.lane != words {
		return nil
	}
	_, err := tx.Exec(ctx, `
		DELETE FROM term WHERE ctid = ANY (ARRAY(SELECT t.ctid FROM unnest($3::smallint[], $4::text[]) AS k (length, term)
		CROSS JOIN LATERAL (SELECT ctid FROM term WHERE tenant = $1 AND length = k.length AND term = k.term OFFSET 0) t
		WHERE NOT EXISTS (SELECT FROM posting p WHERE p.tenant = $1 AND p.lane = $2 AND p.term = k.term OFFSET 0)))`, w.tenant, w.lane, lengthsOf(terms), terms)
	return err
}

func lengthsOf(terms []string) []int16 {
	out := make([]int16, len(terms))
	for i, t := range terms {
		out[i] = int16(utf8.RuneCountInString(t))
	}
	return out
}
