// Package encoder computes BERT's encoder (Devlin et al., "BERT: Pre-training of
// Deep Bidirectional Transformers", 2019): token ids in, one vector per token out,
// in float32, for any number of layers, width and heads.
//
// Sequences of different lengths go through together without padding: their
// tokens are the rows of one matrix, and only attention looks at where a sequence
// begins and ends.
package encoder

import (
	"fmt"
	"math"
)

// Config is the shape of an encoder.
type Config struct {
	Layers    int
	Hidden    int // width of a token's vector
	Heads     int // divides Hidden
	Inner     int // width of the feed-forward layer
	Vocab     int // entries of the vocabulary
	Positions int // the longest sequence, in tokens
	Types     int // kinds of tokens: 1, or 2 where texts come in pairs
	Eps       float64
}

// limit bounds every number of a config, far above any model, so that products
// of two of them do not overflow.
const limit = 1 << 20

// Check says what is wrong with a config.
func (c Config) Check() error {
	for _, n := range []struct {
		name string
		n    int
	}{
		{"num_hidden_layers", c.Layers}, {"hidden_size", c.Hidden}, {"num_attention_heads", c.Heads},
		{"intermediate_size", c.Inner}, {"vocab_size", c.Vocab}, {"max_position_embeddings", c.Positions}, {"type_vocab_size", c.Types},
	} {
		if n.n < 1 || n.n > limit {
			return fmt.Errorf("%s is %d; it must be between 1 and %d", n.name, n.n, limit)
		}
	}
	if c.Layers > 1000 {
		return fmt.Errorf("num_hidden_layers is %d; it must be at most 1000", c.Layers)
	}
	if c.Hidden%c.Heads != 0 {
		return fmt.Errorf("hidden_size is %d, which num_attention_heads, %d, does not divide", c.Hidden, c.Heads)
	}
	// Heads are padded to panels of 16: far smaller ones would take far more
	// memory than the file they come from.
	if c.Hidden/c.Heads < 4 {
		return fmt.Errorf("hidden_size is %d for %d heads; a head must have at least 4", c.Hidden, c.Heads)
	}
	if !(c.Eps >= 0 && c.Eps < 1) || math.IsNaN(c.Eps) {
		return fmt.Errorf("layer_norm_eps is %v; it must be at least 0 and less than 1", c.Eps)
	}
	return nil
}

// Rows gives row i of a matrix: it fills dst, which has the matrix's number of
// columns. It may be called concurrently.
type Rows = func(i int, dst []float32)

// Source holds a model's tensors by name.
type Source interface {
	// Rows gives the tensor of that name as a matrix of n rows and k columns;
	// an error if there is none, or of another shape. A vector has one row.
	Rows(name string, n, k int) (Rows, error)
}
