package evaluate

import (
	"context"
	"errors"

	"github.com/seed-d3156d19/quarry/document"
)

// Query is a question as it is put to the system under test.
type Query struct {
	Text  string
	Scope document.Scope
}

// Searcher is the system under test. Search returns the fused and reranked
// list before cut and budget, best first; Run looks at the order only, never
// at the scores. Run calls it from one goroutine. An error counts as an empty
// list and is reported with the question.
type Searcher interface {
	Search(ctx context.Context, q Query) ([]Hit, error)
}

// Hit is a passage of the list.
type Hit struct {
	Document string // slash path within its source
	Title    string
	Heading  []string      // headings from level 1 down to the passage's section
	Span     document.Span // bytes of the document's canonical text
	Text     string
	Tokens   int // of Text, as budgets count them
	Score    float64
	// Also are the other places in which the same text stands, which whoever is shown the hit
	// is told of: it holds what is judged in any of them, at one place of the list
	// and for the tokens of one.
	Also []Place
}

// Place is where a text stands.
type Place struct {
	Document string
	Heading  []string
	Span     document.Span
}

// Asker answers a question. Run calls it from one goroutine, and for each
// question before Search, so that one who is both need not find the passages
// twice. An error is reported with the question, which then counts as not
// answered.
type Asker interface {
	Ask(ctx context.Context, q Query) (Answer, error)
}

// GoldAsker answers from evidence that is given, not found: the passages that hold the
// judged units. What it gets wrong is the answer's doing and not retrieval's.
type GoldAsker interface {
	// AskFrom answers from the passages that hold the units. Units that no
	// passage holds are left out; ErrNoEvidence where none is left.
	AskFrom(ctx context.Context, q Query, units []Unit) (Answer, error)
}

// ErrNoEvidence is what AskFrom returns where no passage holds a judged unit: the
// question then counts in no metric with gold evidence.
var ErrNoEvidence = errors.New("no passage holds what is judged")

// Library gives documents as the asker of a question sees them on its day, so that
// Run can say which questions the corpus has outgrown and whether quotes are
// real. One that is not seen is document.ErrNotFound.
type Library interface {
	// Has reports whether a document is seen, without reading it.
	Has(ctx context.Context, q Query, document string) (bool, error)
	Content(ctx context.Context, q Query, document string) (Content, error)
}

// Content is a document in force.
type Content struct {
	Revision string   // equal ones have equal texts
	Text     string   // canonical
	Headings []string // of its sections, without level 0
}

// Answer is what metrics of answers look at.
type Answer struct {
	Status    string // one of the statuses below
	Text      string // its sentences, each run of them ending with its citations, "[n]"
	Citations []Citation
	Evidence  []Hit // what it was made from
	Tokens    int   // of the evidence
	Calls     int   // to models
}

// Citation is a passage that an answer cites.
type Citation struct {
	N        int // as the text refers to it
	Document string
	Heading  []string
	Quote    string
}

// Statuses of an answer.
const (
	StatusAnswered         = "answered"
	StatusPartial          = "partial"
	StatusInsufficient     = "insufficient"
	StatusConflict         = "conflict"
	StatusNeedsInformation = "needs_information"
	StatusNotForDocuments  = "not_a_document_question"
)
