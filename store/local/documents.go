package local

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Document implements store.View. A view restricted to a section of the document
// still has its whole text and outline, with the passages of that section.
func (v *view) Document(ctx context.Context, id document.ID, passages bool) (document.Revision, error) {
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return document.Revision{}, err
	}
	var r document.Revision
	err = v.reads(ctx, "reading a document", func(c *conn) error {
		at, ok, err := v.seenDocument(ctx, c, s, sees, id)
		if err != nil {
			return err
		}
		if !ok || at.revision == nil {
			return notFound{"document " + id.String()}
		}
		r, err = v.whole(ctx, c, at.segment, at.doc.id, at.revision, func(row uint32) bool {
			return passages && sees.rows[at.number].has(row)
		})
		return err
	})
	if err != nil {
		return document.Revision{}, err
	}
	return r, nil
}

// whole reads a revision, with those of its passages whose rows are chosen.
func (v *view) whole(ctx context.Context, c *conn, g *segment, id document.ID, rev *revision, chosen func(row uint32) bool) (document.Revision, error) {
	r := document.Revision{Document: id, Hash: rev.hash, Title: rev.title}
	var seen string
	var metadata []byte
	found, err := c.get(ctx, "SELECT pipeline, seen, format, metadata FROM revision WHERE id = ?", []any{rev.id},
		&r.Pipeline, &seen, &r.Format, &metadata)
	if err != nil {
		return r, err
	}
	if !found {
		return r, dangling("a revision")
	}
	if err := json.Unmarshal(metadata, &r.Metadata); err != nil {
		return r, err
	}
	if r.Seen, err = parseInstant(seen); err != nil {
		return r, err
	}
	b, text, err := v.content(ctx, c, g, rev, true)
	if err != nil {
		return r, err
	}
	r.Text, r.Pages, r.Lines, r.Sections = text, slices.Clone(b.pages), slices.Clone(b.lines), append([]document.Section{}, b.sections...)
	for n, p := range rev.passages {
		if chosen(p.row) {
			r.Passages = append(r.Passages, b.passageAt(n, g.idOf(p.row), g.keyOf(p.row), text))
		}
	}
	return r, nil
}

func passageID(raw string) document.PassageID {
	return document.PassageID(hex.EncodeToString([]byte(raw)))
}

func contentKeyOf(raw string) document.ContentKey {
	return document.ContentKey(hex.EncodeToString([]byte(raw)))
}

// Passages implements store.View.
func (v *view) Passages(ctx context.Context, ids []document.PassageID) ([]store.Located, error) {
	s, sees, _, err := v.searchable(ctx)
	if err != nil {
		return nil, err
	}
	spots := make([]spot, len(ids))
	for i, id := range ids {
		var ok bool
		if spots[i], ok = s.find(rawID(id), sees); !ok {
			return nil, notFound{"passage " + string(id)}
		}
	}
	out := make([]store.Located, len(ids))
	// Document by document, so that each is decoded once however many fit into the
	// cache.
	order := make([]int, len(spots))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return spots[a].compare(spots[b]) })
	err = v.reads(ctx, "reading passages", func(c *conn) error {
		for _, i := range order {
			at := spots[i]
			if err := v.locate(ctx, c, s, sees, at, &out[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (v *view) locate(ctx context.Context, c *conn, s *snapshot, sees *visible, at spot, out *store.Located) error {
	h, err := v.held(ctx, c, s, sees, at, true)
	if err != nil {
		return err
	}
	g, r := s.segments[at.segment], h.revision
	p := h.body.passageAt(h.n, g.idOf(at.row), g.keyOf(at.row), h.text)
	section := h.body.sections[p.Section]
	*out = store.Located{Passage: p, Document: h.doc.id, Title: r.title, Revision: r.hash, Heading: section.Path, SectionSpan: section.Span, Pages: h.body.pages, Lines: h.body.lines,
		Authority: r.authority, Status: r.Status, Valid: r.Valid, Inferred: r.inferred, Attributes: r.attributes}
	return nil
}

// heldPassage is the n-th passage of the revision of a document that is seen.
type heldPassage struct {
	doc      *doc
	revision *revision
	n        int
	body     *body
	text     string
}

// held finds which passage a row is; with its document's text if asked.
func (v *view) held(ctx context.Context, c *conn, s *snapshot, sees *visible, at spot, text bool) (h heldPassage, err error) {
	g := s.segments[at.segment]
	doc := g.docOf(at.row)
	h.doc = &g.docs[doc]
	h.revision = &h.doc.revisions[sees.chosen[at.segment][doc]]
	var ok bool
	if h.n, ok = h.revision.find(at.row); !ok {
		return h, dangling("a passage")
	}
	h.body, h.text, err = v.content(ctx, c, g, h.revision, text)
	return h, err
}

// find returns which passage of the revision a row is. Most often rows are in
// the order of the text.
func (r *revision) find(row uint32) (int, bool) {
	if len(r.passages) > 0 {
		if n := int(row) - int(r.passages[0].row); n >= 0 && n < len(r.passages) && r.passages[n].row == row {
			return n, true
		}
	}
	for n, p := range r.passages {
		if p.row == row {
			return n, true
		}
	}
	return 0, false
}

// foundSection is a hit of the outline lane while the best are looked for.
type foundSection struct {
	store.SectionHit
	at spot
}

func worseSection(a, b foundSection) bool {
	switch {
	case a.Score != b.Score:
		return a.Score < b.Score
	case a.Document.Source != b.Document.Source:
		return a.Document.Source > b.Document.Source
	case a.Document.Path != b.Document.Path:
		return a.Document.Path > b.Document.Path
	}
	return a.Section > b.Section
}

// Outline implements store.View.
func (v *view) Outline(ctx context.Context, terms []store.QueryTerm, k int) (store.SectionHits, error) {
	s, sees, counts, err := v.searchable(ctx)
	if err != nil {
		return store.SectionHits{}, err
	}
	q, err := bm25Scorer(s, v.store.bm25, terms, counts, outlineLane, counts.headings, counts.headingsLengths)
	if err != nil {
		return store.SectionHits{}, v.store.wrap("searching", err)
	}
	best := top[foundSection]{k: k, worse: worseSection}
	out := store.SectionHits{}
	least := func() float64 {
		switch {
		case k <= 0:
			return out.Max
		case len(best.kept) < k:
			return math.Inf(-1)
		}
		return best.kept[0].Score
	}
	out.Matched, err = q.run(ctx, s, sees, least, func(i int, row uint32, score float64) {
		g := s.segments[i]
		at := g.sections[row]
		out.Max = max(out.Max, score)
		best.offer(foundSection{store.SectionHit{Document: g.docs[at.doc].id, Section: int(at.section), Score: score}, spot{i, row}})
	})
	if err != nil {
		return store.SectionHits{}, v.store.wrap("searching", err)
	}
	err = v.reads(ctx, "reading outlines", func(c *conn) error {
		for _, hit := range best.best() {
			g := s.segments[hit.at.segment]
			doc := g.sections[hit.at.row].doc
			r := &g.docs[doc].revisions[sees.chosen[hit.at.segment][doc]]
			b, _, err := v.content(ctx, c, g, r, false)
			if err != nil {
				return err
			}
			section := b.sections[hit.Section]
			hit.Heading, hit.Path, hit.Span = section.Heading, section.Path, section.Span
			out.Hits = append(out.Hits, hit.SectionHit)
		}
		return nil
	})
	if err != nil {
		return store.SectionHits{}, err
	}
	return out, nil
}
