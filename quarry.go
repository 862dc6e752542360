// Package quarry finds the evidence in a set of documents that answers a
// question, and answers only from it.
//
// A Corpus is what one store holds. Its two flows stand in this package, one
// function each, with their stages in order:
//
//	Add:  source -> extract -> outline -> chunk -> reference -> store (searchable by keyword) -> embedding -> store (by vector)
//	Ask:  query (understand) -> retrieve (lanes, fuse) -> rerank -> evidence -> answer (quoted, or generated and checked)
//
// Package standard opens a Corpus with everything built in.
package quarry

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/chunk"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/reference"
	"github.com/seed-d3156d19/quarry/internal/series"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store"
)

// Corpus is the documents of one store, to be searched and asked. Its methods
// may be called concurrently.
type Corpus struct {
	store    store.Store
	options  Options
	pipeline string
}

// Open makes a corpus over an open store.
func Open(o Options) (*Corpus, error) {
	o = o.ensureDefaults()
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Corpus{store: o.Store, options: o, pipeline: pipeline(o)}, nil
}

// pipeline names the code and settings that make passages, terms, findings and validity: when it
// changes, the next sync indexes again.
func pipeline(o Options) string {
	inferred := series.Version
	if o.Series == SeriesOff {
		inferred = SeriesOff
	}
	return fmt.Sprintf("extract %s, analyze %s, chunk %s %s, reference %s, series %s", extract.Version, analyze.Version, chunk.Version, o.chunking(), reference.Version, inferred)
}

// scanning is the pipeline of originals whose text is in images: it names the recogniser
// as well, so that they alone are read again where there is another one, or one at last.
func (c *Corpus) scanning() string {
	if c.options.Recogniser == nil {
		return c.pipeline + ", ocr none"
	}
	return c.pipeline + ", ocr " + c.options.Recogniser.Name()
}

// current is whether what was made by a pipeline would be made the same way now.
func (c *Corpus) current(pipeline string) bool {
	rest, ok := strings.CutPrefix(pipeline, c.pipeline)
	return ok && (rest == "" || pipeline == c.scanning())
}

// Sources lists the sources that were added.
func (c *Corpus) Sources(ctx context.Context) ([]document.Source, error) {
	if err := c.opened(); err != nil {
		return nil, err
	}
	return c.store.Sources(ctx)
}

// opened is an error for a Corpus that Open did not make.
func (c *Corpus) opened() error {
	if c == nil || c.store == nil {
		return errors.New("this corpus was not opened: quarry.Open gives one that is")
	}
	return nil
}

// Trace is what every stage did with a question.
type Trace = trace.Trace
