package local

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// Whole implements store.Catalog, from the record alone.
func (s *Store) Whole(ctx context.Context, source string, paths []string, each func(store.Whole) error) error {
	return s.reading(ctx, "reading whole documents", func(c *conn) error {
		version, err := c.format(ctx)
		if err != nil {
			return err
		}
		r := wholeReader{conn: c, ctx: ctx, findings: version >= findingsFormat}
		for _, path := range paths {
			w, found, err := r.document(document.ID{Source: source, Path: path})
			if err == nil && found {
				err = each(w)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// wholeReader reads documents with all that the record has of them.
type wholeReader struct {
	*conn
	ctx      context.Context
	findings bool // there are findings and names
}

func (r *wholeReader) document(id document.ID) (out store.Whole, found bool, err error) {
	out.Document = id
	var doc int64
	found, err = r.get(r.ctx, "SELECT id FROM document WHERE source = ? AND path = ?", []any{id.Source, id.Path}, &doc)
	if err != nil || !found {
		return out, false, err
	}
	passages, err := r.passages(doc)
	if err != nil {
		return out, false, err
	}
	var rows []int64
	var row int64
	var hash, pipeline, seen, format, title, text string
	var metadata, body, outline []byte
	err = r.each(r.ctx, `SELECT r.id, r.hash, r.pipeline, r.seen, r.format, r.title, r.metadata, c.body, c.outline, c.text
		FROM revision r JOIN content c ON c.revision = r.id WHERE r.document = ? ORDER BY r.id`, []any{doc},
		[]any{&row, &hash, &pipeline, &seen, &format, &title, &metadata, &body, &outline, &text}, func() error {
			rev := store.Revision{Revision: document.Revision{Document: id, Hash: hash, Pipeline: pipeline, Format: format, Title: title, Text: text}}
			rows = append(rows, row)
			err := r.revision(&rev, passages, seen, metadata, body, outline)
			out.Revisions = append(out.Revisions, rev)
			return err
		})
	if err != nil {
		return out, false, err
	}
	for i, row := range rows {
		if err := r.found(&out.Revisions[i], row); err != nil {
			return out, false, err
		}
	}
	out.Failure, err = r.failure(id, doc)
	return out, true, err
}

// wholePassage is what a row of passages has.
type wholePassage struct {
	id    document.PassageID
	key   document.ContentKey
	terms store.Terms
}

func (r *wholeReader) passages(doc int64) (map[int64]wholePassage, error) {
	out := map[int64]wholePassage{}
	var row int64
	var id, key, encoded []byte
	err := r.each(r.ctx, "SELECT row, id, key, terms FROM passage WHERE document = ?", []any{doc}, []any{&row, &id, &key, &encoded}, func() error {
		d, err := unpack(encoded)
		if err != nil {
			return err
		}
		p := wholePassage{id: document.PassageID(hex.EncodeToString(id)), key: document.ContentKey(hex.EncodeToString(key)), terms: d.wholeTerms()}
		out[row] = p
		return d.end()
	})
	return out, err
}

// wholeTerms decodes what appendTerms encodes.
func (d *decoder) wholeTerms() (t store.Terms) {
	d.terms(visitor{
		lengths: func(n [store.Fields]uint32) {
			for f := range n {
				t.Lengths[f] = int(n[f])
			}
		},
		places: func(field store.Field, term []byte, at []uint32) {
			t.Postings = append(t.Postings, store.Posting{Term: string(term), Field: field, Positions: slices.Clone(at)})
		},
		identifier: func(value []byte, weight float32) {
			t.Identifiers = append(t.Identifiers, store.Identifier{Value: string(value), Weight: weight})
		},
	})
	return t
}

// revision fills in what is encoded.
func (r *wholeReader) revision(out *store.Revision, passages map[int64]wholePassage, seen string, metadata, raw, outline []byte) (err error) {
	if out.Seen, err = parseInstant(seen); err != nil {
		return err
	}
	var m rules.Metadata
	if err := json.Unmarshal(metadata, &m); err != nil {
		return err
	}
	out.Metadata, out.Forgotten = m.Metadata, m.Forgotten
	b, err := decodeBody(raw)
	if err == nil {
		err = b.fits(out.Text)
	}
	if err != nil {
		return err
	}
	out.Sections, out.Pages, out.Lines = b.sections, b.pages, b.lines
	d, err := unpack(outline)
	if err != nil {
		return err
	}
	out.Outline = make([]store.Terms, 1, len(b.sections))
	for n := d.count(); n > 0 && !d.bad; n-- {
		out.Outline = append(out.Outline, d.wholeTerms())
	}
	if err := d.end(); err != nil {
		return err
	}
	if len(out.Outline) != len(b.sections) {
		return dangling("a section")
	}
	for n, p := range b.passages {
		held, ok := passages[p.row]
		if !ok {
			return dangling("a passage")
		}
		at := b.passageAt(n, "", "", out.Text)
		at.ID, at.Key = held.id, held.key
		out.Passages, out.Terms = append(out.Passages, at), append(out.Terms, held.terms)
	}
	return nil
}

// found fills in what was found in a revision, if anything was.
func (r *wholeReader) found(out *store.Revision, row int64) error {
	if !r.findings || out.Forgotten {
		return nil
	}
	var report, body []byte
	found, err := r.get(r.ctx, "SELECT extraction, body FROM finding WHERE revision = ?", []any{row}, &report, &body)
	if err == nil && found {
		if err = json.Unmarshal(report, &out.Extraction); err == nil {
			out.Findings, err = decodeFindings(body)
		}
	}
	if err != nil {
		return err
	}
	var name string
	return r.each(r.ctx, "SELECT name FROM name WHERE revision = ? ORDER BY name", []any{row}, []any{&name}, func() error {
		out.Names = append(out.Names, name)
		return nil
	})
}

func (r *wholeReader) failure(id document.ID, doc int64) (*store.Failure, error) {
	f := store.Failure{Document: id}
	var seen string
	var access []byte
	found, err := r.get(r.ctx, `SELECT f.hash, f.pipeline, f.reason, f.seen, f.tenant, c.access FROM failure f JOIN class c ON c.id = f.class
		WHERE f.document = ?`, []any{doc}, &f.Hash, &f.Pipeline, &f.Reason, &seen, &f.Tenant, &access)
	if err != nil || !found {
		return nil, err
	}
	if err := json.Unmarshal(access, &f.Access); err != nil {
		return nil, err
	}
	f.Seen, err = parseInstant(seen)
	return &f, err
}

// VectorsOf implements store.Index.
func (s *Store) VectorsOf(ctx context.Context, model store.Model, keys []document.ContentKey) ([]store.Vectors, error) {
	sorted := slices.Clone(keys)
	slices.Sort(sorted)
	var out []store.Vectors
	err := s.reading(ctx, "reading vectors", func(c *conn) error {
		version, err := c.format(ctx)
		if err != nil {
			return err
		}
		id, err := c.modelRow(ctx, model)
		if err != nil || id == 0 {
			return err
		}
		find := c.floats
		if version < vectorRowsFormat {
			if find, err = c.oldVectors(ctx, id, model.Dims, sorted); err != nil {
				return err
			}
		}
		for _, key := range slices.Compact(sorted) {
			raw, err := hex.DecodeString(string(key))
			if err != nil {
				continue // the key of no passage
			}
			floats, err := find(ctx, id, model.Dims, raw)
			if err != nil {
				return err
			}
			if len(floats) == 0 {
				continue
			}
			v := store.Vectors{Key: key}
			for part := range slices.Chunk(floats, model.Dims) {
				v.Vectors = append(v.Vectors, part)
			}
			out = append(out, v)
		}
		return nil
	})
	return out, err
}

// floats are the vectors of a content key one behind the other, none where it has none.
func (c *conn) floats(ctx context.Context, model int64, dims int, key []byte) ([]float32, error) {
	var sealed []byte
	found, err := c.get(ctx, "SELECT floats FROM vector WHERE model = ? AND key = ?", []any{model, key}, &sealed)
	if err != nil || !found {
		return nil, err
	}
	return decodeFloats(sealed, dims)
}
