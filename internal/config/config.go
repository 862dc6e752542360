// Package config reads quarry.yaml. One table of keys serves the decoder, its
// error messages and the documentation.
package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/store"
)

// File is the name that is looked for where no other is given.
const File = "quarry.yaml"

// maxBytes bounds the file; settings are a page of YAML.
const maxBytes = 1 << 20

// Settings are what a configuration says.
type Settings struct {
	// Store is the path of the store; "" where nothing was said.
	Store string
	// Embedding is the model that makes vectors: NoModel or BuiltIn.
	Embedding string
	// Quarry are the options of the corpus, without a store.
	Quarry quarry.Options
	// BM25 are the parameters of the keyword lane.
	BM25 store.BM25
}

// DefaultStore is the store that is used where none is named.
const DefaultStore = "quarry.db"

// The embedding models that a configuration can name.
const (
	NoModel = "none"
	BuiltIn = "built-in"
)

// Defaults are the settings of an empty file.
func Defaults() Settings {
	return Settings{Embedding: NoModel, Quarry: quarry.DefaultOptions(), BM25: store.DefaultBM25}
}

// Load reads a file. A relative store path in it counts from the file's folder.
func Load(name string) (Settings, error) {
	data, err := read(name)
	if err != nil {
		return Settings{}, err
	}
	s, err := Parse(name, data)
	if err == nil && s.Store != "" && !strings.Contains(s.Store, "://") && !filepath.IsAbs(s.Store) {
		s.Store = filepath.Join(filepath.Dir(name), s.Store)
	}
	return s, err
}

func read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		var p *os.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, fmt.Errorf("the configuration %s cannot be read: %w; name another with --config", name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the configuration %s is not a file: name another with --config", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading the configuration %s: %w", name, err)
	}
	if len(data) > maxBytes {
		return nil, fmt.Errorf("the configuration %s is larger than %d bytes: it is not one; name another with --config", name, maxBytes)
	}
	return data, nil
}

// Check reports the first setting that cannot be used, by its key.
func (s Settings) Check() error {
	if s.Embedding != "" && s.Embedding != NoModel && s.Embedding != BuiltIn {
		return fmt.Errorf("embedding.model is %q: give %s or %s", s.Embedding, NoModel, BuiltIn)
	}
	if err := s.Quarry.Check(); err != nil {
		return err
	}
	w := s.BM25.Weights
	switch {
	case s.BM25.K1 < 0:
		return fmt.Errorf("keyword.k1 is %g: give 0 or more", s.BM25.K1)
	case s.BM25.B < 0 || s.BM25.B > 1:
		return fmt.Errorf("keyword.b is %g: give 0 to 1", s.BM25.B)
	case w[store.Title] < 0 || w[store.HeadingPath] < 0 || w[store.Text] < 0:
		return errors.New("keyword.weights: give numbers that are not negative")
	case w == [store.Fields]float64{}:
		return errors.New("keyword.weights: give at least one above 0")
	}
	return nil
}
