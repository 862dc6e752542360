package engine

import (
	"context"
	"fmt"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// Phraser is an index that finds words which stand one behind the other. Phrase may be
// called concurrently.
type Phraser interface {
	Phrase(ctx context.Context, words []string, k int) ([]measure.Hit, error)
}

// phrases is an index that is asked for phrases alone.
type phrases struct{ Phraser }

func (p phrases) Search(ctx context.Context, _ measure.Lane, q corpus.Question, _ string, k int) ([]measure.Hit, error) {
	return p.Phrase(ctx, q.Terms, k)
}

func (p phrases) Close() error { return nil }

// phraseCells measures each kind of phrase, all of which stand in a passage.
func phraseCells(ctx context.Context, index Phraser, files corpus.Files, plan Plan) (cells []measure.Cell, err error) {
	for _, kind := range corpus.PhraseKinds {
		s := server{index: phrases{index}, plan: plan}
		if s.questions, err = files.Phrases(kind); err != nil {
			return nil, err
		}
		hits, err := s.ask(ctx, measure.Phrase, kind, 0)
		if err == nil && len(hits) == 0 {
			err = fmt.Errorf("%q is not found", s.questions[0].Terms)
		}
		for threads := 1; err == nil && threads <= 2; threads++ {
			var cell measure.Cell
			cell, err = s.cell(ctx, measure.Phrase, kind, threads)
			cells = append(cells, cell)
		}
		if err != nil {
			return nil, fmt.Errorf("looking for a phrase of the kind %q: %w", kind, err)
		}
	}
	return cells, nil
}
