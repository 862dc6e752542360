package local

import (
	"context"
	"encoding/hex"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Document implements store.View. A view restricted to a section of the document
// still has its whole text and outline, with the passages of that section.
func (v *view) Document(ctx context.Context, id document.ID, passages bool) (document.Revision, error) {
	var r document.Revision
	err := v.reads(ctx, "reading a document", func(c *conn) error {
		h, err := v.held(ctx, c, id)
		if err != nil {
			return err
		}
		r = document.Revision{Document: h.id, Hash: h.hash, Title: h.title, Metadata: h.metadata}
		var seen string
		found, err := c.get(ctx, "SELECT pipeline, seen, format, text FROM revision WHERE id = ?", []any{h.revision},
			&r.Pipeline, &seen, &r.Format, &r.Text)
		if err != nil {
			return err
		}
		if !found {
			return dangling("a revision")
		}
		if r.Seen, err = parseInstant(seen); err != nil {
			return err
		}
		if r.Sections, err = h.outline(ctx, c); err != nil || !passages {
			return err
		}
		r.Passages, err = v.passagesOf(ctx, c, h, len(r.Text))
		return err
	})
	if err != nil {
		return document.Revision{}, err
	}
	return r, nil
}

// passageColumns are what scanPassage reads.
const passageColumns = "p.id, p.key, p.kind, p.context, p.text, p.tokens, o.section, o.start, o.stop"

type scanned struct {
	document.Passage
	id, key []byte
}

func (p *scanned) into() []any {
	return []any{&p.id, &p.key, &p.Kind, &p.Context, &p.Text, &p.Tokens, &p.Section, &p.Span.From, &p.Span.To}
}

func (p *scanned) passage(sections int) (document.Passage, error) {
	if p.Section < 0 || p.Section >= sections || p.Span.Len() != len(p.Text) || p.Span.From < 0 {
		return document.Passage{}, dangling("a passage")
	}
	out := p.Passage
	out.ID = document.PassageID(hex.EncodeToString(p.id))
	out.Key = document.ContentKey(hex.EncodeToString(p.key))
	return out, nil
}

func (v *view) passagesOf(ctx context.Context, c *conn, h *held, length int) ([]document.Passage, error) {
	var out []document.Passage
	var p scanned
	err := c.each(ctx, "SELECT "+passageColumns+" FROM occurrence o JOIN passage p ON p.row = o.passage WHERE o.revision = ? ORDER BY o.ordinal",
		[]any{h.revision}, p.into(), func() error {
			if !v.holdsSection(h.id, p.Section) {
				return nil
			}
			passage, err := p.passage(h.headings + 1)
			if err == nil && passage.Span.To > length {
				err = dangling("a passage")
			}
			out = append(out, passage)
			return err
		})
	return out, err
}

// Passages implements store.View.
func (v *view) Passages(ctx context.Context, ids []document.PassageID) ([]store.Located, error) {
	out := make([]store.Located, 0, len(ids))
	err := v.reads(ctx, "reading passages", func(c *conn) error {
		for _, id := range ids {
			l, err := v.locate(ctx, c, id)
			if err != nil {
				return err
			}
			out = append(out, l)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (v *view) locate(ctx context.Context, c *conn, id document.PassageID) (store.Located, error) {
	missing := notFound{"passage " + string(id)}
	raw, err := hex.DecodeString(string(id))
	if err != nil {
		return store.Located{}, missing
	}
	var at document.ID
	found, err := c.get(ctx, "SELECT d.source, d.path FROM passage p JOIN document d ON d.id = p.document WHERE p.id = ? LIMIT 1",
		[]any{raw}, &at.Source, &at.Path)
	if err != nil {
		return store.Located{}, err
	}
	if !found {
		return store.Located{}, missing
	}
	h, err := v.held(ctx, c, at)
	if asNotFound(err) != nil {
		return store.Located{}, missing
	}
	if err != nil {
		return store.Located{}, err
	}
	var p scanned
	found, err = c.get(ctx, "SELECT "+passageColumns+" FROM passage p JOIN occurrence o ON o.passage = p.row WHERE p.id = ? AND o.revision = ?",
		[]any{raw, h.revision}, p.into()...)
	if err != nil {
		return store.Located{}, err
	}
	if !found || !v.holdsSection(at, p.Section) {
		return store.Located{}, missing
	}
	outline, err := h.outline(ctx, c)
	if err != nil {
		return store.Located{}, err
	}
	passage, err := p.passage(len(outline))
	if err != nil {
		return store.Located{}, err
	}
	section := outline[passage.Section]
	return store.Located{
		Passage: passage, Document: h.id, Title: h.title, Revision: h.hash, Heading: section.Path, SectionSpan: section.Span,
		Authority: h.metadata.Authority, Status: h.status, Valid: h.valid, Attributes: h.metadata.Attributes,
	}, nil
}

// Outline implements store.View.
func (v *view) Outline(ctx context.Context, terms []store.QueryTerm, k int) (store.SectionHits, error) {
	s, sees, counts, err := v.searchable(ctx)
	if err != nil {
		return store.SectionHits{}, err
	}
	q := bm25Scorer(s, v.store.bm25, terms, counts, outlineLane, counts.headings, counts.headingsLengths)
	best := top[store.SectionHit]{k: k, worse: func(a, b store.SectionHit) bool {
		switch {
		case a.Score != b.Score:
			return a.Score < b.Score
		case a.Document.Source != b.Document.Source:
			return a.Document.Source > b.Document.Source
		case a.Document.Path != b.Document.Path:
			return a.Document.Path > b.Document.Path
		}
		return a.Section > b.Section
	}}
	var out store.SectionHits
	err = q.run(ctx, s, sees, func(i int, row uint32, score float64) {
		g := s.segments[i]
		at := g.sections[row]
		out.Matched++
		out.Max = max(out.Max, score)
		best.offer(store.SectionHit{Document: g.docs[at.doc].id, Section: int(at.section), Score: score})
	})
	if err != nil {
		return store.SectionHits{}, err
	}
	out.Hits = best.best()
	err = v.reads(ctx, "reading outlines", func(c *conn) error {
		for i := range out.Hits {
			hit := &out.Hits[i]
			h, err := v.held(ctx, c, hit.Document)
			if err != nil {
				return err
			}
			outline, err := h.outline(ctx, c)
			if err != nil {
				return err
			}
			section := outline[hit.Section]
			hit.Heading, hit.Path, hit.Span = section.Heading, section.Path, section.Span
		}
		return nil
	})
	if err != nil {
		return store.SectionHits{}, err
	}
	return out, nil
}
