package local

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// findings writes what extraction reported of a revision, what stands in its text and
// what it is called, in place of what there was if the revision is the same.
func (a *applier) findings(rev int64, same bool, r *store.Revision) error {
	report, err := json.Marshal(r.Extraction)
	if err != nil {
		return err
	}
	if same {
		if err := a.do("DELETE FROM name WHERE revision = ?", rev); err != nil {
			return err
		}
	}
	if r.Forgotten {
		return a.do("DELETE FROM finding WHERE revision = ?", rev)
	}
	if err := a.do("INSERT OR REPLACE INTO finding (revision, suspect, extraction, body) VALUES (?, ?, ?, ?)",
		rev, r.Extraction.Suspect(), string(report), encodeFindings(&r.Findings)); err != nil {
		return err
	}
	for _, name := range r.Names {
		if err := a.do("INSERT INTO name (revision, name) VALUES (?, ?)", rev, name); err != nil {
			return err
		}
	}
	return nil
}

func encodeFindings(f *document.Findings) []byte {
	at := 0
	place := func(b []byte, s document.Span, section int) []byte {
		b = binary.AppendVarint(b, int64(s.From-at))
		at = s.From
		return binary.AppendUvarint(binary.AppendUvarint(b, uint64(s.Len())), uint64(section))
	}
	b := binary.AppendUvarint(nil, uint64(len(f.References)))
	for _, r := range f.References {
		b = appendString(place(b, r.Span, r.Section), string(r.Kind))
		b = appendString(appendString(b, r.Document), r.Place)
		b = append(b, 0)
		if r.Tentative {
			b[len(b)-1] = 1
		}
	}
	b = binary.AppendUvarint(b, uint64(len(f.Labels)))
	for _, l := range f.Labels {
		b = appendString(place(b, l.Span, l.Section), l.Name)
	}
	b = binary.AppendUvarint(b, uint64(len(f.Definitions)))
	for _, d := range f.Definitions {
		b = appendString(appendString(place(b, d.Span, d.Section), string(d.Kind)), d.Term)
		b = binary.AppendVarint(b, int64(d.Meaning.From-d.Span.From))
		b = binary.AppendUvarint(b, uint64(d.Meaning.Len()))
	}
	return seal(b)
}

func decodeFindings(raw []byte) (f document.Findings, err error) {
	d, err := unpack(raw)
	if err != nil {
		return f, err
	}
	at := 0
	place := func() (s document.Span, section int) {
		at += d.signed()
		d.bad = d.bad || at < 0
		return document.Span{From: at, To: at + d.number(math.MaxInt32)}, d.number(math.MaxInt32)
	}
	for n := d.count(); n > 0 && !d.bad; n-- {
		var r document.Reference
		r.Span, r.Section = place()
		r.Kind, r.Document, r.Place = document.ReferenceKind(d.text()), d.text(), d.text()
		r.Tentative = d.number(1) == 1
		f.References = append(f.References, r)
	}
	for n := d.count(); n > 0 && !d.bad; n-- {
		var l document.Label
		l.Span, l.Section = place()
		l.Name = d.text()
		f.Labels = append(f.Labels, l)
	}
	for n := d.count(); n > 0 && !d.bad; n-- {
		var t document.Definition
		t.Span, t.Section = place()
		t.Kind, t.Term = document.DefinitionKind(d.text()), d.text()
		t.Meaning.From = t.Span.From + d.signed()
		t.Meaning.To = t.Meaning.From + d.number(math.MaxInt32)
		f.Definitions = append(f.Definitions, t)
	}
	if err := d.end(); err != nil {
		return document.Findings{}, err
	}
	return f, nil
}

// Extraction implements store.View.
func (v *view) Extraction(ctx context.Context, id document.ID) (e document.Extraction, err error) {
	err = v.finding(ctx, id, "extraction", func(raw []byte) error { return json.Unmarshal(raw, &e) })
	return e, err
}

// Findings implements store.View.
func (v *view) Findings(ctx context.Context, id document.ID) (f document.Findings, err error) {
	err = v.finding(ctx, id, "body", func(raw []byte) error {
		f, err = decodeFindings(raw)
		return err
	})
	return f, err
}

// finding decodes a column of what was found in the revision in force, if anything was.
func (v *view) finding(ctx context.Context, id document.ID, column string, decode func([]byte) error) error {
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return err
	}
	return v.reads(ctx, "reading what was found in a document", func(c *conn) error {
		at, ok, err := v.seenDocument(ctx, c, s, sees, id)
		if err != nil {
			return err
		}
		if !ok || at.revision == nil {
			return notFound{"document " + id.String()}
		}
		if version, err := c.format(ctx); err != nil || version < findingsFormat {
			return err
		}
		var raw []byte
		found, err := c.get(ctx, "SELECT "+column+" FROM finding WHERE revision = ?", []any{at.revision.id}, &raw)
		if err != nil || !found {
			return err
		}
		return decode(raw)
	})
}

// Named implements store.View.
func (v *view) Named(ctx context.Context, name string) ([]document.ID, error) {
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return nil, err
	}
	var out []document.ID
	err = v.reads(ctx, "looking up a name", func(c *conn) error {
		if version, err := c.format(ctx); err != nil || version < findingsFormat {
			return err
		}
		var doc, revision int64
		return c.each(ctx, "SELECT r.document, r.id FROM name n JOIN revision r ON r.id = n.revision WHERE n.name = ?", []any{name}, []any{&doc, &revision}, func() error {
			i, at, ok := s.document(doc)
			if !ok {
				return nil
			}
			if n := sees.chosen[i][at]; n >= 0 && s.segments[i].docs[at].revisions[n].id == revision {
				out = append(out, s.segments[i].docs[at].id)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(out, compareIDs)
	return out, nil
}

func compareIDs(a, b document.ID) int {
	if c := strings.Compare(a.Source, b.Source); c != 0 {
		return c
	}
	return strings.Compare(a.Path, b.Path)
}

// suspects are the revisions, by row, whose extraction has doubts.
func (c *conn) suspects(ctx context.Context) (map[int64]bool, error) {
	out := map[int64]bool{}
	if version, err := c.format(ctx); err != nil || version < findingsFormat {
		return out, err
	}
	var revision int64
	err := c.each(ctx, "SELECT revision FROM finding WHERE suspect = 1", nil, []any{&revision}, func() error {
		out[revision] = true
		return nil
	})
	return out, err
}
