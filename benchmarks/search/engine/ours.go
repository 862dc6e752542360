package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
)

// ours is store/local through the contract of a store.
var ours = Engine{
	Name:  "quarry",
	Lanes: []measure.Lane{measure.Keyword, measure.Vector, measure.Hybrid},
	build: buildOurs,
	Open: func(ctx context.Context, dir string) (Index, error) {
		s, err := local.Open(ctx, filepath.Join(dir, oursFile), local.Options{Existing: true})
		if err != nil {
			return nil, err
		}
		return &oursIndex{store: s}, nil
	},
}

const (
	oursFile   = "quarry.db"
	oursSource = "made"
	// batch is how many documents go into one change, about as in a sync.
	batch = 64
)

func buildOurs(ctx context.Context, files corpus.Files, dir string, part func(string, func() error) error) error {
	return fill(ctx, files, part, func() (store.Store, error) { return local.Open(ctx, filepath.Join(dir, oursFile), local.Options{}) })
}

// fill analyses as a part of its own: the other engines are given the same words, but make their
// terms of them while they index.
func fill(ctx context.Context, files corpus.Files, part func(string, func() error) error, open func() (store.Store, error)) error {
	s, err := open()
	if err != nil {
		return err
	}
	err = inBatches(files, false, func(documents []corpus.Document) error {
		change := store.Change{Source: &document.Source{Name: oursSource, Kind: "folder", Root: "/"}}
		if err := part("analysis", func() error { change.Put = analysed(documents, 0); return nil }); err != nil {
			return err
		}
		// What goes on beside the changes belongs to the part that caused it.
		return part("keyword", func() error {
			if _, err := s.Apply(ctx, change); err != nil {
				return err
			}
			if merging, ok := s.(interface{ Settle(context.Context) error }); ok {
				return merging.Settle(ctx)
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	if err := part("keyword", s.Close); err != nil {
		return err
	}
	if s, err = open(); err != nil {
		return err
	}
	model := oursModel(files.Dims)
	err = inBatches(files, true, func(documents []corpus.Document) error {
		var vectors []store.Vectors
		for _, d := range documents {
			for i, v := range d.Vectors {
				_, key := names(passageNumber(d, i), 0)
				vectors = append(vectors, store.Vectors{Key: key, Vectors: [][]float32{v}})
			}
		}
		return part("vectors", func() error { return s.PutVectors(ctx, model, vectors) })
	})
	if err != nil {
		return err
	}
	return part("vectors", s.Close)
}

func oursModel(dims int) store.Model { return store.Model{Name: "made", Dims: dims} }

func inBatches(files corpus.Files, vectors bool, fn func([]corpus.Document) error) error {
	var some []corpus.Document
	err := files.Documents(vectors, func(d corpus.Document) error {
		if some = append(some, d); len(some) < batch {
			return nil
		}
		full := some
		some = nil
		return fn(full)
	})
	if err != nil || len(some) == 0 {
		return err
	}
	return fn(some)
}

// analysed makes revisions on all cores.
func analysed(documents []corpus.Document, version uint64) []store.Revision {
	out := make([]store.Revision, len(documents))
	var all sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := worker; i < len(documents); i += runtime.GOMAXPROCS(0) {
				out[i] = analyze.Revision(revision(documents[i], version))
			}
		})
	}
	all.Wait()
	return out
}

// revision is a document without title and headings, so that its terms are those of
// its text alone. version tells contents of its first passage apart.
func revision(d corpus.Document, version uint64) document.Revision {
	text := strings.Join(d.Passages, "\n")
	whole := document.Span{From: 0, To: len(text)}
	r := document.Revision{
		Document: document.ID{Source: oursSource, Path: documentPath(d.Number)},
		Hash:     fmt.Sprintf("%x-%x", d.Number, version),
		Pipeline: "benchmark",
		Seen:     time.Now(),
		Format:   "text",
		// The words are made up, and in no language that could be detected.
		Metadata: document.Metadata{Access: document.Public(), Language: "en", Attributes: map[string][]string{corpus.FilterAttribute: d.Filters}},
		Text:     text,
		Sections: []document.Section{{Parent: -1, Span: whole, Body: whole}},
	}
	at := 0
	for i, p := range d.Passages {
		id, key := names(passageNumber(d, i), version)
		version = 0 // the others are as they were and keep their names
		r.Passages = append(r.Passages, document.Passage{
			ID: id, Key: key, Kind: document.Paragraph,
			Text: p, Span: document.Span{From: at, To: at + len(p)}, Tokens: corpus.MeanWords,
		})
		at += len(p) + 1
	}
	return r
}

// oursIndex is an opened store.
type oursIndex struct {
	store   store.Store
	changes uint64
}

func (o *oursIndex) Close() error { return o.store.Close() }

func (o *oursIndex) Change(ctx context.Context, d corpus.Document) error {
	o.changes++
	_, err := o.store.Apply(ctx, store.Change{Put: analysed([]corpus.Document{d}, o.changes)})
	return err
}

func (o *oursIndex) Search(ctx context.Context, lane measure.Lane, q corpus.Question, filter string, k int) ([]measure.Hit, error) {
	view, err := o.store.View(ctx, document.Scope{Where: map[string][]string{corpus.FilterAttribute: {filter}}})
	if err != nil {
		return nil, err
	}
	defer view.Close()
	var hits []store.Hit
	switch lane {
	case measure.Keyword:
		found, err := view.Keyword(ctx, queryTerms(q), k)
		if err != nil {
			return nil, err
		}
		hits = found.Hits
	case measure.Vector:
		found, err := view.Vector(ctx, oursModel(len(q.Vector)), q.Vector, k)
		if err != nil {
			return nil, err
		}
		hits = found.Hits
	default:
		if hits, err = hybrid(ctx, view, q, k); err != nil {
			return nil, err
		}
	}
	return measured(hits)
}

// looked is how many passages that hold the words of a phrase are looked at, as in retrieval.
const looked = 2000

func (o *oursIndex) Phrase(ctx context.Context, words []string, k int) ([]measure.Hit, error) {
	view, err := o.store.View(ctx, document.Scope{})
	if err != nil {
		return nil, err
	}
	defer view.Close()
	var phrase store.Phrase
	for _, w := range words {
		phrase = append(phrase, []string{w})
	}
	found, err := view.Phrase(ctx, phrase, looked)
	if err != nil {
		return nil, err
	}
	return measured(found.Hits[:min(k, len(found.Hits))])
}

// measured are hits by the numbers of their passages.
func measured(hits []store.Hit) ([]measure.Hit, error) {
	out := make([]measure.Hit, len(hits))
	for i, h := range hits {
		n, err := number(h.Passage)
		if err != nil {
			return nil, err
		}
		out[i] = measure.Hit{Passage: n, Score: h.Score}
	}
	return out, nil
}

func queryTerms(q corpus.Question) []store.QueryTerm {
	terms := make([]store.QueryTerm, len(q.Terms))
	for i, t := range q.Terms {
		terms[i] = store.QueryTerm{Term: t, Weight: 1}
	}
	return terms
}
