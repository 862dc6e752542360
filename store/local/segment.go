package local

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// segment is an immutable part of the index in memory: some documents with all
// their revisions. A document lives in one segment; a newer commit of it goes
// to a newer segment and leaves the old one dead (see snapshot).
type segment struct {
	docs    []doc
	byDoc   map[int64]int // document row to index into docs
	classes []document.Access

	rows        []row
	order       []uint32 // rows by passage id
	passages    inverted // over rows
	identifiers inverted // over rows; a posting's weight is the identifier's

	sections []sectionRow
	outline  inverted // over sections
}

// doc is a document with its revisions in the order they were seen.
type doc struct {
	row       int64
	id        document.ID
	failed    document.Day // the day its failure was seen; 0 if it did not fail
	revisions []revision
}

// revision is what decides whether a revision is seen, and what it holds.
type revision struct {
	standing
	tenant     string
	class      int // index into segment.classes
	attributes map[string][]string
	passages   []place // in the order of the text
	lengths    [store.Fields]int
	// Its sections below level 0 are the rows first, first+1, ...
	first   uint32
	count   int
	outline [store.Fields]int // lengths of the sections
}

// place is a passage in a section of a revision.
type place struct {
	row     uint32
	section int32
}

// row is a passage with one context and one set of terms.
type row struct {
	id  string // bytes, not hex
	key string
	doc int32
}

type sectionRow struct {
	doc     int32
	section int32
}

// inverted is an inverted index. A posting's weight is the term's frequency in
// each field times the field's weight, summed: all that BM25 needs of it.
type inverted struct {
	terms   map[string][]posting  // by row, ascending
	growing map[string]*[]posting // what add has added since the last pack
	lengths []float32             // weighted, by row
}

type posting struct {
	row    uint32
	weight float32
}

func newInverted() inverted {
	return inverted{terms: map[string][]posting{}, growing: map[string]*[]posting{}}
}

// add counts a term of the newest row.
func (x *inverted) add(term []byte, row uint32, weight float32) {
	list := x.growing[string(term)]
	if list == nil {
		list = new([]posting)
		x.growing[string(term)] = list
	}
	if n := len(*list); n > 0 && (*list)[n-1].row == row {
		(*list)[n-1].weight += weight // the term stands in several fields
		return
	}
	*list = append(*list, posting{row, weight})
}

// pack moves all postings into one block without room to grow.
func (x *inverted) pack() {
	for term, list := range x.growing {
		x.terms[term] = *list
	}
	x.growing = nil
	total := 0
	for _, list := range x.terms {
		total += len(list)
	}
	block := make([]posting, 0, total)
	for term, list := range x.terms {
		from := len(block)
		block = append(block, list...)
		x.terms[term] = block[from:len(block):len(block)]
	}
}

// find returns the weight of a term in a row; held is false where it is not there.
func (x *inverted) find(term string, row uint32) (weight float32, held bool) {
	list := x.terms[term]
	i, held := slices.BinarySearchFunc(list, row, func(p posting, row uint32) int { return int(int64(p.row) - int64(row)) })
	if !held {
		return 0, false
	}
	return list[i].weight, true
}

// seal makes a segment ready to be searched.
func (g *segment) seal() {
	g.passages.pack()
	g.identifiers.pack()
	g.outline.pack()
	g.order = make([]uint32, len(g.rows))
	for i := range g.order {
		g.order[i] = uint32(i)
	}
	slices.SortFunc(g.order, func(a, b uint32) int { return strings.Compare(g.rows[a].id, g.rows[b].id) })
	g.byDoc = make(map[int64]int, len(g.docs))
	for i := range g.docs {
		g.byDoc[g.docs[i].row] = i
	}
}

// size is what merging the segment costs.
func (g *segment) size() int { return len(g.rows) + len(g.sections) + len(g.docs) }

// bitset is a set of small numbers; nil is empty.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) has(i uint32) bool { return int(i>>6) < len(b) && b[i>>6]&(1<<(i&63)) != 0 }

func (b bitset) set(i uint32) { b[i>>6] |= 1 << (i & 63) }

// rowOf finds the row of a passage id among those that are seen: of the rows that
// share an id, which differ in context or terms, one revision holds only one.
func (g *segment) rowOf(id document.PassageID, seen bitset) (uint32, bool) {
	raw, err := hex.DecodeString(string(id))
	if err != nil {
		return 0, false
	}
	want := string(raw)
	at, _ := slices.BinarySearchFunc(g.order, want, func(row uint32, want string) int { return strings.Compare(g.rows[row].id, want) })
	for ; at < len(g.order) && g.rows[g.order[at]].id == want; at++ {
		if seen.has(g.order[at]) {
			return g.order[at], true
		}
	}
	return 0, false
}
