package postgres

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// seen finds the revision in force of a document that the view sees.
func (v *view) seen(ctx context.Context, q querier, id document.ID) (revision int64, err error) {
	err = q.QueryRow(ctx, "SELECT s.revision FROM document d "+v.compiled.seenOf("d.id")+" WHERE d.source = @source AND d.path = @path",
		v.args(pgx.NamedArgs{"source": clean(id.Source), "path": clean(id.Path)})).Scan(&revision)
	if err == pgx.ErrNoRows {
		err = notFound{"document " + id.String()}
	}
	return revision, err
}

// Document implements store.View. A view restricted to a section of the document
// still has its whole text and outline, with the passages of that section.
func (v *view) Document(ctx context.Context, id document.ID, passages bool) (out document.Revision, err error) {
	err = v.reads(ctx, "reading a document", func(q *reading) error {
		revision, err := v.seen(ctx, q, id)
		if err != nil {
			return err
		}
		chosen := "false"
		switch {
		case passages && v.compiled.Passages != nil:
			chosen = "o.passage = ANY(@v_passages)"
		case passages:
			chosen = "true"
		}
		out, err = v.revision(ctx, q, id, revision, chosen)
		return err
	})
	if err != nil {
		return document.Revision{}, err
	}
	return out, nil
}

// revision reads a revision, with those of its passages that a condition on o chooses.
func (v *view) revision(ctx context.Context, q querier, id document.ID, revision int64, chosen string) (document.Revision, error) {
	r := document.Revision{Document: id, Sections: []document.Section{}}
	args := v.args(pgx.NamedArgs{"revision": revision})
	var seen time.Time
	var nanos int16
	var metadata, text []byte
	var pages, lines []int32
	if err := q.QueryRow(ctx, `SELECT r.hash, r.pipeline, r.seen, r.seen_nanos, r.format, r.title, r.metadata, c.text, c.pages, c.lines
		FROM revision r JOIN content c ON c.revision = r.id WHERE r.id = @revision`, args).
		Scan(&r.Hash, &r.Pipeline, &seen, &nanos, &r.Format, &r.Title, &metadata, &text, &pages, &lines); err != nil {
		return r, err
	}
	r.Seen, r.Text, r.Pages, r.Lines = timeOf(seen, nanos), string(text), pagesOf(pages), linesOf(lines)
	if err := json.Unmarshal(metadata, &r.Metadata); err != nil {
		return r, err
	}
	var s document.Section
	if err := query(ctx, q, `SELECT parent, level, heading, number, path, span_from, span_to, body_from, body_to, description
		FROM section WHERE revision = @revision ORDER BY n`, []any{args},
		[]any{&s.Parent, &s.Level, &s.Heading, &s.Number, &s.Path, &s.Span.From, &s.Span.To, &s.Body.From, &s.Body.To, &s.Description}, func() error {
			r.Sections = append(r.Sections, s)
			s.Path = nil
			return nil
		}); err != nil {
		return r, err
	}
	if chosen == "false" {
		return r, nil
	}
	var p document.Passage
	var name, key []byte
	err := query(ctx, q, `SELECT p.name, p.key, p.context, o.section, o.kind, o.span_from, o.span_to, o.tokens
		FROM occurrence o JOIN passage p ON p.id = o.passage WHERE o.revision = @revision AND `+chosen+` ORDER BY o.n`, []any{args},
		[]any{&name, &key, &p.Context, &p.Section, &p.Kind, &p.Span.From, &p.Span.To, &p.Tokens}, func() error {
			p.ID, p.Key, p.Text = passageID(name), document.ContentKey(hex.EncodeToString(key)), p.Span.Of(r.Text)
			r.Passages = append(r.Passages, p)
			return nil
		})
	return r, err
}

func passageID(name []byte) document.PassageID { return document.PassageID(hex.EncodeToString(name)) }

// pagesOf and linesOf read what flatten wrote.
func pagesOf(list []int32) (out document.Pages) {
	for ; len(list) >= 2; list = list[2:] {
		out = append(out, document.PageStart{Page: int(list[0]), Offset: int(list[1])})
	}
	return out
}

func linesOf(list []int32) (out document.Lines) {
	for ; len(list) >= 7; list = list[7:] {
		out = append(out, document.Line{
			Span: document.Span{From: int(list[0]), To: int(list[1])}, Page: int(list[2]),
			Box: document.Box{Left: int(list[3]), Top: int(list[4]), Right: int(list[5]), Bottom: int(list[6])},
		})
	}
	return out
}

