package evaluate

import (
	"context"

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
}

// Asker answers a question. Run calls it from one goroutine. An error is
// reported with the question, which then counts as not answered.
type Asker interface {
	Ask(ctx context.Context, q Query) (Answer, error)
}

// Answer is what metrics of answers look at.
type Answer struct {
	Status    string // one of the statuses below
	Citations []Citation
}

// Citation is a passage that an answer cites.
type Citation struct {
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
