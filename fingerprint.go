package quarry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/store"
)

// Fingerprint identifies what a measurement was made on: equal ones hold the same
// contents, made into passages by the same code and settings.
type Fingerprint struct {
	Documents int    `json:"documents"`
	Hash      string `json:"hash"`     // of every document's path and content
	Pipeline  string `json:"pipeline"` // the code and settings that made passages and terms
}

// Fingerprint of the given sources, or of all. It is the operator's view: no scope
// applies, and it holds no text.
func (c *Corpus) Fingerprint(ctx context.Context, sources []string) (Fingerprint, error) {
	if err := c.opened(); err != nil {
		return Fingerprint{}, err
	}
	known, err := c.store.Sources(ctx)
	if err != nil {
		return Fingerprint{}, fmt.Errorf("reading the sources: %w", err)
	}
	f := Fingerprint{Pipeline: c.pipeline}
	sum := sha256.New()
	for _, s := range known {
		if len(sources) > 0 && !slices.Contains(sources, s.Name) {
			continue
		}
		states, err := c.store.States(ctx, s.Name)
		if err != nil {
			return Fingerprint{}, fmt.Errorf("reading the documents of %s: %w", s.Name, err)
		}
		slices.SortFunc(states, func(a, b store.State) int { return strings.Compare(a.Path, b.Path) })
		for _, d := range states {
			f.Documents++
			if d.Pipeline == c.scanning() { // what was recognised is part of it
				f.Pipeline = d.Pipeline
			}
			fmt.Fprintf(sum, "%q %q %v\n", d.Path, d.Hash, d.Failed)
		}
		io.WriteString(sum, "\n")
	}
	f.Hash = hex.EncodeToString(sum.Sum(nil)[:16])
	return f, nil
}

// Models names the models that answers of this corpus are found with, by what
// they do: "embedding", "reranker". Those that are off are absent.
func (c *Corpus) Models() map[string]string {
	models := map[string]string{}
	if c.opened() != nil {
		return models
	}
	if c.options.Embedder != nil {
		models["embedding"] = c.options.vectors().Name
	}
	if r := c.options.Reranker; r != nil {
		models["reranker"] = r.Name()
	}
	return models
}
