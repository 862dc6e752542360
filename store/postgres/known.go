package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// known is what there is of a document that a change names.
type known struct {
	row    int64
	id     document.ID
	newest *newest // nil where it has no revision
	failed *store.Failure
	// past are its revisions, the oldest first, where a change dates or forgets some.
	past []past
}

type newest struct {
	revision       int64
	hash, pipeline string
	day            document.Day // on which it was seen
	metadata       rules.Metadata
}

// past is one of a document's revisions.
type past struct {
	revision int64
	ends     document.Day
	seen     document.Day
	metadata rules.Metadata
}

// state is the document's as a sync compares it.
func (k *known) state() store.State {
	switch {
	case k == nil:
		return store.State{}
	case k.failed != nil:
		return store.State{Hash: k.failed.Hash, Pipeline: k.failed.Pipeline, Failed: true, Reason: k.failed.Reason}
	case k.newest != nil:
		return store.State{Hash: k.newest.hash, Pipeline: k.newest.pipeline}
	}
	return store.State{}
}

// documents are what is known of those that a change names; of one that is not there, nothing.
type documents map[document.ID]*known

// know reads what there is of documents, in as many statements however many they are.
func know(ctx context.Context, q querier, ids []document.ID, pasts bool) (documents, error) {
	sources, paths := split(ids)
	out := documents{}
	byRow := map[int64]*known{}
	rows, err := q.Query(ctx, `SELECT d.id, d.source, d.path, r.id, r.hash, r.pipeline, r.seen_day, r.metadata, f.hash, f.pipeline, f.reason
		FROM unnest($1::text[], $2::text[]) a (source, path) JOIN document d ON d.source = a.source AND d.path = a.path
		LEFT JOIN revision r ON r.id = (SELECT max(id) FROM revision WHERE document = d.id)
		LEFT JOIN failure f ON f.document = d.id`, sources, paths)
	if err != nil {
		return nil, err
	}
	var k known
	var revision *int64
	var hash, pipeline, failedHash, failedPipeline, reason *string
	var day *document.Day
	var raw []byte
	if _, err := pgx.ForEachRow(rows, []any{&k.row, &k.id.Source, &k.id.Path, &revision, &hash, &pipeline, &day, &raw, &failedHash, &failedPipeline, &reason}, func() error {
		one := k
		if revision != nil {
			one.newest = &newest{revision: *revision, hash: *hash, pipeline: *pipeline, day: *day}
			if err := json.Unmarshal(raw, &one.newest.metadata); err != nil {
				return err
			}
		}
		if failedHash != nil {
			one.failed = &store.Failure{Hash: *failedHash, Pipeline: *failedPipeline, Reason: *reason}
		}
		out[one.id], byRow[one.row] = &one, &one
		return nil
	}); err != nil || !pasts {
		return out, err
	}
	rows, err = q.Query(ctx, "SELECT document, id, valid_to, seen_day, metadata FROM revision WHERE document = ANY($1) ORDER BY document, id", keys(byRow))
	if err != nil {
		return nil, err
	}
	var row int64
	var p past
	_, err = pgx.ForEachRow(rows, []any{&row, &p.revision, &p.ends, &p.seen, &raw}, func() error {
		p.metadata = rules.Metadata{}
		if err := json.Unmarshal(raw, &p.metadata); err != nil {
			return err
		}
		byRow[row].past = append(byRow[row].past, p)
		return nil
	})
	return out, err
}

// split gives the sources and the paths of documents.
func split(ids []document.ID) (sources, paths []string) {
	sources, paths = make([]string, len(ids)), make([]string, len(ids))
	for i, id := range ids {
		sources[i], paths[i] = clean(id.Source), clean(id.Path)
	}
	return sources, paths
}

func keys[K comparable, V any](m map[K]V) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}

// A time stands in two columns: timestamptz is to the microsecond.
func instant(t time.Time) (seen time.Time, nanos int16) {
	return t.UTC().Truncate(time.Microsecond), int16(t.Nanosecond() % 1000)
}

func timeOf(seen time.Time, nanos int16) time.Time {
	return seen.UTC().Add(time.Duration(nanos))
}
