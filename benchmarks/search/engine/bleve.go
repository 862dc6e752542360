package engine

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/whitespace"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search/query"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// bleveEngine is bleve's scorch index with its BM25, one document a passage, in
// batches. Its vectors need cgo and a library of its own, and are not compared.
var bleveEngine = Engine{
	Name:  "bleve",
	Lanes: []measure.Lane{measure.Keyword},
	build: func(ctx context.Context, files corpus.Files, dir string, part func(string, func() error) error) error {
		m, err := bleveMapping()
		if err != nil {
			return err
		}
		i, err := bleve.New(filepath.Join(dir, "bleve"), m)
		if err != nil {
			return err
		}
		b := bleveIndex{i}
		err = inBatches(files, false, func(documents []corpus.Document) error {
			return part("keyword", func() error { return b.put(documents) })
		})
		if err != nil {
			return err
		}
		return part("keyword", i.Close)
	},
	Open: func(_ context.Context, dir string) (Index, error) {
		i, err := bleve.Open(filepath.Join(dir, "bleve"))
		if err != nil {
			return nil, err
		}
		return &bleveIndex{i}, nil
	},
}

func bleveMapping() (mapping.IndexMapping, error) {
	m := bleve.NewIndexMapping()
	m.ScoringModel = index.BM25Scoring
	const words = "words"
	if err := m.AddCustomAnalyzer(words, map[string]any{"type": custom.Name, "tokenizer": whitespace.Name}); err != nil {
		return nil, err
	}
	text := bleve.NewTextFieldMapping()
	text.Analyzer = words
	filter := bleve.NewTextFieldMapping()
	filter.Analyzer = keyword.Name
	for _, f := range []*mapping.FieldMapping{text, filter} {
		f.Store, f.IncludeInAll, f.DocValues = false, false, false
		// Positions are kept, as the others keep them.
		f.IncludeTermVectors = f == text
	}
	passage := bleve.NewDocumentStaticMapping()
	passage.AddFieldMappingsAt("text", text)
	passage.AddFieldMappingsAt(corpus.FilterAttribute, filter)
	m.DefaultMapping = passage
	return m, nil
}

type bleveIndex struct{ bleve.Index }

func (b *bleveIndex) put(documents []corpus.Document) error {
	changes := b.NewBatch()
	for _, d := range documents {
		for i, text := range d.Passages {
			passage := map[string]any{"text": text, corpus.FilterAttribute: d.Filters}
			if err := changes.Index(strconv.Itoa(passageNumber(d, i)), passage); err != nil {
				return err
			}
		}
	}
	return b.Batch(changes)
}

func (b *bleveIndex) Change(_ context.Context, d corpus.Document) error {
	return b.put([]corpus.Document{d})
}

func (b *bleveIndex) Search(ctx context.Context, _ measure.Lane, q corpus.Question, filter string, k int) ([]measure.Hit, error) {
	var terms []query.Query
	for _, t := range q.Terms {
		term := bleve.NewTermQuery(t)
		term.SetField("text")
		terms = append(terms, term)
	}
	var asked query.Query = bleve.NewDisjunctionQuery(terms...)
	if filter != corpus.Filters[0].Name {
		keep := bleve.NewTermQuery(filter)
		keep.SetField(corpus.FilterAttribute)
		under := bleve.NewBooleanQuery()
		under.AddMust(asked)
		under.AddFilter(keep)
		asked = under
	}
	return b.search(ctx, asked, k)
}

func (b *bleveIndex) Phrase(ctx context.Context, words []string, k int) ([]measure.Hit, error) {
	return b.search(ctx, bleve.NewPhraseQuery(words, "text"), k)
}

func (b *bleveIndex) search(ctx context.Context, asked query.Query, k int) ([]measure.Hit, error) {
	found, err := b.SearchInContext(ctx, bleve.NewSearchRequestOptions(asked, k, 0, false))
	if err != nil {
		return nil, err
	}
	hits := make([]measure.Hit, len(found.Hits))
	for i, h := range found.Hits {
		n, err := strconv.Atoi(h.ID)
		if err != nil {
			return nil, err
		}
		hits[i] = measure.Hit{Passage: n, Score: h.Score}
	}
	return hits, nil
}
