// Package corpus makes the documents, vectors and questions that engines are compared
// on, from a fixed seed and from parameters that were fitted to real texts (see the
// program in fit), writes them to files once, and reads them.
//
// Words and vectors are drawn apart: a passage's vector says nothing of its words.
// That is enough to measure engines by, and not enough to measure quality by.
package corpus

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// PassagesPerDocument and MeanWords (a passage's) are those of made documents.
const (
	PassagesPerDocument = 20
	MeanWords           = 100
)

// Parameters are what the made corpora are drawn from.
type Parameters struct {
	Terms   Terms
	Mixture Mixture
}

//go:embed fitted.json
var fitted []byte

// Fitted gives the parameters that the program in fit wrote.
func Fitted() (Parameters, error) {
	var p Parameters
	if err := json.Unmarshal(fitted, &p); err != nil {
		return p, fmt.Errorf("reading the fitted parameters: %w; run `go run ./fit` again", err)
	}
	return p, nil
}

// Filter keeps a share of the documents, those that carry its name as a value of
// FilterAttribute.
type Filter struct {
	Name  string
	Share float64
}

// FilterAttribute is the attribute that filters ask for.
const FilterAttribute = "share"

// Filters are those that everything is measured under.
var Filters = []Filter{{"100", 1}, {"10", 0.1}, {"1", 0.01}, {"0.1", 0.001}}

// Documents is how many of n documents the filter keeps, one at least.
func (f Filter) Documents(n int) int { return max(1, int(f.Share*float64(n)+0.5)) }
