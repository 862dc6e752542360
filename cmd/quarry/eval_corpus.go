package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/measure"
	"github.com/seed-d3156d19/quarry/standard"
	"github.com/seed-d3156d19/quarry/store"
)

// openSet opens the corpus that a set is asked of: the folder that was named,
// the set's own documents, or the store as it is.
func (a *app) openSet(ctx context.Context, set *evaluate.Set, dir string, scope *document.Scope) (*standard.Corpus, error) {
	switch {
	case dir != "":
		set.Docs, set.Corpus = dir, nil
		return a.openDocs(ctx, dir, scope)
	case set.Docs != "":
		return a.openDocs(ctx, set.Docs, scope)
	case set.Corpus != nil:
		return a.openBEIR(ctx, *set, scope)
	}
	corpus, err := a.openDocs(ctx, "", scope)
	if errors.Is(err, store.ErrNoStore) {
		return nil, fmt.Errorf("%s has no documents of its own, and there is no store to ask: name a folder with --docs DIR, give a folder that holds questions.jsonl and docs/, or run quarry add DIR first",
			set.Name)
	}
	return corpus, err
}

// openBEIR puts the documents of a BEIR corpus into the store, as a source
// named after the set.
func (a *app) openBEIR(ctx context.Context, set evaluate.Set, scope *document.Scope) (*standard.Corpus, error) {
	p, err := placeOf(set.Dir)
	if err != nil {
		return nil, err
	}
	corpus, err := a.openBeside(ctx, p)
	if err != nil {
		return nil, err
	}
	name, free, err := p.nameIn(ctx, corpus)
	if err == nil {
		if !free {
			name += "-" + p.hash()
		}
		progress, end := a.progress(name)
		var report quarry.Report
		report, err = corpus.Put(ctx, document.Source{Name: name, Kind: "upload", Root: p.root}, measure.Uploads(set), progress)
		end()
		if err == nil {
			err = a.noteReport(report, p.given)
		}
	}
	if err != nil {
		corpus.Close()
		return nil, err
	}
	scope.Sources = []string{name}
	return corpus, nil
}

// runsOf is where the runs of a set are kept: in a folder beside the store that
// it is asked of.
func (a *app) runsOf(set evaluate.Set, dir string) (evaluate.Runs, error) {
	path := a.namedStore()
	if dir == "" {
		dir = set.Docs
	}
	if dir == "" && set.Corpus != nil {
		dir = set.Dir
	}
	switch {
	case path != "":
	case dir != "":
		p, err := placeOf(dir)
		if err != nil {
			return evaluate.Runs{}, err
		}
		if path, err = cachePath(p); err != nil {
			return evaluate.Runs{}, err
		}
	default:
		s, err := a.settings()
		if err != nil {
			return evaluate.Runs{}, err
		}
		path = a.storePath(s)
	}
	beside, err := standard.Beside(path)
	if err != nil {
		return evaluate.Runs{}, err
	}
	return evaluate.Runs{Dir: beside + ".runs"}, nil
}
