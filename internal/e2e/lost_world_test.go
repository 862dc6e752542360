package e2e

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
)

// world is a corpus before or after a fault was planted.
type world struct {
	*testing.T
	dir     string
	options quarry.Options
	wrap    func(store.View) store.View // what the index does to a view
	now     time.Time

	store  store.Store
	corpus *quarry.Corpus
}

func (w *world) file(name, text string) {
	w.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
		w.Fatal(err)
	}
}

// sync opens the corpus if need be and indexes the folder.
func (w *world) sync() {
	w.Helper()
	w.open()
	w.now = w.now.Add(24 * time.Hour)
	if _, err := w.corpus.Sync(w.Context(), "docs", w.dir, quarry.Progress{}); err != nil {
		w.Fatal(err)
	}
}

// open opens the corpus with the options as they are.
func (w *world) open() {
	w.Helper()
	if w.store == nil {
		s, err := local.Open(w.Context(), filepath.Join(w.TempDir(), "quarry.db"), local.Options{Clock: func() time.Time { return w.now }})
		if err != nil {
			w.Fatal(err)
		}
		w.Cleanup(func() { s.Close() })
		w.store = s
	}
	w.options.Store, w.options.Clock = faulty{w.store, w}, func() time.Time { return w.now }
	corpus, err := quarry.Open(w.options)
	if err != nil {
		w.Fatal(err)
	}
	w.corpus = corpus
}
