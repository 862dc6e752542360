package main

import (
	"context"
	"encoding/gob"
	"fmt"
	"os"
	"slices"

	"github.com/seed-d3156d19/quarry/embedding/bert"
)

// embeddings are the vectors of the passages of each run, by the built-in model.
// They take minutes, so that a file keeps them between attempts.
func embeddings(ctx context.Context, all []run, file string) ([][][]float32, error) {
	var vectors [][][]float32
	if f, err := os.Open(file); err == nil {
		defer f.Close()
		if err := gob.NewDecoder(f).Decode(&vectors); err != nil {
			return nil, fmt.Errorf("reading %s, which an earlier run kept: %w; delete it", file, err)
		}
		if len(vectors) != len(all) {
			return nil, fmt.Errorf("%s keeps the vectors of other texts: delete it", file)
		}
		return vectors, nil
	}
	for part := range slices.Chunk(all, 64) {
		texts := slices.Concat(part...)
		embedded, err := bert.Default().Passages(ctx, texts)
		if err != nil {
			return nil, fmt.Errorf("embedding passages: %w", err)
		}
		for _, r := range part {
			var of [][]float32
			for range r {
				// Of a passage with several windows the first stands for it.
				of = append(of, embedded[0][0])
				embedded = embedded[1:]
			}
			vectors = append(vectors, of)
		}
		fmt.Fprintf(os.Stderr, "%d of %d runs of passages embedded\n", len(vectors), len(all))
	}
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	if err := gob.NewEncoder(f).Encode(vectors); err != nil {
		f.Close()
		return nil, err
	}
	return vectors, f.Close()
}
