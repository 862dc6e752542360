package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/standard"
	"github.com/seed-d3156d19/quarry/store"
)

// place is a place that was named on the command line.
type place struct {
	given string
	kind  string // as document.Source has it
	root  string // a folder's or file's is absolute, symbolic links resolved, as sources keep it
	name  string // for a source, from the name as given
}

func placeOf(path string) (place, error) {
	if path == "" {
		return place{}, usage("the path is empty: give a folder or a file")
	}
	if strings.Contains(path, "://") {
		at, err := standard.Locate(path)
		if err != nil {
			return place{}, usage("%s", err)
		}
		return place{path, at.Kind, at.Root, sourceName(at.Name)}, nil
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return place{}, fmt.Errorf("%s: %w", path, err)
	}
	root, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return place{}, fmt.Errorf("%s cannot be read: %w; give a folder or a file that is there", path, cause(err))
	}
	return place{path, "folder", root, sourceName(filepath.Base(abs))}, nil
}

// sourceName makes a name that a source may have of a file's name.
func sourceName(base string) string {
	name := strings.TrimSpace(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:/\`, r) || unicode.IsControl(r) || r == unicode.ReplacementChar {
			return '-'
		}
		return r
	}, strings.ToValidUTF8(base, "-")))
	if strings.Trim(name, "-.") == "" {
		return "root"
	}
	return name
}

// nameIn is the name of the source in a corpus: the one it was added under, or
// else its own, with a mark where another place has that.
func (p place) nameIn(ctx context.Context, corpus *standard.Corpus) (name string, free bool, err error) {
	sources, err := corpus.Sources(ctx)
	if err != nil {
		return "", false, err
	}
	free = true
	for _, s := range sources {
		if s.Root == p.root {
			return s.Name, true, nil
		}
		free = free && s.Name != p.name
	}
	return p.name, free, nil
}

func (p place) hash() string {
	sum := sha256.Sum256([]byte(p.root))
	return hex.EncodeToString(sum[:8])
}

func addDocsFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "docs", "", "index this folder first and use its documents alone")
}

// openDocs opens the corpus that a question is put to: the store as it is, or,
// with a folder, the store that the folder was synced into, with the scope
// narrowed to it.
func (a *app) openDocs(ctx context.Context, dir string, scope *document.Scope) (*standard.Corpus, error) {
	if dir == "" {
		corpus, _, err := a.open(ctx)
		return corpus, err
	}
	p, err := placeOf(dir)
	if err != nil {
		return nil, err
	}
	if p.kind != "folder" {
		return nil, usage("--docs takes a folder or a file: run quarry add %s, then ask without --docs", dir)
	}
	corpus, err := a.openBeside(ctx, p)
	if err != nil {
		return nil, err
	}
	name, err := a.syncDocs(ctx, corpus, p)
	if err != nil {
		corpus.Close()
		return nil, err
	}
	scope.Sources = []string{name}
	return corpus, nil
}

func (a *app) syncDocs(ctx context.Context, corpus *standard.Corpus, p place) (string, error) {
	name, free, err := p.nameIn(ctx, corpus)
	if err != nil {
		return "", err
	}
	if !free {
		name += "-" + p.hash()
	}
	// A store that was made for the folder holds nothing else, and can be made again.
	confirm := a.namedStore() == ""
	report, err := a.syncFrom(ctx, corpus, document.Source{Name: name, Kind: p.kind, Root: p.root}, confirm)
	if errors.Is(err, quarry.ErrEmbedding) && ctx.Err() == nil {
		a.note("note: %s; until then some passages of %s are found by their words only", sentence(err), p.given)
		err = nil
	}
	if err != nil {
		return "", err
	}
	return name, a.noteReport(report, p.given)
}

// noteReport says on standard error what a sync that was a means to another
// end left out. It is an error when nothing is left to ask.
func (a *app) noteReport(r quarry.Report, given string) error {
	indexed := r.Unchanged + len(r.Added) + len(r.Changed) + len(r.Renamed) + len(r.Withheld)
	switch {
	case indexed == 0 && len(r.Failed) > 0:
		return fmt.Errorf("no document of %s could be indexed; the first, %s: %s", given, r.Failed[0].Document, r.Failed[0].Error)
	case indexed == 0:
		return fmt.Errorf("%s holds no document that is read (%s left out): give a folder with documents; quarry add --help lists the formats", given, count(len(r.Skipped), "file"))
	}
	for i, f := range r.Failed {
		if i == 3 && !a.verbose {
			a.note("note: %d more documents of %s could not be indexed; -v lists them", len(r.Failed)-i, given)
			break
		}
		a.note("note: %s could not be indexed: %s", f.Document, f.Error)
	}
	for i, w := range r.Warned {
		if i == 3 && !a.verbose {
			a.note("note: %d more documents of %s contradict others, or name one that there is not; -v lists them", len(r.Warned)-i, given)
			break
		}
		a.note("note: %s: %s", w.Document, w.Error)
	}
	if len(r.Unembedded) > 0 {
		a.note("note: the embedding model refused passages of %s; the first, %s: %s", count(len(r.Unembedded), "document"), r.Unembedded[0].Document, r.Unembedded[0].Error)
	}
	if len(r.Withheld) > 0 {
		a.note("note: %d of the %s of %s are gone and were not removed: run quarry add %s --confirm-removals if that is right", len(r.Withheld), count(indexedOf(r), "document"), given, given)
	}
	if len(r.Unreached) > 0 {
		a.note("note: %s of %s could not be had now and stayed as indexed, if they were; the first, %s: %s", count(len(r.Unreached), "document"), given, r.Unreached[0].Document, r.Unreached[0].Error)
	}
	if r.Incomplete {
		a.note("note: a part of %s could not be listed; its documents are used as they were", given)
	}
	if a.verbose {
		for _, s := range r.Skipped {
			a.note("note: %s is left out: %s", s.Document, s.Error)
		}
	}
	return nil
}

// openBeside opens the store that is named, or else one for the place in the
// user's cache folder. That one holds nothing that is not in the place, so a
// damaged one is made anew, and one with vectors of another model than is configured
// is brought to that unasked.
func (a *app) openBeside(ctx context.Context, p place) (*standard.Corpus, error) {
	s, err := a.settings()
	if err != nil {
		return nil, err
	}
	if named := a.namedStore(); named != "" {
		return a.openNew(ctx, named, s)
	}
	path, err := cachePath(p)
	if err != nil {
		return nil, err
	}
	corpus, err := standard.Open(ctx, path, s)
	if errors.Is(err, store.ErrDamaged) {
		for _, end := range []string{"", "-wal", "-shm"} {
			os.Remove(path + end)
		}
		corpus, err = standard.Open(ctx, path, s)
	}
	if err != nil {
		return nil, err
	}
	if err := a.ensureModel(ctx, corpus); err != nil {
		corpus.Close()
		return nil, err
	}
	return corpus, nil
}

// ensureModel re-embeds where vectors are of another model than the configured one.
func (a *app) ensureModel(ctx context.Context, corpus *standard.Corpus) error {
	e, err := corpus.Embedding(ctx)
	none := store.Model{}
	if err != nil || e.Configured == none || e.InForce == none || e.InForce == e.Configured {
		return err
	}
	_, err = a.reembedAll(ctx, corpus, true)
	return err
}

func cachePath(p place) (string, error) {
	cache, err := os.UserCacheDir()
	if err == nil {
		cache = filepath.Join(cache, "quarry")
		err = os.MkdirAll(cache, 0o700)
	}
	if err != nil {
		return "", fmt.Errorf("there is no cache folder to index %s in (%w): name a store with --store, such as --store %s", p.given, cause(err), config.DefaultStore)
	}
	return filepath.Join(cache, p.hash()+".db"), nil
}
