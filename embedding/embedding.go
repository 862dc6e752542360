// Package embedding declares what Quarry asks of a model that turns text into
// vectors. Built-in and remote models implement it; none is needed to search by
// keyword and identifier.
package embedding

import "context"

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
	Passages(ctx context.Context, texts []string) ([][][]float32, error)
	// Question embeds one question.
	Question(ctx context.Context, text string) ([]float32, error)
}
