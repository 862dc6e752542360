// Package engine holds the engines that are compared, each behind the same few
// functions, and the two processes in which each is measured: one that builds its
// index and one that answers from it.
package engine

import (
	"context"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// Engine is one of those that are compared.
type Engine struct {
	Name  string
	Lanes []measure.Lane // in the order in which they are opened
	// build makes the index in the folder, each part within a call of part, which
	// measures it.
	build func(ctx context.Context, files corpus.Files, dir string, part func(name string, do func() error) error) error
	// Open opens what build made.
	Open func(ctx context.Context, dir string) (Index, error)
	// size is that of the index in bytes; nil where it lies in the folder.
	size func(ctx context.Context) (int64, error)
}

// Index answers questions. Search may be called concurrently.
type Index interface {
	Search(ctx context.Context, lane measure.Lane, q corpus.Question, filter string, k int) ([]measure.Hit, error)
	Close() error
}

// Changer is an index that finds a change by keyword.
type Changer interface {
	// Change makes a document durable and visible whose first passage has changed.
	Change(ctx context.Context, d corpus.Document) error
}

// Go are the engines that run in processes of this program.
var Go = []Engine{ours, postgresEngine, plainOr, plainAnd, rowsEngine, ginEngine, bleveEngine, fts5, chromemEngine}
