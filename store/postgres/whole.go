package postgres

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
	"github.com/seed-d3156d19/quarry/store/internal/terms"
)

// Whole implements store.Catalog, a document in one exchange with the server.
func (s *Store) Whole(ctx context.Context, source string, paths []string, each func(store.Whole) error) error {
	return s.reading(ctx, "reading whole documents", func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, "SELECT id, path FROM document WHERE source = $1 AND path = ANY($2)", clean(source), cleanAll(paths))
		if err != nil {
			return err
		}
		found := map[string]int64{}
		var id int64
		var path string
		if _, err := pgx.ForEachRow(rows, []any{&id, &path}, func() error { found[path] = id; return nil }); err != nil {
			return err
		}
		for _, path := range paths {
			row, ok := found[path]
			if !ok {
				continue
			}
			w := wholeReader{whole: store.Whole{Document: document.ID{Source: source, Path: path}}, at: map[int64]int{}}
			err := w.read(ctx, tx, row)
			if err == nil {
				err = each(w.whole)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// wholeReader puts a document together from its rows.
type wholeReader struct {
	whole store.Whole
	at    map[int64]int // where a revision stands in whole, by its row
}

func (w *wholeReader) read(ctx context.Context, tx pgx.Tx, row int64) error {
	var batch pgx.Batch
	for _, q := range []struct {
		query string
		each  func(pgx.Rows) error
	}{
		{`SELECT r.id, r.hash, r.pipeline, r.seen, r.seen_nanos, r.format, r.title, r.metadata, c.text, c.pages, c.lines
			FROM revision r JOIN content c ON c.revision = r.id WHERE r.document = $1 ORDER BY r.id`, w.revisions},
		{`SELECT revision, parent, level, heading, number, path, span_from, span_to, body_from, body_to, description, terms
			FROM section WHERE document = $1 ORDER BY revision, n`, w.sections},
		{`SELECT o.revision, p.name, p.key, o.section, o.kind, p.context, o.span_from, o.span_to, o.tokens, p.terms
			FROM revision r JOIN occurrence o ON o.revision = r.id JOIN passage p ON p.id = o.passage WHERE r.document = $1 ORDER BY o.revision, o.n`, w.passages},
		{"SELECT f.revision, f.extraction, f.findings FROM revision r JOIN finding f ON f.revision = r.id WHERE r.document = $1", w.findings},
		{"SELECT n.revision, n.name FROM revision r JOIN name n ON n.revision = r.id WHERE r.document = $1 ORDER BY n.revision, n.name", w.names},
		{"SELECT f.hash, f.pipeline, f.reason, f.seen, f.seen_nanos, f.tenant, c.access FROM failure f JOIN class c ON c.id = f.class WHERE f.document = $1", w.failure},
	} {
		batch.Queue(q.query, row).Query(q.each)
	}
	return tx.SendBatch(ctx, &batch).Close()
}

func (w *wholeReader) revisions(rows pgx.Rows) error {
	var id int64
	var hash, pipeline, format, title string
	var seen time.Time
	var nanos int16
	var metadata, text []byte
	var pages, lines []int32
	_, err := pgx.ForEachRow(rows, []any{&id, &hash, &pipeline, &seen, &nanos, &format, &title, &metadata, &text, &pages, &lines}, func() error {
		var m rules.Metadata
		if err := json.Unmarshal(metadata, &m); err != nil {
			return fmt.Errorf("%w: %v", store.ErrDamaged, err)
		}
		r := store.Revision{Forgotten: m.Forgotten, Revision: document.Revision{Document: w.whole.Document, Hash: hash, Pipeline: pipeline, Seen: timeOf(seen, nanos),
			Format: format, Title: title, Metadata: m.Metadata, Text: string(text), Pages: pagesOf(pages), Lines: linesOf(lines)}}
		w.at[id] = len(w.whole.Revisions)
		w.whole.Revisions = append(w.whole.Revisions, r)
		return nil
	})
	return err
}

// of is the revision of a row; nothing may hang on another.
func (w *wholeReader) of(row int64) (*store.Revision, error) {
	n, ok := w.at[row]
	if !ok {
		return nil, fmt.Errorf("%w: a row hangs on a revision that is not there", store.ErrDamaged)
	}
	return &w.whole.Revisions[n], nil
}

func (w *wholeReader) sections(rows pgx.Rows) error {
	var revision int64
	var s document.Section
	var encoded []byte
	_, err := pgx.ForEachRow(rows, []any{&revision, &s.Parent, &s.Level, &s.Heading, &s.Number, &s.Path, &s.Span.From, &s.Span.To, &s.Body.From, &s.Body.To, &s.Description, &encoded}, func() error {
		r, err := w.of(revision)
		if err != nil {
			return err
		}
		var t store.Terms
		if len(r.Sections) > 0 { // the document itself is not searched
			if t, err = terms.Decode(encoded); err != nil {
				return err
			}
		}
		r.Sections, r.Outline = append(r.Sections, s), append(r.Outline, t)
		s.Path = nil // scanned into anew
		return nil
	})
	return err
}

func (w *wholeReader) passages(rows pgx.Rows) error {
	var revision int64
	var name, key, encoded []byte
	var p document.Passage
	_, err := pgx.ForEachRow(rows, []any{&revision, &name, &key, &p.Section, &p.Kind, &p.Context, &p.Span.From, &p.Span.To, &p.Tokens, &encoded}, func() error {
		r, err := w.of(revision)
		if err != nil {
			return err
		}
		t, err := terms.Decode(encoded)
		if err != nil {
			return err
		}
		p.ID, p.Key, p.Text = document.PassageID(hex.EncodeToString(name)), document.ContentKey(hex.EncodeToString(key)), p.Span.Of(r.Text)
		r.Passages, r.Terms = append(r.Passages, p), append(r.Terms, t)
		return nil
	})
	return err
}

func (w *wholeReader) findings(rows pgx.Rows) error {
	var revision int64
	var report, found []byte
	_, err := pgx.ForEachRow(rows, []any{&revision, &report, &found}, func() error {
		r, err := w.of(revision)
		if err == nil {
			err = json.Unmarshal(report, &r.Extraction)
		}
		if err == nil {
			err = json.Unmarshal(found, &r.Findings)
		}
		return err
	})
	return err
}

func (w *wholeReader) names(rows pgx.Rows) error {
	var revision int64
	var name string
	_, err := pgx.ForEachRow(rows, []any{&revision, &name}, func() error {
		r, err := w.of(revision)
		if err == nil {
			r.Names = append(r.Names, name)
		}
		return err
	})
	return err
}

func (w *wholeReader) failure(rows pgx.Rows) error {
	f := store.Failure{Document: w.whole.Document}
	var seen time.Time
	var nanos int16
	var access string
	_, err := pgx.ForEachRow(rows, []any{&f.Hash, &f.Pipeline, &f.Reason, &seen, &nanos, &f.Tenant, &access}, func() error {
		f.Seen = timeOf(seen, nanos)
		w.whole.Failure = &f
		return json.Unmarshal([]byte(access), &f.Access)
	})
	return err
}

// VectorsOf implements store.Index. Tenants that have the same content have the same vectors.
func (s *Store) VectorsOf(ctx context.Context, model store.Model, keys []document.ContentKey) ([]store.Vectors, error) {
	raw := make([][]byte, 0, len(keys))
	for _, key := range keys {
		if b, err := hex.DecodeString(string(key)); err == nil {
			raw = append(raw, b)
		}
	}
	var out []store.Vectors
	err := s.reading(ctx, "reading vectors", func(tx pgx.Tx) error {
		table, ok, err := vectorTable(ctx, tx, model)
		if err != nil || !ok {
			return err
		}
		rows, err := tx.Query(ctx, "SELECT DISTINCT ON (key, no) key, no, embedding::real[] FROM "+table+" WHERE key = ANY($1) ORDER BY key, no, tenant", raw)
		if err != nil {
			return err
		}
		var key []byte
		var no int
		var floats []float32
		_, err = pgx.ForEachRow(rows, []any{&key, &no, &floats}, func() error {
			name := document.ContentKey(hex.EncodeToString(key))
			if len(out) == 0 || out[len(out)-1].Key != name {
				out = append(out, store.Vectors{Key: name})
			}
			last := &out[len(out)-1]
			last.Vectors = append(last.Vectors, slices.Clone(floats))
			return nil
		})
		return err
	})
	return out, err
}
