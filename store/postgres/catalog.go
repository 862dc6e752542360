package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// query reads all rows of a statement, each scanned into targets.
func query(ctx context.Context, q querier, sql string, args []any, targets []any, fn func() error) error {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return err
	}
	_, err = pgx.ForEachRow(rows, targets, fn)
	return err
}

// States implements store.Catalog.
func (s *Store) States(ctx context.Context, source string) (out []store.State, err error) {
	err = s.reading(ctx, "listing documents", func(tx pgx.Tx) error {
		var st store.State
		var seen time.Time
		var nanos int16
		return query(ctx, tx, `SELECT d.path, coalesce(f.hash, r.hash), coalesce(f.pipeline, r.pipeline), f.document IS NOT NULL, coalesce(f.reason, ''),
				coalesce(f.seen, r.seen), coalesce(f.seen_nanos, r.seen_nanos), coalesce(r.undecided, false), coalesce(n.kept, 0)
			FROM document d LEFT JOIN failure f ON f.document = d.id
			LEFT JOIN (SELECT document, max(id) AS newest, count(*) FILTER (WHERE NOT forgotten) AS kept FROM revision GROUP BY document) n ON n.document = d.id
			LEFT JOIN revision r ON r.id = n.newest
			WHERE d.source = $1 ORDER BY d.path`, []any{clean(source)},
			[]any{&st.Path, &st.Hash, &st.Pipeline, &st.Failed, &st.Reason, &seen, &nanos, &st.Undecided, &st.Revisions}, func() error {
				st.Seen = timeOf(seen, nanos)
				out = append(out, st)
				return nil
			})
	})
	return out, err
}

// Newest implements store.Catalog.
func (s *Store) Newest(ctx context.Context, source string, paths []string, each func(store.Newest) error) error {
	const atOnce = 64 // texts in memory
	return s.reading(ctx, "reading the newest revisions", func(tx pgx.Tx) error {
		for from := 0; from < len(paths); from += atOnce {
			part := cleanAll(paths[from:min(from+atOnce, len(paths))])
			found := map[string]store.Newest{}
			var n store.Newest
			var title, tenant, access *string
			var raw, text []byte
			var first, failedOn *document.Day
			if err := query(ctx, tx, `SELECT d.path, r.title, r.metadata, t.text, (SELECT min(seen_day) FROM revision WHERE document = d.id), f.tenant, c.access, f.seen_day
				FROM document d LEFT JOIN failure f ON f.document = d.id LEFT JOIN class c ON c.id = f.class
				LEFT JOIN revision r ON f.document IS NULL AND r.id = (SELECT max(id) FROM revision WHERE document = d.id)
				LEFT JOIN content t ON t.revision = r.id WHERE d.source = $1 AND d.path = ANY($2)`, []any{clean(source), part},
				[]any{&n.Path, &title, &raw, &text, &first, &tenant, &access, &failedOn}, func() error {
					one := store.Newest{Path: n.Path}
					switch {
					case failedOn != nil:
						one.Failed, one.First, one.Metadata.Tenant = true, *failedOn, *tenant
						if err := json.Unmarshal([]byte(*access), &one.Metadata.Access); err != nil {
							return err
						}
					case title != nil:
						one.Title, one.Text, one.First = *title, string(text), *first
						if err := json.Unmarshal(raw, &one.Metadata); err != nil {
							return err
						}
					default:
						return nil
					}
					found[one.Path] = one
					return nil
				}); err != nil {
				return err
			}
			for _, path := range part {
				if one, ok := found[path]; ok {
					if err := each(one); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// Rings implements store.Catalog.
func (s *Store) Rings(ctx context.Context, source string) (rings [][]string, err error) {
	err = s.reading(ctx, "looking for rings", func(tx pgx.Tx) error {
		byTenant := map[string]map[string][]string{}
		var path, tenant, other string
		err := query(ctx, tx, newestNames+" AND s.path IS NOT NULL", []any{clean(source)}, []any{&path, &tenant, &other}, func() error {
			if byTenant[tenant] == nil {
				byTenant[tenant] = map[string][]string{}
			}
			byTenant[tenant][path] = append(byTenant[tenant][path], other)
			return nil
		})
		rings = rules.Rings(byTenant)
		return err
	})
	return rings, err
}

// Sources implements store.Catalog.
func (s *Store) Sources(ctx context.Context) (out []document.Source, err error) {
	err = s.reading(ctx, "listing sources", func(tx pgx.Tx) error {
		out, err = listSources(ctx, tx)
		return err
	})
	return out, err
}

func listSources(ctx context.Context, q querier) (out []document.Source, err error) {
	var src document.Source
	var root []byte
	err = query(ctx, q, "SELECT name, kind, root FROM source ORDER BY name", nil, []any{&src.Name, &src.Kind, &root}, func() error {
		src.Root = string(root)
		out = append(out, src)
		return nil
	})
	return out, err
}

// Synced implements store.Catalog.
func (s *Store) Synced(ctx context.Context) (map[string]store.Sync, error) {
	out := map[string]store.Sync{}
	err := s.reading(ctx, "listing sources", func(tx pgx.Tx) error {
		var name, note string
		return query(ctx, tx, "SELECT name, synced FROM source WHERE synced IS NOT NULL", nil, []any{&name, &note}, func() error {
			var sync store.Sync
			err := json.Unmarshal([]byte(note), &sync)
			out[name] = sync
			return err
		})
	})
	return out, err
}

// MarkSynced implements store.Catalog.
func (s *Store) MarkSynced(ctx context.Context, source string, note store.Sync) error {
	text, err := json.Marshal(note)
	if err != nil {
		return err
	}
	return s.write(ctx, "noting a sync", func(tx pgx.Tx, _ *counters) error {
		done, err := tx.Exec(ctx, "UPDATE source SET synced = $2 WHERE name = $1", clean(source), clean(string(text)))
		if err == nil && done.RowsAffected() == 0 {
			err = fmt.Errorf("%w: source %s was not added", store.ErrInvalid, source)
		}
		return err
	})
}
