package standard

import (
	"errors"
	"fmt"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/source"
)

// ErrNoPlace is wrapped for a source that is nowhere to be read from: its documents
// came through the library.
var ErrNoPlace = errors.New("its documents were given by a program, which alone can give them again")

// Place opens the place that the documents of a source come from, as its kind says.
func (c *Corpus) Place(s document.Source) (quarry.Place, error) {
	switch s.Kind {
	case "folder", "file":
		return source.Open(s.Root, source.Options{MaxBytes: c.settings.Quarry.DocumentBytes})
	}
	return nil, fmt.Errorf("source %s: %w", s.Name, ErrNoPlace)
}
