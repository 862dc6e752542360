package local

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// built is a segment as it is written.
type built struct {
	docs      []int64 // the rows of its documents, ascending
	body      string
	ids, keys []byte // holders, encoded
}

// builder makes segments of documents from the record, without analysing text.
type builder struct {
	ctx context.Context
	*conn
	fresh map[int64]*written // of documents whose passages need not be read
	done  []built

	out     draft
	classes map[int64]int // by the class's id
	bytes   int           // of terms, so far
	term    []byte        // scratch
	lists   struct{ passages, identifiers, outline inverting }
	in      encoding
}

// newBuilder takes the memory of the last one of the connection, if that is done.
func newBuilder(ctx context.Context, c *conn) *builder {
	b := c.builder
	if b == nil {
		b = &builder{conn: c}
	}
	c.builder, b.ctx, b.fresh, b.done = nil, ctx, nil, nil
	b.begin()
	return b
}

func (b *builder) begin() {
	b.out, b.classes, b.bytes = draft{}, map[int64]int{}, 0
	b.lists.passages.reset(true)
	b.lists.identifiers.reset(false)
	b.lists.outline.reset(true)
}

func dangling(what string) error {
	return fmt.Errorf("%w: %s hangs on nothing", store.ErrDamaged, what)
}

// build makes segments of the given documents, in their order, as few as
// largestSegment allows.
func (b *builder) build(docs []int64) ([]built, error) {
	postings, identifiers := 0, 0
	for _, row := range docs {
		if w, ok := b.fresh[row]; ok {
			for i := range w.Terms {
				postings, identifiers = postings+len(w.Terms[i].Postings), identifiers+len(w.Terms[i].Identifiers)
			}
		}
	}
	b.lists.passages.expect(postings)
	b.lists.identifiers.expect(identifiers)
	for _, row := range docs {
		if err := b.document(row); err != nil {
			return nil, err
		}
		if b.bytes > largestSegment/2 {
			b.finish()
		}
	}
	if len(b.out.docs) > 0 {
		b.finish()
	}
	b.fresh, b.conn.builder = nil, b
	return b.done, nil
}

func (b *builder) finish() {
	passages, identifiers, outline := b.lists.passages.encode(&b.in), b.lists.identifiers.encode(&b.in), b.lists.outline.encode(&b.in)
	b.done = append(b.done, b.out.finish(passages, identifiers, outline))
	if cap(b.in.order) > maxKept {
		b.in = encoding{}
	}
	b.begin()
}

func (b *builder) document(number int64) error {
	d := doc{row: number, first: uint32(len(b.out.ids))}
	if w, ok := b.fresh[number]; ok { // which has not failed
		d.id = w.Document
	} else if err := b.state(&d); err != nil {
		return err
	}
	rows, err := b.passages(number)
	if err != nil {
		return err
	}
	if err := b.revisions(&d, rows); err != nil {
		return err
	}
	b.out.docs = append(b.out.docs, d)
	return nil
}

// state reads what a document is called, and its failure.
func (b *builder) state(d *doc) error {
	found, err := b.get(b.ctx, "SELECT source, path FROM document WHERE id = ?", []any{d.row}, &d.id.Source, &d.id.Path)
	if err != nil {
		return err
	}
	if !found {
		return dangling("a document")
	}
	var f failed
	var class int64
	found, err = b.get(b.ctx, "SELECT seen_day, hash, reason, tenant, class FROM failure WHERE document = ?", []any{d.row},
		&f.day, &f.hash, &f.reason, &f.tenant, &class)
	if err != nil || !found {
		return err
	}
	d.failed = &f
	f.class, err = b.class(class)
	return err
}

// class returns the index of an access class of the record.
func (b *builder) class(id int64) (int, error) {
	if at, ok := b.classes[id]; ok {
		return at, nil
	}
	var raw []byte
	found, err := b.get(b.ctx, "SELECT access FROM class WHERE id = ?", []any{id}, &raw)
	if err != nil {
		return 0, err
	}
	var a document.Access
	if !found {
		return 0, dangling("an access class")
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return 0, err
	}
	b.classes[id] = len(b.out.classes)
	b.out.classes = append(b.out.classes, a)
	return b.classes[id], nil
}

