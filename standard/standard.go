// Package standard opens a corpus with everything built in. It is the one place
// that names drivers; the command and the server use it.
package standard

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
)

// Settings are what a quarry.yaml says. The zero value is all defaults.
type Settings = config.Settings

// ErrNoStore is returned by OpenExisting where there is no store yet.
var ErrNoStore = store.ErrNoStore

// Corpus is an open corpus with its store.
type Corpus struct {
	*quarry.Corpus
	store    store.Store
	settings Settings
	path     string
}

// Open opens the store at path, a file, and makes it if it is not there.
// Settings.Store does not count. Close the corpus when done.
func Open(ctx context.Context, path string, s Settings) (*Corpus, error) {
	return open(ctx, path, s, false)
}

// OpenExisting is Open for those who only read: it makes no store.
func OpenExisting(ctx context.Context, path string, s Settings) (*Corpus, error) {
	return open(ctx, path, s, true)
}

func open(ctx context.Context, path string, s Settings, existing bool) (*Corpus, error) {
	if s.BM25 == (store.BM25{}) {
		s.BM25 = store.DefaultBM25
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	if err := checkPath(path); err != nil {
		return nil, err
	}
	if err := openModels(&s); err != nil {
		return nil, err
	}
	if err := openGuard(&s); err != nil {
		return nil, err
	}
	opened, err := local.Open(ctx, path, local.Options{BM25: s.BM25, Clock: s.Quarry.Clock, Existing: existing})
	if err != nil {
		return nil, err
	}
	s.Quarry.Store = opened
	corpus, err := quarry.Open(s.Quarry)
	if err != nil {
		opened.Close()
		return nil, err
	}
	// Places are opened later, whatever the current folder is then.
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return &Corpus{corpus, opened, withSources(s), path}, nil
}

// checkPath refuses what other kinds of stores are named by; their text may
// hold a password and is not repeated.
func checkPath(path string) error {
	if path == "" {
		return errors.New("the store's path is empty: name a file with --store")
	}
	if scheme, _, ok := strings.Cut(path, "://"); ok {
		return fmt.Errorf("a store of the kind %q is not supported: give the path of a file, such as %s", scheme, config.DefaultStore)
	}
	return nil
}

// Close closes the corpus and its store.
func (c *Corpus) Close() error {
	if c == nil || c.store == nil {
		return nil
	}
	return c.store.Close()
}
