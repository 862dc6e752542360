package local

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/internal/terms"
)

// draft is a segment that is being made: its documents, and the ids and keys of its
// rows.
type draft struct {
	contents
	ids, keys []string
}

// finish puts the segment together with the three indexes over it.
func (c *draft) finish(passages, identifiers, outline []byte) built {
	b := make([]byte, 0, 64*len(c.ids)+160*len(c.docs))
	b = c.append(b)
	b = appendColumn(b, c.ids)
	b = appendColumn(b, c.keys)
	b = appendNumbers(b, c.byID())
	var body strings.Builder
	body.Grow(len(b) + len(passages) + len(identifiers) + len(outline))
	for _, part := range [][]byte{b, passages, identifiers, outline} {
		body.Write(part)
	}
	s := built{body: body.String()}
	for _, d := range c.docs {
		s.docs = append(s.docs, d.row)
	}
	slices.Sort(s.docs)
	s.ids = c.holdersOf(s.docs, func(row uint32) string { return c.ids[row] }, len(c.ids))
	s.keys = c.holdersOf(s.docs, func(row uint32) string { return c.keys[row] }, len(c.keys))
	return s
}

func (c *draft) append(b []byte) []byte {
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
	revisions, places := 0, 0
	for i := range c.docs {
		revisions += len(c.docs[i].revisions)
		for j := range c.docs[i].revisions {
			places += len(c.docs[i].revisions[j].passages)
		}
	}
	b = binary.AppendUvarint(b, uint64(revisions))
	b = binary.AppendUvarint(b, uint64(places))
	b = binary.AppendUvarint(b, uint64(len(c.docs)))
	var last doc
	for i, d := range c.docs {
		next := len(c.ids)
		if i+1 < len(c.docs) {
			next = int(c.docs[i+1].first)
		}
		b = binary.AppendVarint(b, d.row-last.row)
		b = binary.AppendUvarint(b, uint64(next)-uint64(d.first))
		b = terms.AppendFront(b, last.id.Source, d.id.Source)
		b = appendString(b, d.id.Path)
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
	return b
}

func (r *revision) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(r.id))
	for _, s := range []string{r.hash, r.title, r.standingText(), r.tenant} {
		b = appendString(b, s)
	}
	b = binary.AppendVarint(b, int64(r.Valid.From))
	b = binary.AppendVarint(b, int64(r.Valid.To))
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

// standingText is the status, with what few revisions have behind it: what validity was
// inferred from, and that the text is not kept. So all others stay as they were.
func (r *revision) standingText() string {
	s := string(r.Status)
	if r.inferred != "" || r.forgotten {
		s += "\x00" + r.inferred
	}
	if r.forgotten {
		s += "\x00"
	}
	return s
}

func (r *revision) readStanding(s string) {
	status, rest, _ := strings.Cut(s, "\x00")
	r.Status = document.Status(status)
	r.inferred, _, r.forgotten = strings.Cut(rest, "\x00")
}

// byID orders the rows by passage id.
func (c *draft) byID() []uint32 {
	order := make([]uint32, len(c.ids))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(c.ids[a], c.ids[b]) })
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

// contents reads the documents, and how many rows and sections they have. Revisions
// and places stand in one piece each, since a million small ones would cost more to
// make than to read.
func (d *decoder) contents() (c contents, rows, sections int) {
	for n := d.count(); n > 0 && !d.bad; n-- {
		c.classes = append(c.classes, document.Access{Everyone: d.number(1) == 1, Readers: d.strings(), Deny: d.strings()})
	}
	// What each takes at least, in bytes, bounds how many there can be.
	revisions := make([]revision, 0, d.countOf(18))
	places := make([]place, 0, d.countOf(2))
	n := d.countOf(6)
	c.docs = make([]doc, 0, n)
	var last doc
	for i := 0; i < n && !d.bad; i++ {
		last = doc{row: last.row + int64(d.signed()), first: uint32(rows)}
		rows += d.count()
		last.id = document.ID{Source: d.same(c.lastSource()), Path: d.text()}
		if d.number(1) == 1 {
			last.failed = &failed{day: document.Day(d.signed()), hash: d.text(), reason: d.text(), tenant: d.text(), class: d.class(c.classes)}
		}
		from := len(revisions)
		for m := d.count(); m > 0 && !d.bad; m-- {
			var r revision
			r, places = d.revision(c.classes, places, last.first, uint32(rows))
			r.first = uint32(sections)
			sections += r.count
			if d.bad = d.bad || len(revisions) == cap(revisions) || sections > len(d.src); !d.bad {
				revisions = append(revisions, r)
			}
		}
		last.revisions = revisions[from:len(revisions):len(revisions)]
		c.docs = append(c.docs, last)
	}
	return c, rows, sections
}

func (c *contents) lastSource() string {
	if len(c.docs) == 0 {
		return ""
	}
	return c.docs[len(c.docs)-1].id.Source
}

func (d *decoder) class(classes []document.Access) int {
	n := d.number(math.MaxInt32)
	d.bad = d.bad || n >= len(classes)
	return n
}

// revision appends its passages to places; they are rows from first to before end.
func (d *decoder) revision(classes []document.Access, places []place, first, end uint32) (revision, []place) {
	var r revision
	r.id = int64(d.number(math.MaxInt64))
	r.hash, r.title = d.text(), d.text()
	r.readStanding(d.text())
	r.tenant = d.text()
	r.Valid.From, r.Valid.To = document.Day(d.signed()), document.Day(d.signed())
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
	from := len(places)
	var last place
	for n := d.count(); n > 0 && !d.bad; n-- {
		last.row += uint32(d.signed())
		last.section += int32(d.signed())
		if d.bad = d.bad || last.section < 0 || int(last.section) > r.count || last.row < first || last.row >= end || len(places) == cap(places); !d.bad {
			places = append(places, last)
		}
	}
	r.passages = places[from:len(places):len(places)]
	return r, places
}

// read reads the columns of n rows, and sees that the order names rows.
func (g *rows) read(d *decoder) {
	g.ids, g.keys, g.order = d.column(g.n), d.column(g.n), d.numbers(g.n)
}