// passages indexes the passages of a document, and returns their rows by their
// number in the record.
func (b *builder) passages(doc int64) (map[int64]uint32, error) {
	rows := map[int64]uint32{}
	if w, ok := b.fresh[doc]; ok {
		for i := range w.Passages {
			rows[w.numbers[i]] = uint32(len(b.out.ids))
			b.out.ids, b.out.keys = append(b.out.ids, w.ids[i]), append(b.out.keys, w.keys[i])
			b.terms(&w.Terms[i])
		}
		return rows, nil
	}
	var number int64
	var id, key, terms []byte
	x := &b.lists.passages
	v := visitor{
		lengths: func(n [store.Fields]uint32) { x.lengths = append(x.lengths, n) },
		posting: func(field store.Field, term []byte, frequency int) {
			x.add(term, uint32(len(b.out.ids)-1), field, uint32(frequency))
		},
		identifier: func(value []byte, weight float32) {
			b.lists.identifiers.add(value, uint32(len(b.out.ids)-1), 0, math.Float32bits(weight))
		},
	}
	err := b.each(b.ctx, "SELECT row, id, key, terms FROM passage WHERE document = ? ORDER BY row", []any{doc},
		[]any{&number, &id, &key, &terms}, func() error {
			rows[number] = uint32(len(b.out.ids))
			b.out.ids, b.out.keys = append(b.out.ids, string(id)), append(b.out.keys, string(key))
			b.bytes += len(terms)
			return decodeTerms(terms, v)
		})
	return rows, err
}

// terms indexes the terms of the newest row as they came with the change.
func (b *builder) terms(t *store.Terms) {
	row := uint32(len(b.out.ids) - 1)
	x := &b.lists.passages
	var lengths code
	for f, n := range t.Lengths {
		lengths[f] = uint32(n)
	}
	x.lengths = append(x.lengths, lengths)
	for i := range t.Postings {
		p := &t.Postings[i]
		b.term = append(b.term[:0], p.Term...)
		b.bytes += len(p.Term) + len(p.Positions)
		x.add(b.term, row, p.Field, uint32(len(p.Positions)))
	}
	for _, d := range t.Identifiers {
		b.term = append(b.term[:0], d.Value...)
		b.bytes += len(d.Value)
		b.lists.identifiers.add(b.term, row, 0, math.Float32bits(d.Weight))
	}
}

func (b *builder) revisions(d *doc, rows map[int64]uint32) error {
	var class int64
	var r revision
	var metadata, outline, raw []byte
	if w, ok := b.fresh[d.row]; ok {
		r = revision{id: w.row, hash: w.Hash, title: w.Title, standing: standing{Valid: w.valid, Status: w.recorded.Status},
			authority: w.Metadata.Authority, tenant: w.Metadata.Tenant}
		return b.revision(d, rows, r, w.class, w.metadata, w.outline, w.body)
	}
	return b.each(b.ctx, `SELECT r.id, r.hash, r.title, r.valid_from, r.valid_to, r.status, r.authority, r.tenant, r.class, r.metadata, c.outline, c.body
		FROM revision r JOIN content c ON c.revision = r.id WHERE r.document = ? ORDER BY r.id`, []any{d.row},
		[]any{&r.id, &r.hash, &r.title, &r.Valid.From, &r.Valid.To, &r.Status, &r.authority, &r.tenant, &class, &metadata, &outline, &raw},
		func() error { return b.revision(d, rows, r, class, metadata, outline, raw) })
}

// revision adds one whose columns stand in r, with the rest of it as it is encoded.
func (b *builder) revision(d *doc, rows map[int64]uint32, r revision, class int64, metadata, outline, raw []byte) (err error) {
	if r.class, err = b.class(class); err != nil {
		return err
	}
	var m struct {
		Attributes map[string][]string
		Inferred   string
		Forgotten  bool
	}
	if err := json.Unmarshal(metadata, &m); err != nil {
		return err
	}
	r.attributes, r.inferred, r.forgotten = m.Attributes, m.Inferred, m.Forgotten
	content, err := decodeBody(raw)
	if err != nil {
		return err
	}
	if err := b.sections(&r, outline); err != nil {
		return err
	}
	if r.count != len(content.sections)-1 {
		return dangling("a section")
	}
	r.passages = make([]place, 0, len(content.passages))
	for _, p := range content.passages {
		at, ok := rows[p.row]
		if !ok {
			return dangling("a passage")
		}
		r.passages = append(r.passages, place{at, int32(p.section)})
		for f, n := range b.lists.passages.lengths[at] {
			r.lengths[f] += int(n)
		}
	}
	d.revisions = append(d.revisions, r)
	return nil
}

// sections indexes the outline of a revision below level 0.
func (b *builder) sections(r *revision, outline []byte) error {
	x := &b.lists.outline
	b.bytes += len(outline)
	return decodeOutline(outline, visitor{
		lengths: func(n [store.Fields]uint32) {
			r.count++
			x.lengths = append(x.lengths, n)
			for f := range n {
				r.outline[f] += int(n[f])
			}
		},
		posting: func(field store.Field, term []byte, frequency int) {
			x.add(term, uint32(len(x.lengths)-1), field, uint32(frequency))
		},
		identifier: func([]byte, float32) {},
	})
}
