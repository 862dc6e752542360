// Command fit fits what the made corpora are drawn from to the public sets and to the
// embeddings of their texts by the built-in model, and writes corpus/fitted.json. It is
// run from benchmarks/search and takes some minutes:
//
//	go run ./fit -sets ../../../shared/sets
//
// It prints how well the fit describes what it was fitted to.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
)

// What is embedded: some thousand passages, and of a text no more than a few that
// follow each other.
const (
	passages   = 6000
	longestRun = 10
)

func main() {
	sets := flag.String("sets", "../../../shared/sets", "folder of the public sets")
	kept := flag.String("embeddings", filepath.Join(os.TempDir(), "quarry-fit-embeddings.gob"), "file that keeps the embeddings between runs")
	flag.Parse()
	if err := fit(*sets, *kept, "corpus/fitted.json"); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func fit(sets, kept, file string) error {
	texts, err := documents(sets)
	if err != nil {
		return err
	}
	p := corpus.Parameters{Terms: fitTerms(terms(texts))}
	vectors, err := embeddings(context.Background(), runs(texts, passages, longestRun), kept)
	if err != nil {
		return err
	}
	p.Mixture = mixture(vectors)
	fmt.Printf("stay %.3f\n", p.Mixture.Stay)
	compare(slices.Concat(vectors...), p.Mixture)
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(b, '\n'), 0o644)
}

func fitTerms(texts [][]string) corpus.Terms {
	observed := frequencies(texts)
	t := corpus.Terms{Vocabulary: vocabulary(texts)}
	t.Exponent, t.Offset = zipfMandelbrot(observed, t.Vocabulary)
	t.Concentration = concentration(texts, t)
	fmt.Printf("%+v\n", t)
	var tokens, norm float64
	for _, n := range observed {
		tokens += n
	}
	for r := range t.Vocabulary {
		norm += math.Pow(t.Offset+float64(r), -t.Exponent)
	}
	fmt.Printf("%-10s %12s %12s\n", "rank", "observed", "fitted")
	for r := 1; r <= len(observed); r *= 10 {
		fmt.Printf("%-10d %12.3g %12.3g\n", r, observed[r-1]/tokens, math.Pow(t.Offset+float64(r-1), -t.Exponent)/norm)
	}
	return t
}
