// Package git reads the files that a Git repository tracks at one ref as a source.
//
// It runs the program git, with a configuration and an environment of its own, instead of
// speaking Git's protocols itself: keys and hosts of ssh, transfers and the checking of
// what comes are then git's, which its own releases keep safe, and this program is no
// larger for those who read no repository. Objects are fetched into a bare repository
// beside the store and the files written to a folder, which is read like any other, with
// its sidecars.
package git

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/retry"
	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/internal/source/mirror"
)

// Options of a repository.
type Options struct {
	// Dir is the folder of what was fetched.
	Dir string
	// MaxBytes is the largest file that is read.
	MaxBytes int64
	// Attachments gives what is attached to a message; see source.Options.
	Attachments func(name string, data []byte) []source.Attachment
	// Private allows addresses that are not of the public internet.
	Private bool
	// Commits is how many commits of the ref's line are looked at: 1 is the present alone,
	// more give what files were before as well.
	Commits int
	// Timeout is how long one try to fetch may take.
	Timeout time.Duration
	// Resolver finds the addresses of hosts. nil: the system's.
	Resolver *net.Resolver
	// Clock is the time that back-off goes by. nil: the real time.
	Clock retry.Clock
}

// Repository is a repository at one ref. It implements source.Place.
type Repository struct {
	at      address
	options Options
}

// Open looks at an address (see Prefix). Nothing is fetched.
func Open(root string, o Options) (*Repository, error) {
	at, err := parse(root)
	if err != nil {
		return nil, fmt.Errorf("the repository's address cannot be used: %w", err)
	}
	if o.Clock == nil {
		o.Clock = retry.Real{}
	}
	return &Repository{at, o}, nil
}

// Kind implements source.Place.
func (s *Repository) Kind() string { return "git" }

// Root implements source.Place.
func (s *Repository) Root() string { return s.at.String() }

// Name is a name for the source: that of the repository.
func (s *Repository) Name() string {
	return strings.TrimSuffix(filepath.Base(filepath.FromSlash(s.at.url.Path)), ".git")
}

// blob is what is noted with a file: the object that it was.
type blob struct {
	ID string `json:"id"`
}

// List implements source.Place: it fetches the ref and brings the folder up to date.
func (s *Repository) List(ctx context.Context) (source.Listing, error) {
	l, err := s.list(ctx)
	if err != nil && ctx.Err() == nil {
		return source.Listing{}, fmt.Errorf("repository %s: %w", s.Root(), err)
	}
	return l, err
}

func (s *Repository) list(ctx context.Context) (source.Listing, error) {
	copies, err := mirror.Open[blob](s.options.Dir, func(path string) string { return path })
	if err != nil {
		return source.Listing{}, err
	}
	defer copies.Close()
	repo, err := s.open(ctx, filepath.Join(s.options.Dir, "objects.git"))
	if err != nil {
		return source.Listing{}, err
	}
	if err := repo.fetch(ctx, s.options); err != nil {
		return source.Listing{}, err
	}
	tree, err := repo.tree(ctx, tip)
	if err != nil {
		return source.Listing{}, err
	}
	c := &checkout{repo: repo, copies: copies, max: s.options.MaxBytes, faults: map[string]error{}}
	if err := c.bring(ctx, tree); err != nil {
		return source.Listing{}, err
	}
	folder, err := source.Open(mirror.Data(s.options.Dir), source.Options{MaxBytes: s.options.MaxBytes, Attachments: s.options.Attachments, Copy: true})
	if err != nil {
		return source.Listing{}, err
	}
	l, err := folder.List(ctx)
	l.Skipped = append(l.Skipped, c.skipped...)
	if err == nil && s.options.Commits > 1 {
		err = s.past(ctx, repo, &l)
	}
	return l.With(c.faults), err
}

// checkout brings copies of files up to date with a tree.
type checkout struct {
	repo    *repository
	copies  *mirror.Mirror[blob]
	max     int64
	faults  map[string]error
	skipped []source.Skipped
}

func (c *checkout) bring(ctx context.Context, tree []file) error {
	var fetch []file
	there := map[string]bool{}
	for _, f := range tree {
		why := ""
		switch {
		case !utf8.ValidString(f.path) || !fs.ValidPath(f.path):
			why = "its name is none of a file here: rename it"
		case f.mode == "120000":
			why = "a symbolic link, not followed"
		case f.mode == "160000":
			why = "a submodule, not followed"
		case f.size > c.max && source.IsSidecar(f.path):
			why = "larger than a document"
		}
		if why != "" && source.IsSidecar(f.path) {
			return fmt.Errorf("the sidecar %s is not read (%s), and may close documents: make it a file", f.path, why)
		}
		switch {
		case why != "":
			c.skipped = append(c.skipped, source.Skipped{Path: strings.ToValidUTF8(f.path, "\uFFFD"), Reason: why})
			continue
		case f.size > c.max:
			c.faults[f.path] = source.TooLarge(f.size, c.max)
			continue
		}
		there[f.path] = true
		if e, ok := c.copies.Get(f.path); !ok || e.Note.ID != f.id || !c.copies.Whole(e) {
			fetch = append(fetch, f)
		}
	}
	// First what is gone, as a file may be a folder now.
	for _, path := range c.copies.Keys() {
		if !there[path] {
			if err := c.copies.Delete(path); err != nil {
				return err
			}
		}
	}
	return c.repo.blobs(ctx, fetch, func(f file, data []byte) error { return c.copies.Put(f.path, data, blob{f.id}) })
}
