// Package embedding declares what Quarry asks of a model that turns text into
// vectors. Built-in and remote models implement it; none is needed to search by
// keyword and identifier.
package embedding

import (
	"context"
	"fmt"
)

// Embedder turns texts into vectors of unit length. Its methods may be called
// concurrently.
type Embedder interface {
	// Name identifies the model and how it is used (weights, pooling, prefixes,
	// cut): vectors of two names are never compared.
	Name() string
	// Dims is the number of components of every vector.
	Dims() int
	// Passages embeds passages, in order. A passage longer than the model's
	// limit gives several vectors, one per window. An empty text gives none.
	//
	// Whoever can embed some of the texts and not others gives those it could,
	// nil in the place of the others, and a *PartialError: what was computed, or
	// paid for, is then stored. With any other error the vectors do not count.
	Passages(ctx context.Context, texts []string) ([][][]float32, error)
	// Question embeds one question.
	Question(ctx context.Context, text string) ([]float32, error)
}

// PartialError is the error of a call of Passages that embedded some texts and
// not others.
type PartialError struct {
	// Refused are texts that the model does not take, whatever is tried, while
	// it takes others: they alone go without a vector, and the run goes on.
	Refused []Refusal
	// Err is what ended the call before all other texts were embedded. nil: they
	// all were.
	Err error
}

// Refusal is one text that the model does not take.
type Refusal struct {
	Text   int    // its place among the texts
	Reason string // a sentence without text of the document
}

// Error implements error.
func (e *PartialError) Error() string {
	switch {
	case e.Err != nil:
		return e.Err.Error()
	case len(e.Refused) == 0:
		return "no text was refused"
	case len(e.Refused) == 1:
		return e.Refused[0].Reason
	}
	return fmt.Sprintf("%d texts were refused, the first because %s", len(e.Refused), e.Refused[0].Reason)
}

// Unwrap gives what ended the call.
func (e *PartialError) Unwrap() error { return e.Err }
