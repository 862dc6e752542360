package engine

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/philippgille/chromem-go"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// chromemEngine is chromem-go: vectors in memory, kept in a file as a whole.
var chromemEngine = Engine{
	Name:  "chromem",
	Lanes: []measure.Lane{measure.Vector},
	build: func(ctx context.Context, files corpus.Files, dir string, part func(string, func() error) error) error {
		db := chromem.NewDB()
		c, err := db.CreateCollection("made", nil, noEmbedding)
		if err != nil {
			return err
		}
		err = files.Documents(true, func(d corpus.Document) error {
			return part("vectors", func() error { return addChromem(ctx, c, d) })
		})
		if err != nil {
			return err
		}
		return part("vectors", func() error { return db.ExportToFile(filepath.Join(dir, chromemFile), false, "") })
	},
	Open: func(_ context.Context, dir string) (Index, error) {
		db := chromem.NewDB()
		if err := db.ImportFromFile(filepath.Join(dir, chromemFile), ""); err != nil {
			return nil, err
		}
		return &chromemIndex{collection: db.GetCollection("made", noEmbedding)}, nil
	},
}

const chromemFile = "chromem.gob"

// noEmbedding is never called: every vector is given.
func noEmbedding(context.Context, string) ([]float32, error) { return nil, nil }

func addChromem(ctx context.Context, c *chromem.Collection, d corpus.Document) error {
	// It keeps metadata as they are given, so that passages of a document share them.
	metadata := map[string]string{}
	for _, name := range d.Filters {
		metadata[filterTerm(name)] = "yes"
	}
	for i, v := range d.Vectors {
		err := c.AddDocument(ctx, chromem.Document{ID: strconv.Itoa(passageNumber(d, i)), Metadata: metadata, Embedding: v})
		if err != nil {
			return err
		}
	}
	return nil
}

type chromemIndex struct{ collection *chromem.Collection }

func (c *chromemIndex) Close() error { return nil }

func (c *chromemIndex) Search(ctx context.Context, _ measure.Lane, q corpus.Question, filter string, k int) ([]measure.Hit, error) {
	var where map[string]string
	if filter != corpus.Filters[0].Name {
		where = map[string]string{filterTerm(filter): "yes"}
	}
	found, err := c.collection.QueryEmbedding(ctx, q.Vector, min(k, c.collection.Count()), where, nil)
	if err != nil {
		return nil, err
	}
	hits := make([]measure.Hit, len(found))
	for i, r := range found {
		n, err := strconv.Atoi(r.ID)
		if err != nil {
			return nil, err
		}
		hits[i] = measure.Hit{Passage: n, Score: float64(r.Similarity)}
	}
	return hits, nil
}
