// Package lanes is the index of the Postgres store: it ranks what a view sees by words,
// identifiers, vectors and outline. Its tables are derived from the record and written in the
// same transactions.
//
// Postings lie in rows of one term and one block of 4,096 passages, so that a question reads a few
// hundred small rows by their primary key instead of a row for every passage that holds one of
// its words. BM25 is then summed here, by the formulas of package store, for what can be among
// the best (see best.go). Lists are kept from one question to the next by the versions of their
// blocks (see directory.go). What a view sees is a set of bits for each block, made of the
// (document, revision) pairs that the catalogue's SQL gives, and kept under the key of the scope.
// Vectors are ranked in Postgres itself: over all rows that are seen, or through an HNSW index,
// whichever costs less.
package lanes

import (
	_ "embed"

	"github.com/seed-d3156d19/quarry/store"
)

// Schema makes the tables of the index, in the first schema of the search path. Every table
// has a column tenant.
//
//go:embed schema.sql
var Schema string

// lane says which postings are read. Its values stand in the tables.
type lane int16

const (
	words lane = iota
	identifiers
	outline
)

// sections says that the rows of a lane are sections, not passages.
func (l lane) sections() bool { return l == outline }

// Index is what a process keeps of a store's index. It may be used concurrently.
type Index struct {
	bm25 store.BM25
	// frequency is the weighted frequency that each code of a list stands for.
	frequency [256]float64
	kept      kept
}

// New prepares an index whose words are ranked with the given parameters.
func New(bm25 store.BM25) *Index {
	x := &Index{bm25: bm25}
	x.kept.lists.most, x.kept.identities.most = mostKept, mostIdentities
	for code := range x.frequency {
		x.frequency[code] = weighted(bm25, uncode(byte(code)))
	}
	return x
}

// Reader answers one question of a view, while no other reader of the view reads, but for what apart runs.
type Reader struct {
	index *Index
	q     Querier
	scope *Scope
	apart func(func() error) error
	*Read
}

// Reader begins to answer a question of a view; q reads in a transaction of the view, and read is what
// all its readers have read so far. apart runs what needs neither, and lets others use both meanwhile.
func (x *Index) Reader(q Querier, s *Scope, read *Read, apart func(func() error) error) *Reader {
	return &Reader{index: x, q: q, scope: s, Read: read, apart: apart}
}
