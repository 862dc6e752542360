package local

import (
	"cmp"
	"encoding/hex"
	"math/bits"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// segment is an immutable part of the index: some documents with all their
// revisions. A newer commit of a document stands in a later segment and leaves
// the older one dead (see snapshot).
type segment struct {
	id int64
	contents
	byRow    []int32     // docs by row; nil where they stand in that order
	sections []sectionOf // the rows of outline

	passages    inverted // over rows
	identifiers inverted // over rows
	outline     inverted // over sections
}

// contents is what a segment knows of its documents besides their terms.
type contents struct {
	classes []document.Access
	docs    []doc
	rows    []row
	order   []uint32 // rows by passage id
}

// doc is a document with its revisions in the order they were seen.
type doc struct {
	row       int64
	id        document.ID
	failed    *failed
	revisions []revision
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
	id    int64 // in the table of revisions
	hash  string
	title string
	standing
	authority  int
	tenant     string
	class      int // index into contents.classes
	attributes map[string][]string
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

// row is a passage with one content key and one set of terms.
type row struct {
	number int64  // in the table of passages
	id     string // bytes, not hex
	key    string
	doc    int32
}

type sectionOf struct {
	doc     int32
	section int32
}

func decodeSegment(id int64, raw []byte, p store.BM25) (*segment, error) {
	d, err := unpack(raw)
	if err != nil {
		return nil, err
	}
	g := &segment{id: id}
	g.contents = d.contents()
	if d.bad {
		return nil, d.end()
	}
	for i := range g.docs {
		for _, r := range g.docs[i].revisions {
			for n := range r.count {
				g.sections = append(g.sections, sectionOf{int32(i), int32(n + 1)})
			}
		}
	}
	g.passages = d.inverted(len(g.rows), &p)
	g.identifiers = d.inverted(len(g.rows), nil)
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

// bitset is a set of small numbers; nil is empty.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) has(i uint32) bool { return int(i>>6) < len(b) && b[i>>6]&(1<<(i&63)) != 0 }

func (b bitset) set(i uint32) { b[i>>6] |= 1 << (i & 63) }

func (b bitset) count() (n int) {
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// rowOf finds the row of a passage id, in bytes, among those that are seen: of the
// rows that share an id one revision holds only one.
func (g *segment) rowOf(id string, seen bitset) (uint32, bool) {
	at, _ := slices.BinarySearchFunc(g.order, id, func(row uint32, id string) int { return strings.Compare(g.rows[row].id, id) })
	for ; at < len(g.order) && g.rows[g.order[at]].id == id; at++ {
		if seen.has(g.order[at]) {
			return g.order[at], true
		}
	}
	return 0, false
}

// rawID is a passage id in bytes; "" for what is no id.
func rawID(id document.PassageID) string {
	raw, err := hex.DecodeString(string(id))
	if err != nil {
		return ""
	}
	return string(raw)
}
