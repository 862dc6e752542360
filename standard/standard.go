// Package standard opens a corpus with everything built in. It is the one place
// that names drivers; the command and the server use it.
package standard

import (
	"context"
	"os"
	"path/filepath"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/store"
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
	beside   string // what files beside the store are named by
}

// Open opens the store at path, a file or a postgres:// address, and makes it if it is not there.
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
	if err := openModels(&s); err != nil {
		return nil, err
	}
	if err := openGuard(&s); err != nil {
		return nil, err
	}
	opened, err := openStore(ctx, path, s, existing)
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
	beside, err := Beside(path)
	if err != nil {
		opened.Close()
		return nil, err
	}
	if abs, err := filepath.Abs(beside); err == nil {
		beside = abs
	}
	return &Corpus{corpus, opened, withSources(s), beside}, nil
}

// Bytes is how much room the store takes where it lies: the size of its file, or of its
// tables with their indexes. 0 where that is not known.
func (c *Corpus) Bytes(ctx context.Context) (int64, error) {
	if sized, ok := c.store.(interface {
		Size(context.Context) (int64, error)
	}); ok {
		return sized.Size(ctx)
	}
	info, err := os.Stat(c.beside)
	if err != nil {
		return 0, nil // it is no file
	}
	return info.Size(), nil
}

// Close closes the corpus and its store.
func (c *Corpus) Close() error {
	if c == nil || c.store == nil {
		return nil
	}
	return c.store.Close()
}
