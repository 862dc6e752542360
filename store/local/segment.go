package local

import (
	"cmp"
	"encoding/hex"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// segment is an immutable part of the index: some documents with all their
// revisions. A newer commit of a document stands in a later segment and leaves
// the older one dead (see snapshot).
type segment struct {
	id int64
	contents
	rows
	byRow    []int32     // docs by row; nil where they stand in that order
	sections []sectionOf // the rows of outline

	passages    inverted // over rows
	identifiers inverted // over rows
	outline     inverted // over sections

	scopes scopes
}

// contents is what a segment knows of its documents besides their terms.
type contents struct {
	classes []document.Access
	docs    []doc
}

// rows are passages with one content key and one set of terms each, in the order of
// the documents.
type rows struct {
	n     int
	ids   column // bytes, not hex
	keys  column
	order numbers // rows by passage id
}

// doc is a document with its revisions in the order they were seen.
type doc struct {
	row       int64
	id        document.ID
	failed    *failed
	revisions []revision
	first     uint32 // of its rows
}

// failed is a document's latest state, where that is a failure.
type failed struct {
	day    document.Day // when it was seen
	hash   string
	reason string
	tenant string
	class  int // index into contents.classes
}

// revision is what decides whether a revision is seen, and what it holds.
type revision struct {
	id         int64 // in the table of revisions
	hash       string
	title      string
	standing   // Valid and Status
	authority  int
	tenant     string
	class      int // index into contents.classes
	attributes map[string][]string
	inferred   string  // what its validity was inferred from
	forgotten  bool    // it is there without its text
	passages   []place // in the order of the text
	lengths    [store.Fields]int
	// Its sections below level 0 are the rows first, first+1, ... of the outline.
	first   uint32
	count   int
	outline [store.Fields]int // lengths of the sections
}

// place is a passage in a section of a revision.
type place struct {
	row     uint32
	section int32
}

type sectionOf struct {
	doc     int32
	section int32
}

// decodeSegment reads a segment, whose checksum was compared, and keeps body.
func decodeSegment(id int64, body string, p store.BM25) (*segment, error) {
	d := &decoder{src: body}
	g := &segment{id: id}
	var heads int
	g.contents, g.rows.n, heads = d.contents()
	g.rows.read(d)
	if d.bad {
		return nil, d.end()
	}
	g.sections = make([]sectionOf, 0, heads)
	for i := range g.docs {
		for _, r := range g.docs[i].revisions {
			for n := range r.count {
				g.sections = append(g.sections, sectionOf{int32(i), int32(n + 1)})
			}
		}
	}
	g.passages = d.inverted(g.rows.n, &p)
	g.identifiers = d.inverted(g.rows.n, nil)
	g.outline = d.inverted(len(g.sections), &p)
	if err := d.end(); err != nil {
		return nil, err
	}
	if !slices.IsSortedFunc(g.docs, func(a, b doc) int { return cmp.Compare(a.row, b.row) }) {
		g.byRow = make([]int32, len(g.docs))
		for i := range g.byRow {
			g.byRow[i] = int32(i)
		}
		slices.SortFunc(g.byRow, func(a, b int32) int { return cmp.Compare(g.docs[a].row, g.docs[b].row) })
	}
	return g, nil
}

// nth is the n-th document by row.
func (g *segment) nth(n int) int {
	if g.byRow == nil {
		return n
	}
	return int(g.byRow[n])
}

// doc returns the index of a document by its row.
func (g *segment) doc(row int64) (int, bool) {
	low, high := 0, len(g.docs)
	for low < high {
		mid := int(uint(low+high) >> 1)
		if g.docs[g.nth(mid)].row < row {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == len(g.docs) {
		return 0, false
	}
	at := g.nth(low)
	return at, g.docs[at].row == row
}

// end is where the rows of a document end.
func (g *segment) end(doc int) uint32 {
	if doc+1 == len(g.docs) {
		return uint32(g.n)
	}
	return g.docs[doc+1].first
}

// docOf is the document of a row.
func (g *segment) docOf(row uint32) int {
	n, _ := slices.BinarySearchFunc(g.docs, row, func(d doc, row uint32) int {
		if d.first <= row {
			return -1
		}
		return 1
	})
	return n - 1
}

// rowOf finds the row of a passage id, in bytes, among those that are seen: of the
// rows that share an id one revision holds only one.
func (g *rows) rowOf(id string, seen bitset) (uint32, bool) {
	low, high := 0, g.n
	for low < high {
		mid := int(uint(low+high) >> 1)
		if g.idAt(mid) < id {
			low = mid + 1
		} else {
			high = mid
		}
	}
	for ; low < g.n && g.idAt(low) == id; low++ {
		if row := g.order.at(low); seen.has(row) {
			return row, true
		}
	}
	return 0, false
}

// idAt is the n-th passage id in their order.
func (g *rows) idAt(n int) string { return g.idOf(g.order.at(n)) }

// idOf is the passage id of a row, "" where there is no such row.
func (g *rows) idOf(row uint32) string {
	if int(row) >= g.n {
		return ""
	}
	return g.ids.at(int(row))
}

func (g *rows) keyOf(row uint32) string { return g.keys.at(int(row)) }

// rawID is a passage id in bytes; "" for what is no id.
func rawID(id document.PassageID) string {
	raw, err := hex.DecodeString(string(id))
	if err != nil {
		return ""
	}
	return string(raw)
}
