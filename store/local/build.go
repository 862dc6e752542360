package local

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// delta is what changed after some commit.
type delta struct {
	segment *segment
	gone    []int64 // document rows that changed or were removed
	vectors map[store.Model]layer
}

// layer holds vectors by content key, the windows one behind the other; nil
// says that the key has none any more.
type layer map[string][]float32

// builder reads a delta from the file.
type builder struct {
	bm25    store.BM25
	out     *segment
	docs    map[int64]int       // document row to index
	classes map[int64]int       // class id to index
	rows    map[int64]uint32    // passage row to row
	revs    map[int64]*revised  // revision id
	names   map[string]string   // content keys shared by passages
	lengths [][store.Fields]int // of rows, while occurrences are read
}

type revised struct{ doc, revision int }

func newBuilder(bm25 store.BM25) *builder {
	return &builder{
		bm25:    bm25,
		out:     &segment{passages: newInverted(), identifiers: newInverted(), outline: newInverted()},
		docs:    map[int64]int{},
		classes: map[int64]int{},
		rows:    map[int64]uint32{},
		revs:    map[int64]*revised{},
		names:   map[string]string{},
	}
}

func dangling(what string) error {
	return fmt.Errorf("%w: %s hangs on nothing", store.ErrDamaged, what)
}

// load reads everything that changed after a commit; -1 reads all.
func (b *builder) load(ctx context.Context, c *conn, after int64) (*delta, error) {
	d := &delta{segment: b.out, vectors: map[store.Model]layer{}}
	for _, step := range []func(context.Context, *conn, int64) error{b.documents, b.revisions, b.passages, b.occurrences} {
		if err := step(ctx, c, after); err != nil {
			return nil, err
		}
	}
	b.out.seal()
	var row int64
	if err := c.each(ctx, "SELECT id FROM document WHERE changed > ?1 UNION ALL SELECT document FROM tombstone WHERE changed > ?1",
		[]any{after}, []any{&row}, func() error { d.gone = append(d.gone, row); return nil }); err != nil {
		return nil, err
	}
	return d, b.vectors(ctx, c, after, d)
}

func (b *builder) documents(ctx context.Context, c *conn, after int64) error {
	var d doc
	return c.each(ctx, `SELECT d.id, d.source, d.path, coalesce(f.seen_day, 0) FROM document d
		LEFT JOIN failure f ON f.document = d.id WHERE d.changed > ? ORDER BY d.id`, []any{after},
		[]any{&d.row, &d.id.Source, &d.id.Path, &d.failed}, func() error {
			b.docs[d.row] = len(b.out.docs)
			b.out.docs = append(b.out.docs, d)
			return nil
		})
}

func (b *builder) revisions(ctx context.Context, c *conn, after int64) error {
	var r revision
	var id, document, class int64
	var metadata, access, outline []byte
	return c.each(ctx, `SELECT r.id, r.document, r.valid_from, r.valid_to, r.status, r.tenant, r.class, k.access, r.metadata, r.outline
		FROM document d JOIN revision r ON r.document = d.id JOIN class k ON k.id = r.class WHERE d.changed > ? ORDER BY r.document, r.id`,
		[]any{after}, []any{&id, &document, &r.valid.From, &r.valid.To, &r.status, &r.tenant, &class, &access, &metadata, &outline},
		func() error {
			at, ok := b.docs[document]
			if !ok {
				return dangling("a revision")
			}
			var err error
			if r.class, err = b.class(class, access); err != nil {
				return err
			}
			var m struct{ Attributes map[string][]string }
			if err := json.Unmarshal(metadata, &m); err != nil {
				return err
			}
			r.attributes = m.Attributes
			if err := b.sections(&r, at, outline); err != nil {
				return err
			}
			d := &b.out.docs[at]
			b.revs[id] = &revised{at, len(d.revisions)}
			d.revisions = append(d.revisions, r)
			return nil
		})
}

func (b *builder) class(id int64, access []byte) (int, error) {
	if at, ok := b.classes[id]; ok {
		return at, nil
	}
	var a document.Access
	if err := json.Unmarshal(access, &a); err != nil {
		return 0, err
	}
	b.classes[id] = len(b.out.classes)
	b.out.classes = append(b.out.classes, a)
	return b.classes[id], nil
}

