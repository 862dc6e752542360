package local

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

// encodeSegment seals contents and the three indexes over them.
func (c *contents) encodeSegment(passages, identifiers, outline []byte) []byte {
	b := make([]byte, 0, len(passages)+len(identifiers)+len(outline)+64*len(c.rows)+64*len(c.docs))
	b = c.append(b)
	b = append(b, passages...)
	b = append(b, identifiers...)
	return seal(append(b, outline...))
}

func (c *contents) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(c.classes)))
	for _, a := range c.classes {
		if a.Everyone {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
		b = appendStrings(b, a.Readers)
		b = appendStrings(b, a.Deny)
	}
	b = binary.AppendUvarint(b, uint64(len(c.docs)))
	var last doc
	for _, d := range c.docs {
		b = binary.AppendVarint(b, d.row-last.row)
		b = appendFront(b, last.id.Source, d.id.Source)
		b = appendFront(b, last.id.Path, d.id.Path)
		if d.failed == nil {
			b = append(b, 0)
		} else {
			b = append(b, 1)
			b = binary.AppendVarint(b, int64(d.failed.day))
			for _, s := range []string{d.failed.hash, d.failed.reason, d.failed.tenant} {
				b = appendString(b, s)
			}
			b = binary.AppendUvarint(b, uint64(d.failed.class))
		}
		b = binary.AppendUvarint(b, uint64(len(d.revisions)))
		for i := range d.revisions {
			b = d.revisions[i].append(b)
		}
		last = d
	}
	return c.appendRows(b)
}

func (r *revision) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(r.id))
	for _, s := range []string{r.hash, r.title, string(r.status), r.tenant} {
		b = appendString(b, s)
	}
	b = binary.AppendVarint(b, int64(r.valid.From))
	b = binary.AppendVarint(b, int64(r.valid.To))
	b = binary.AppendVarint(b, int64(r.authority))
	b = binary.AppendUvarint(b, uint64(r.class))
	b = binary.AppendUvarint(b, uint64(len(r.attributes)))
	for _, key := range slices.Sorted(maps.Keys(r.attributes)) {
		b = appendString(b, key)
		b = appendStrings(b, r.attributes[key])
	}
	for f := range r.lengths {
		b = binary.AppendUvarint(b, uint64(r.lengths[f]))
		b = binary.AppendUvarint(b, uint64(r.outline[f]))
	}
	b = binary.AppendUvarint(b, uint64(r.count))
	b = binary.AppendUvarint(b, uint64(len(r.passages)))
	var last place
	for _, p := range r.passages {
		b = binary.AppendVarint(b, int64(p.row)-int64(last.row))
		b = binary.AppendVarint(b, int64(p.section)-int64(last.section))
		last = p
	}
	return b
}

func (c *contents) appendRows(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(c.rows)))
	var last row
	for _, r := range c.rows {
		b = binary.AppendVarint(b, r.number-last.number)
		b = binary.AppendUvarint(b, uint64(r.doc-last.doc))
		b = appendString(b, r.id)
		b = appendString(b, r.key)
		last = r
	}
	for _, row := range c.byID() {
		b = binary.AppendUvarint(b, uint64(row))
	}
	return b
}

// byID orders the rows by passage id.
func (c *contents) byID() []uint32 {
	order := make([]uint32, len(c.rows))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(c.rows[a].id, c.rows[b].id) })
	return order
}

func appendStrings(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = appendString(b, s)
	}
	return b
}

func (d *decoder) strings() []string {
	var out []string
	for n := d.count(); n > 0 && !d.bad; n-- {
		out = append(out, d.text())
	}
	return out
}

func (d *decoder) contents() contents {
	var c contents
	for n := d.count(); n > 0 && !d.bad; n-- {
		c.classes = append(c.classes, document.Access{Everyone: d.number(1) == 1, Readers: d.strings(), Deny: d.strings()})
	}
	n := d.count()
	c.docs = make([]doc, 0, min(n, 1<<16))
	var last doc
	first, most := 0, 0
	for i := 0; i < n && !d.bad; i++ {
		last = doc{row: last.row + int64(d.signed()), id: document.ID{Source: d.same(last.id.Source), Path: d.same(last.id.Path)}}
		if d.number(1) == 1 {
			last.failed = &failed{day: document.Day(d.signed()), hash: d.text(), reason: d.text(), tenant: d.text(), class: d.class(c.classes)}
		}
		for m := d.count(); m > 0 && !d.bad; m-- {
			r := d.revision(c.classes)
			r.first = uint32(first)
			first += r.count
			// Each section has a length that follows.
			d.bad = d.bad || first > len(d.src)-d.at
			for _, p := range r.passages {
				most = max(most, int(p.row)+1)
			}
			last.revisions = append(last.revisions, r)
		}
		c.docs = append(c.docs, last)
	}
	c.rows = d.rows(len(c.docs))
	d.bad = d.bad || most > len(c.rows)
	c.order = d.order(c.rows)
	return c
}

func (d *decoder) class(classes []document.Access) int {
	n := d.number(math.MaxInt32)
	d.bad = d.bad || n >= len(classes)
	return n
}

func (d *decoder) revision(classes []document.Access) revision {
	var r revision
	r.id = int64(d.number(math.MaxInt64))
	r.hash, r.title, r.status, r.tenant = d.text(), d.text(), document.Status(d.text()), d.text()
	r.valid.From, r.valid.To = document.Day(d.signed()), document.Day(d.signed())
	r.authority, r.class = d.signed(), d.class(classes)
	if n := d.count(); n > 0 {
		r.attributes = map[string][]string{}
		for ; n > 0 && !d.bad; n-- {
			key := d.text()
			r.attributes[key] = d.strings()
		}
	}
	for f := range r.lengths {
		r.lengths[f] = d.number(math.MaxInt64)
		r.outline[f] = d.number(math.MaxInt64)
	}
	r.count = d.count()
	n := d.count()
	r.passages = make([]place, 0, min(n, 1<<16))
	var last place
	for ; n > 0 && !d.bad; n-- {
		last.row += uint32(d.signed())
		last.section += int32(d.signed())
		d.bad = d.bad || last.section < 0 || int(last.section) > r.count
		r.passages = append(r.passages, last)
	}
	return r
}

func (d *decoder) rows(docs int) []row {
	n := d.count()
	out := make([]row, 0, min(n, 1<<20))
	var last row
	for ; n > 0 && !d.bad; n-- {
		last.number += int64(d.signed())
		last.doc += int32(d.number(uint64(docs)))
		last.id, last.key = d.text(), d.text()
		d.bad = d.bad || int(last.doc) >= docs || last.doc < 0
		out = append(out, last)
	}
	return out
}

// order sees that the passage ids ascend.
func (d *decoder) order(rows []row) []uint32 {
	out := make([]uint32, 0, len(rows))
	for i := 0; i < len(rows) && !d.bad; i++ {
		n := d.number(math.MaxUint32)
		if d.bad = d.bad || n >= len(rows); d.bad {
			return nil
		}
		if i > 0 && rows[out[i-1]].id > rows[n].id {
			d.bad = true
		}
		out = append(out, uint32(n))
	}
	return out
}
