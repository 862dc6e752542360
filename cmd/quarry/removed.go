package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/standard"
	"github.com/seed-d3156d19/quarry/store"
)

// removedJSON is what is left of a document.
type removedJSON struct {
	Document  string `json:"document"`
	Source    string `json:"source"`
	Indexed   bool   `json:"indexed"` // it is there, not removed
	Revisions int    `json:"revisions"`
	Failures  int    `json:"failures"`
	Texts     int    `json:"texts"`
	Passages  int    `json:"passages"`
	Terms     int    `json:"terms"`
	Vectors   int    `json:"vectors"`
	Unowned   int    `json:"unowned"`   // of whichever document
	LogBytes  int64  `json:"log_bytes"` // see store.Remains
	Fetched   int    `json:"fetched"`   // copies of its source that still name it
	Runs      int    `json:"runs"`      // kept runs of eval that name it
}

// removed proves that a document was removed: an error unless nothing is left.
func (a *app) removed(ctx context.Context, corpus *standard.Corpus, path, name string) error {
	id, err := removedID(ctx, corpus, name)
	if err != nil {
		return err
	}
	r, err := corpus.Remains(ctx, id)
	if err != nil {
		return err
	}
	out := removedJSON{Document: id.Path, Source: id.Source, Indexed: r.Revisions+r.Failures > 0, Revisions: r.Revisions, Failures: r.Failures, Texts: r.Texts, Passages: r.Passages,
		Terms: r.Terms, Vectors: r.Vectors, Unowned: r.Unowned, LogBytes: r.Log}
	if out.Fetched, err = corpus.Fetched(ctx, id); err != nil {
		return err
	}
	beside, err := standard.Beside(path)
	if err != nil {
		return err
	}
	if out.Runs, err = naming(beside+".runs", id.Path); err != nil {
		return err
	}
	if a.json {
		err = a.writeJSON(out)
	} else {
		a.printRemoved(id, out)
	}
	if left := (store.Remains{Log: r.Log}) != r || out.Fetched > 0; err == nil && left {
		err = fmt.Errorf("%s is not removed: run quarry remove %s, and take it out of its source first, or the next sync brings it back", id, id)
	}
	return err
}

// removedID is the document that a name means which may be known to nobody any more.
func removedID(ctx context.Context, corpus *standard.Corpus, name string) (document.ID, error) {
	named, err := corpus.Named(ctx, name)
	if err == nil && named.Source == "" {
		return named.Document, nil
	}
	if err != nil && !errors.Is(err, document.ErrNotFound) {
		return document.ID{}, err
	}
	id := document.ID{Path: name}
	if source, path, ok := strings.Cut(name, ":"); ok {
		id = document.ID{Source: source, Path: path}
	} else {
		sources, err := corpus.Sources(ctx)
		if err != nil {
			return id, err
		}
		if len(sources) != 1 {
			return id, usage("%q is in no source: say of which it was, as SOURCE:%s", name, name)
		}
		id.Source = sources[0].Name
	}
	if err := id.Validate(); err != nil {
		return id, usage("%q is no document: give its path, or SOURCE:PATH", name)
	}
	return id, nil
}

// naming counts the files of JSON in a folder that hold a text.
func naming(dir, text string) (int, error) {
	written, err := json.Marshal(text) // "&" is "\u0026", as where the files are written
	if err != nil {
		return 0, err
	}
	written = written[1 : len(written)-1]
	n := 0
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		if bytes.Contains(data, written) {
			n++
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("the kept runs cannot be read: %w", cause(err))
	}
	return n, err
}

func (a *app) printRemoved(id document.ID, r removedJSON) {
	a.printLine("document", id.String())
	for _, line := range []struct {
		what string
		n    int64
	}{{"revisions", int64(r.Revisions)}, {"failures", int64(r.Failures)}, {"texts", int64(r.Texts)}, {"passages", int64(r.Passages)}, {"terms", int64(r.Terms)}, {"vectors", int64(r.Vectors)},
		{"unowned", int64(r.Unowned)}, {"fetched", int64(r.Fetched)}, {"kept runs", int64(r.Runs)}, {"log bytes", r.LogBytes}} {
		a.printLine(line.what, fmt.Sprint(line.n))
	}
	if r.LogBytes > 0 {
		a.printf("The log beside the store may hold what was before until nobody has the store open.\n")
	}
	if r.Runs > 0 {
		a.printf("Kept runs of eval name the document; they may quote it, and are yours to delete.\n")
	}
}
