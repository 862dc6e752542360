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
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/internal/source/mirror"
)

// Options of a repository.
type Options struct {
	// Dir is the folder of what was fetched.
	Dir string
	// MaxBytes is the largest file that is read.
	MaxBytes int64
	// Private allows addresses that are not of the public internet.
	Private bool
	// Timeout is how long one fetch may take.
	Timeout time.Duration
	// Resolver finds the addresses of hosts. nil: the system's.
	Resolver *net.Resolver
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
	if err := repo.fetch(ctx, s.options.Timeout); err != nil {
		return source.Listing{}, err
	}
	tree, err := repo.tree(ctx)
	if err != nil {
		return source.Listing{}, err
	}
	c := &checkout{repo: repo, copies: copies, max: s.options.MaxBytes, faults: map[string]error{}}
	if err := c.bring(ctx, tree); err != nil {
		return source.Listing{}, err
	}
	folder, err := source.Open(mirror.Data(s.options.Dir), source.Options{MaxBytes: s.options.MaxBytes, Copy: true})
	if err != nil {
		return source.Listing{}, err
	}
	l, err := folder.List(ctx)
	l.Skipped = append(l.Skipped, c.skipped...)
	return l.With(c.faults), err
}

// tip is where the ref is kept that was fetched.
const tip = "refs/quarry/tip"

func (r *repository) fetch(ctx context.Context, timeout time.Duration) error {
	within, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	_, err := r.run(within, "fetch", "--quiet", "--no-tags", "--depth=1", "--force", "--no-write-fetch-head", "--end-of-options", r.at.url.String(), "+"+r.at.ref+":"+tip)
	if within.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("git fetch takes longer than %s: raise sources.git.timeout", timeout)
	}
	return err
}

// file is an entry of a tree.
type file struct {
	mode, id, path string
	size           int64
}

// tree lists the files at the tip.
func (r *repository) tree(ctx context.Context) ([]file, error) {
	out, err := r.run(ctx, "ls-tree", "-r", "-z", "--long", "--full-tree", tip)
	if err != nil {
		return nil, err
	}
	var files []file
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		meta, path, ok := strings.Cut(entry, "\t")
		part := strings.Fields(meta) // mode, type, id, size
		if !ok || len(part) != 4 {
			if entry == "" {
				continue
			}
			return nil, errors.New("git ls-tree gives what it should not")
		}
		size, _ := strconv.ParseInt(part[3], 10, 64) // "-" for what is no file
		files = append(files, file{part[0], part[2], path, size})
	}
	return files, nil
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
			c.faults[f.path] = fmt.Errorf("%d bytes is more than the limit of %d: raise limits.document_bytes to index it: %w", f.size, c.max, source.ErrTooLarge)
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

// blobs reads the contents of files, in one run of git.
func (r *repository) blobs(ctx context.Context, files []file, each func(file, []byte) error) error {
	if len(files) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := r.command(ctx, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	answers := bufio.NewReader(out)
	for _, f := range files {
		data, err := ask(in, answers, f)
		if err == nil {
			err = each(f, data)
		}
		if err != nil {
			cancel()
			cmd.Wait()
			return err
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	return nil
}

// ask asks for one object: git answers "ID TYPE SIZE", a line feed, the content and
// another line feed.
func ask(in io.Writer, answers *bufio.Reader, f file) ([]byte, error) {
	bad := func(err error) ([]byte, error) {
		return nil, fmt.Errorf("git cat-file gives no content of %s: %w", f.path, err)
	}
	if _, err := fmt.Fprintln(in, f.id); err != nil {
		return bad(err)
	}
	line, err := answers.ReadString('\n')
	if err != nil {
		return bad(err)
	}
	if want := fmt.Sprintf("%s blob %d\n", f.id, f.size); line != want {
		return bad(errors.New(strings.TrimSpace(line)))
	}
	data := make([]byte, f.size+1)
	if _, err := io.ReadFull(answers, data); err != nil {
		return bad(err)
	}
	return data[:f.size], nil
}
