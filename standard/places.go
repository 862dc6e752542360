package standard

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/internal/source/git"
	"github.com/seed-d3156d19/quarry/internal/source/mirror"
	"github.com/seed-d3156d19/quarry/internal/source/remote"
	"github.com/seed-d3156d19/quarry/internal/source/s3"
	"github.com/seed-d3156d19/quarry/internal/source/web"
)

// ErrNoPlace is wrapped for a source that is nowhere to be read from: its documents
// came through the library.
var ErrNoPlace = errors.New("its documents were given by a program, which alone can give them again")

// Locate reads the address of a place that is no folder, as people write it. The source's
// name is a suggestion.
func Locate(address string) (document.Source, error) {
	scheme, _, _ := strings.Cut(address, ":")
	if strings.HasPrefix(address, git.Prefix) {
		repository, err := git.Open(address, git.Options{})
		if err != nil {
			return document.Source{}, err
		}
		return located(repository, repository.Name()), nil
	}
	switch scheme {
	case "s3":
		bucket, err := s3.Open(address, s3.Options{})
		if err != nil {
			return document.Source{}, err
		}
		return located(bucket, bucket.Name()), nil
	case "http", "https":
		if strings.HasSuffix(strings.TrimRight(address, "/"), ".git") {
			return document.Source{}, fmt.Errorf("%s looks like a repository: write git+%s to read its files, or add the site by another address", address, address)
		}
		site, err := web.Open(address, web.Options{})
		if err != nil {
			return document.Source{}, err
		}
		return located(site, strings.TrimPrefix(strings.TrimPrefix(site.Root(), "https://"), "http://")), nil
	}
	return document.Source{}, fmt.Errorf("sources of the kind %q are not supported: give a folder, a file, or an address that begins with https://, git+https://, git+ssh://, git+file:// or s3://", scheme)
}

func located(p quarry.Place, name string) document.Source {
	return document.Source{Name: strings.Trim(name, "/"), Kind: p.Kind(), Root: p.Root()}
}

// Place opens the place that the documents of a source come from, as its kind says.
func (c *Corpus) Place(s document.Source) (quarry.Place, error) {
	switch s.Kind {
	case "folder", "file":
		return source.Open(s.Root, source.Options{MaxBytes: c.settings.Quarry.DocumentBytes, Permissions: c.settings.Quarry.Permissions == quarry.POSIX, Attachments: extract.Attachments})
	case "site":
		site := c.settings.Sources.Site
		return web.Open(s.Root, web.Options{Dir: c.fetched(s.Root), MaxBytes: c.maxBytes(), MaxPages: site.Pages,
			Options: remote.Options{Private: c.settings.Sources.Private, Delay: time.Duration(site.DelaySeconds * float64(time.Second)),
				Timeout: time.Duration(site.TimeoutSeconds) * time.Second, Patience: time.Duration(site.PatienceSeconds) * time.Second}})
	case "bucket":
		at := c.settings.Sources.S3
		return s3.Open(s.Root, s3.Options{Dir: c.fetched(s.Root), MaxBytes: c.maxBytes(), Attachments: extract.Attachments, MaxObjects: at.Objects, URL: at.URL, Region: at.Region,
			Key: s3.Key{ID: os.Getenv("AWS_ACCESS_KEY_ID"), Secret: os.Getenv("AWS_SECRET_ACCESS_KEY"), Session: os.Getenv("AWS_SESSION_TOKEN")},
			Options: remote.Options{Private: c.settings.Sources.Private, Timeout: time.Duration(at.TimeoutSeconds) * time.Second,
				Patience: time.Duration(at.PatienceSeconds) * time.Second}})
	case "git":
		return git.Open(s.Root, git.Options{Dir: c.fetched(s.Root), MaxBytes: c.maxBytes(), Attachments: extract.Attachments, Private: c.settings.Sources.Private,
			Commits: c.settings.Sources.Git.Commits, Timeout: time.Duration(c.settings.Sources.Git.TimeoutSeconds) * time.Second})
	}
	return nil, fmt.Errorf("source %s: %w", s.Name, ErrNoPlace)
}

func (c *Corpus) maxBytes() int64 {
	return cmp.Or(c.settings.Quarry.DocumentBytes, source.DefaultMaxBytes)
}

// fetched is the folder of what was fetched from a place.
func (c *Corpus) fetched(root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(c.beside+".sources", hex.EncodeToString(sum[:8]))
}

// Fetched counts the copies of what was fetched of a document's source that still name it. Of
// folders and files nothing is copied, and the copies of a source that is removed go with it.
func (c *Corpus) Fetched(ctx context.Context, id document.ID) (int, error) {
	sources, err := c.Sources(ctx)
	if err != nil {
		return 0, err
	}
	for _, s := range sources {
		if s.Name != id.Source || s.Kind == "folder" || s.Kind == "file" {
			continue
		}
		return mirror.Naming(c.fetched(s.Root), id.Path)
	}
	return 0, nil
}

// RemoveSource deletes a source and all its documents from the corpus, and what was
// fetched of it.
func (c *Corpus) RemoveSource(ctx context.Context, name string) error {
	sources, err := c.Sources(ctx)
	if err != nil {
		return err
	}
	if err := c.Corpus.RemoveSource(ctx, name); err != nil {
		return err
	}
	for _, s := range sources {
		if s.Name != name || s.Kind == "folder" || s.Kind == "file" {
			continue
		}
		if err := os.RemoveAll(c.fetched(s.Root)); err != nil {
			return fmt.Errorf("the source is removed, but what was fetched of it is not: %w", err)
		}
		os.Remove(c.beside + ".sources") // once it is empty
	}
	return nil
}

// withSources fills in the settings of sources where none are given.
func withSources(s Settings) Settings {
	if s.Sources == (config.Sources{}) {
		s.Sources = config.Defaults().Sources
	}
	return s
}
