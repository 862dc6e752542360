// Package web reads the pages of a site as a source: those that its sitemaps list and
// those that are reached by links, within the address that the source was added by.
//
// A site is asked as it wants to be asked (robots.txt, Crawl-delay, Retry-After), one
// request at a time, and says itself what has changed (ETag, Last-Modified). It is not
// trusted: package remote bounds where a request may go and what an answer may cost, this
// package which pages belong to the source and how many they may be.
package web

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/internal/source/mirror"
	"github.com/seed-d3156d19/quarry/internal/source/remote"
)

// Options of a site.
type Options struct {
	remote.Options
	// Dir is the folder of what was fetched.
	Dir string
	// MaxBytes is the largest page that is read.
	MaxBytes int64
	// MaxPages is how many addresses are asked for at most.
	MaxPages int
}

// Site is a site, or a part of one. It implements source.Place.
type Site struct {
	root    string
	scope   scope
	options Options
}

// Open looks at an address. Nothing is fetched.
func Open(root string, o Options) (*Site, error) {
	s, err := scopeOf(root)
	if err != nil {
		return nil, fmt.Errorf("the site's address cannot be used: %w", err)
	}
	return &Site{root: s.start.String(), scope: s, options: o}, nil
}

// Kind implements source.Place.
func (s *Site) Kind() string { return "site" }

// Root implements source.Place: the address in its canonical form.
func (s *Site) Root() string { return s.root }

// List implements source.Place: it crawls the site. Pages are read from what the crawl
// has kept.
func (s *Site) List(ctx context.Context) (source.Listing, error) {
	kept, err := mirror.Open[note](s.options.Dir, nil)
	if err != nil {
		return source.Listing{}, fmt.Errorf("site %s: %w", s.root, err)
	}
	c := &crawl{site: s, client: remote.New(s.options.Options), kept: kept, room: maxRemembered, seen: map[string]bool{}, paths: map[string]string{}}
	err = c.all(ctx)
	if failed := kept.Close(); err == nil {
		err = failed
	}
	if err != nil {
		if ctx.Err() != nil {
			return source.Listing{}, ctx.Err()
		}
		return source.Listing{}, fmt.Errorf("site %s: %w", s.root, err)
	}
	return c.listing(), nil
}

// note is what is kept with a page: what its server said of it, and what it links to.
type note struct {
	ETag     string   `json:"etag,omitempty"`
	Modified string   `json:"modified,omitempty"`
	Ending   string   `json:"ending"` // of a file name, for its format
	Links    []string `json:"links,omitempty"`
	NoIndex  bool     `json:"noindex,omitempty"`
}

// errNoStart is the error of a crawl whose first page is none of the source.
var errNoStart = errors.New("nothing was changed")
