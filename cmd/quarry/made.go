package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/standard"
)

// openNew opens a store to write to, and remembers one that it made: a run that
// fails with nothing in it leaves no file behind.
func (a *app) openNew(ctx context.Context, path string, s config.Settings) (*standard.Corpus, error) {
	_, err := os.Stat(path)
	corpus, opened := standard.Open(ctx, path, s)
	if opened == nil && !standard.Served(path) && errors.Is(err, fs.ErrNotExist) {
		a.made, a.madeWith = path, s
	}
	return corpus, opened
}

// unmake removes the store that this run made, if there is nothing in it, no source
// even: someone else may have used it meanwhile. Where that cannot be told it stays.
func (a *app) unmake(ctx context.Context) {
	if a.made == "" {
		return
	}
	corpus, err := standard.OpenExisting(ctx, a.made, a.madeWith)
	if err != nil {
		return
	}
	sources, err := corpus.Sources(ctx)
	if corpus.Close() != nil || err != nil || len(sources) > 0 {
		return
	}
	for _, end := range []string{"", "-wal", "-shm", ".lock"} {
		os.Remove(a.made + end)
	}
	os.RemoveAll(a.made + ".sources")
}