// sections indexes the outline of a revision below level 0.
func (b *builder) sections(r *revision, at int, outline []byte) error {
	x := &b.out.outline
	r.first, r.count, r.outline = uint32(len(b.out.sections)), 0, [store.Fields]int{}
	now := -1
	return decodeOutline(outline, func(section int) {
		if now = section; section > 0 {
			b.out.sections = append(b.out.sections, sectionRow{int32(at), int32(section)})
			r.count++
		}
	}, visitor{
		lengths: func(n [store.Fields]int) {
			if now == 0 {
				return
			}
			x.lengths = append(x.lengths, float32(b.bm25.Length(n)))
			for f := range n {
				r.outline[f] += n[f]
			}
		},
		posting: func(field store.Field, term []byte, frequency int) {
			if now > 0 {
				x.add(term, uint32(len(b.out.sections)-1), float32(b.bm25.Weights[field]*float64(frequency)))
			}
		},
		identifier: func([]byte, float32) {},
	})
}

func (b *builder) passages(ctx context.Context, c *conn, after int64) error {
	var number, document int64
	var id, key, terms []byte
	g := b.out
	v := visitor{
		posting: func(field store.Field, term []byte, frequency int) {
			g.passages.add(term, uint32(len(g.rows)-1), float32(b.bm25.Weights[field]*float64(frequency)))
		},
		identifier: func(value []byte, weight float32) { g.identifiers.add(value, uint32(len(g.rows)-1), weight) },
	}
	v.lengths = func(n [store.Fields]int) {
		g.passages.lengths = append(g.passages.lengths, float32(b.bm25.Length(n)))
		b.lengths = append(b.lengths, n)
	}
	return c.each(ctx, `SELECT p.row, p.document, p.id, p.key, p.terms FROM document d JOIN passage p ON p.document = d.id
		WHERE d.changed > ? ORDER BY p.document, p.row`, []any{after}, []any{&number, &document, &id, &key, &terms}, func() error {
		at, ok := b.docs[document]
		if !ok {
			return dangling("a passage")
		}
		b.rows[number] = uint32(len(g.rows))
		g.rows = append(g.rows, row{id: string(id), key: b.share(key), doc: int32(at)})
		return decodeTerms(terms, v)
	})
}

// share keeps one copy of equal content keys.
func (b *builder) share(key []byte) string {
	if s, ok := b.names[string(key)]; ok {
		return s
	}
	s := string(key)
	b.names[s] = s
	return s
}

func (b *builder) occurrences(ctx context.Context, c *conn, after int64) error {
	var rev, passage int64
	var section int32
	return c.each(ctx, `SELECT o.revision, o.passage, o.section FROM document d JOIN revision r ON r.document = d.id
		JOIN occurrence o ON o.revision = r.id WHERE d.changed > ? ORDER BY o.revision, o.ordinal`, []any{after},
		[]any{&rev, &passage, &section}, func() error {
			at, ok := b.revs[rev]
			if !ok {
				return dangling("an occurrence")
			}
			number, ok := b.rows[passage]
			if !ok {
				return dangling("an occurrence")
			}
			r := &b.out.docs[at.doc].revisions[at.revision]
			r.passages = append(r.passages, place{number, section})
			for f, n := range b.lengths[number] {
				r.lengths[f] += n
			}
			return nil
		})
}

// vectors reads the vectors that were stored after a commit, and what there is
// for every passage of the documents that changed: a content key that was gone
// in between has lost its vectors.
func (b *builder) vectors(ctx context.Context, c *conn, after int64, d *delta) error {
	models := map[int64]store.Model{}
	var id int64
	var m store.Model
	if err := c.each(ctx, "SELECT id, name, dims FROM model", nil, []any{&id, &m.Name, &m.Dims}, func() error {
		models[id], d.vectors[m] = m, layer{}
		if after >= 0 {
			for key := range b.names {
				d.vectors[m][key] = nil
			}
		}
		return nil
	}); err != nil {
		return err
	}
	var key, windows []byte
	return c.each(ctx, `SELECT model, key, windows FROM vector WHERE changed > ?1 OR (?1 >= 0 AND key IN
		(SELECT p.key FROM document d JOIN passage p ON p.document = d.id WHERE d.changed > ?1))`, []any{after},
		[]any{&id, &key, &windows}, func() error {
			m, ok := models[id]
			if !ok {
				return dangling("a vector")
			}
			v, err := decodeWindows(windows, m.Dims)
			if err != nil {
				return err
			}
			d.vectors[m][string(key)] = v
			return nil
		})
}
