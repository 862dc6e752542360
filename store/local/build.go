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
	docs []int64 // the rows of its documents
	body []byte
}

// builder makes segments of documents from the record, without analysing text.
type builder struct {
	ctx context.Context
	*conn
	done []built

	out     contents
	classes map[int64]int // by the class's id
	bytes   int           // of terms, so far
	lists   struct{ passages, identifiers, outline inverting }
}

func newBuilder(ctx context.Context, c *conn) *builder {
	b := &builder{ctx: ctx, conn: c}
	b.begin()
	return b
}

func (b *builder) begin() {
	b.out, b.classes, b.bytes = contents{}, map[int64]int{}, 0
	b.lists.passages, b.lists.identifiers, b.lists.outline = inverting{}, inverting{}, inverting{}
}

func dangling(what string) error {
	return fmt.Errorf("%w: %s hangs on nothing", store.ErrDamaged, what)
}

// build makes segments of the given documents, in their order, as few as
// largestSegment allows.
func (b *builder) build(docs []int64) ([]built, error) {
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
	return b.done, nil
}

func (b *builder) finish() {
	s := built{body: b.out.encodeSegment(b.lists.passages.encode(), b.lists.identifiers.encode(), b.lists.outline.encode())}
	for _, d := range b.out.docs {
		s.docs = append(s.docs, d.row)
	}
	b.done = append(b.done, s)
	b.begin()
}

func (b *builder) document(number int64) error {
	d := doc{row: number}
	found, err := b.get(b.ctx, "SELECT source, path FROM document WHERE id = ?", []any{number}, &d.id.Source, &d.id.Path)
	if err != nil {
		return err
	}
	if !found {
		return dangling("a document")
	}
	var f failed
	var class int64
	found, err = b.get(b.ctx, "SELECT seen_day, hash, reason, tenant, class FROM failure WHERE document = ?", []any{number},
		&f.day, &f.hash, &f.reason, &f.tenant, &class)
	if err != nil {
		return err
	}
	if found {
		if f.class, err = b.class(class); err != nil {
			return err
		}
		d.failed = &f
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
func (b *builder) passages(document int64) (map[int64]uint32, error) {
	rows := map[int64]uint32{}
	r := row{doc: int32(len(b.out.docs))}
	var id, key, terms []byte
	x := &b.lists.passages
	v := visitor{
		lengths: func(n [store.Fields]uint32) { x.lengths = append(x.lengths, n) },
		posting: func(field store.Field, term []byte, frequency int) {
			x.add(term, uint32(len(b.out.rows)-1), field, uint32(frequency))
		},
		identifier: func(value []byte, weight float32) {
			b.lists.identifiers.add(value, uint32(len(b.out.rows)-1), 0, math.Float32bits(weight))
		},
	}
	err := b.each(b.ctx, "SELECT row, id, key, terms FROM passage WHERE document = ? ORDER BY row", []any{document},
		[]any{&r.number, &id, &key, &terms}, func() error {
			rows[r.number] = uint32(len(b.out.rows))
			r.id, r.key = string(id), string(key)
			b.out.rows = append(b.out.rows, r)
			b.bytes += len(terms)
			return decodeTerms(terms, v)
		})
	return rows, err
}

func (b *builder) revisions(d *doc, rows map[int64]uint32) error {
	var class int64
	var r revision
	var metadata, outline, raw []byte
	return b.each(b.ctx, `SELECT r.id, r.hash, r.title, r.valid_from, r.valid_to, r.status, r.authority, r.tenant, r.class, r.metadata, c.outline, c.body
		FROM revision r JOIN content c ON c.revision = r.id WHERE r.document = ? ORDER BY r.id`, []any{d.row},
		[]any{&r.id, &r.hash, &r.title, &r.valid.From, &r.valid.To, &r.status, &r.authority, &r.tenant, &class, &metadata, &outline, &raw},
		func() error {
			r := r
			var err error
			if r.class, err = b.class(class); err != nil {
				return err
			}
			var m struct{ Attributes map[string][]string }
			if err := json.Unmarshal(metadata, &m); err != nil {
				return err
			}
			r.attributes = m.Attributes
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
		})
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