// Passages implements store.View.
func (v *view) Passages(ctx context.Context, ids []document.PassageID) ([]store.Located, error) {
	names := make([][]byte, 0, len(ids))
	for _, id := range ids {
		name, err := hex.DecodeString(string(id))
		if err != nil || len(name) == 0 {
			return nil, notFound{"passage " + string(id)}
		}
		names = append(names, name)
	}
	out := make([]store.Located, len(ids))
	err := v.reads(ctx, "reading passages", func(q *reading) error {
		found, err := v.locate(ctx, q, names)
		if err != nil {
			return err
		}
		for i, name := range names {
			l, ok := found[string(name)]
			if !ok {
				return notFound{"passage " + string(ids[i])}
			}
			out[i] = *l
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// locate reads passages that the view sees where they stand, by their names, and then the
// revisions that they are of, each once.
func (v *view) locate(ctx context.Context, q querier, names [][]byte) (map[string]*store.Located, error) {
	found := map[string]*store.Located{}
	of := map[int64][]*store.Located{}
	var revision int64
	var l store.Located
	var name, key, text []byte
	if err := v.asks(ctx, q, `SELECT s.revision, p.name, p.key, p.context, o.section, o.kind, o.span_from, o.span_to, o.tokens,
			e.path, e.span_from, e.span_to, substring(c.text FROM o.span_from + 1 FOR o.span_to - o.span_from)
		FROM (SELECT * FROM passage WHERE tenant = @v_tenant AND name = ANY(@names) OFFSET 0) p `+v.compiled.seenOf("p.document")+`
		JOIN occurrence o ON o.revision = s.revision AND o.passage = p.id
		JOIN section e ON e.revision = s.revision AND e.n = o.section JOIN content c ON c.revision = s.revision
		WHERE `+v.seesPassage(), pgx.NamedArgs{"names": names},
		[]any{&revision, &name, &key, &l.Context, &l.Section, &l.Kind, &l.Span.From, &l.Span.To, &l.Tokens, &l.Heading, &l.SectionSpan.From, &l.SectionSpan.To, &text}, func() error {
			one := l
			l.Heading = nil
			one.ID, one.Key, one.Text = passageID(name), document.ContentKey(hex.EncodeToString(key)), string(text)
			found[string(name)] = &one
			of[revision] = append(of[revision], &one)
			return nil
		}); err != nil {
		return nil, err
	}
	var r store.Located
	var metadata []byte
	var pages, lines []int32
	err := query(ctx, q, `SELECT r.id, d.source, d.path, r.title, r.hash, r.authority, r.status, r.valid_from, r.valid_to, r.metadata, c.pages, c.lines
		FROM revision r JOIN document d ON d.id = r.document JOIN content c ON c.revision = r.id WHERE r.id = ANY($1)`, []any{keys(of)},
		[]any{&revision, &r.Document.Source, &r.Document.Path, &r.Title, &r.Revision, &r.Authority, &r.Status, &r.Valid.From, &r.Valid.To, &metadata, &pages, &lines}, func() error {
			var m document.Metadata
			if err := json.Unmarshal(metadata, &m); err != nil {
				return err
			}
			p, ln := pagesOf(pages), linesOf(lines)
			for _, l := range of[revision] {
				l.Document, l.Title, l.Revision, l.Authority, l.Status, l.Valid = r.Document, r.Title, r.Revision, r.Authority, r.Status, r.Valid
				l.Inferred, l.Attributes, l.Pages, l.Lines = m.Inferred, m.Attributes, p, ln
			}
			return nil
		})
	return found, err
}

// Documents implements store.View.
func (v *view) Documents(ctx context.Context) (out []store.Listed, err error) {
	err = v.reads(ctx, "listing documents", func(q *reading) error {
		out = nil
		models, err := modelRows(ctx, q)
		if err != nil {
			return err
		}
		embedded := "(SELECT NULL::bigint AS document, 0 AS passages, 0 AS vectors)"
		if len(models) > 0 {
			embedded = fmt.Sprintf(`(SELECT s.document, count(*) AS passages, count(*) FILTER (WHERE EXISTS (SELECT FROM %s e WHERE e.key = p.key AND e.tenant = p.tenant)) AS vectors
				FROM %s s JOIN passage p ON %s GROUP BY s.document)`, models[0].table().Name, v.compiled.Seen, v.seesPassage())
		} else if v.compiled.Passages != nil {
			embedded = fmt.Sprintf("(SELECT s.document, count(*) AS passages, 0 AS vectors FROM %s s JOIN passage p ON %s GROUP BY s.document)", v.compiled.Seen, v.seesPassage())
		}
		passages := "r.passages"
		if v.compiled.Passages != nil {
			passages = "coalesce(n.passages, 0)"
		}
		var l store.Listed
		if err := v.asks(ctx, q, `SELECT d.source, d.path, r.title, r.hash, r.status, r.valid_from, r.valid_to, r.inferred, `+passages+`, coalesce(n.vectors, 0), coalesce(f.suspect, false)
			FROM `+v.compiled.Seen+` s JOIN document d ON d.id = s.document JOIN revision r ON r.id = s.revision
			LEFT JOIN finding f ON f.revision = s.revision LEFT JOIN `+embedded+` n ON n.document = s.document`, pgx.NamedArgs{},
			[]any{&l.Document.Source, &l.Document.Path, &l.Title, &l.Revision, &l.Status, &l.Valid.From, &l.Valid.To, &l.Inferred, &l.Passages, &l.Vectors, &l.Suspect}, func() error {
				out = append(out, l)
				return nil
			}); err != nil {
			return err
		}
		failed := store.Listed{Status: "failed"}
		if err := v.asks(ctx, q, v.failures("d.source, d.path, x.hash, x.reason"), pgx.NamedArgs{},
			[]any{&failed.Document.Source, &failed.Document.Path, &failed.Revision, &failed.Error}, func() error {
				out = append(out, failed)
				return nil
			}); err != nil {
			return err
		}
		slices.SortFunc(out, func(a, b store.Listed) int { return compareIDs(a.Document, b.Document) })
		return nil
	})
	return out, err
}

func compareIDs(a, b document.ID) int {
	if c := strings.Compare(a.Source, b.Source); c != 0 {
		return c
	}
	return strings.Compare(a.Path, b.Path)
}
