package s3

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/internal/source/mirror"
	"github.com/seed-d3156d19/quarry/internal/source/remote"
)

// maxFailures is after how many objects in a row that fail for now the server is taken to
// be down.
const maxFailures = 5

// fetch brings copies of objects up to date with a listing.
type fetch struct {
	bucket   *Bucket
	client   *remote.Client
	copies   *mirror.Mirror[version]
	faults   map[string]error // of objects, by their path
	skipped  []source.Skipped
	failures int
}

// wanted is an object and the path of its copy.
type wanted struct {
	object
	path string
}

// all takes away the copies of what is gone and gets what is new or has changed: sidecars
// first, and without one of them nothing is read, as it may close documents.
func (f *fetch) all(ctx context.Context, objects []object) error {
	list, err := f.choose(objects)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, o := range list {
		there[o.path] = true
	}
	for _, p := range f.copies.Keys() {
		if !there[p] {
			if err := f.copies.Delete(p); err != nil {
				return err
			}
		}
	}
	slices.SortStableFunc(list, func(a, b wanted) int { return order(a.path) - order(b.path) })
	for _, o := range list {
		if e, ok := f.copies.Get(o.path); ok && o.ETag != "" && e.Note.ETag == o.ETag && f.copies.Whole(e) {
			continue
		}
		if err := f.one(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

func order(p string) int {
	if source.IsSidecar(p) {
		return 0
	}
	return 1
}

// choose gives the objects that can be files, each with its path.
func (f *fetch) choose(objects []object) ([]wanted, error) {
	folders := map[string]bool{}
	for _, o := range objects {
		for dir := path.Dir(o.Key); dir != "." && dir != "/"; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	var out []wanted
	for _, o := range objects {
		p, below := strings.CutPrefix(o.Key, f.bucket.prefix)
		why := ""
		switch {
		case !below:
			continue // the server gives what was not asked for
		case p == "" || strings.HasSuffix(p, "/") && o.Size == 0:
			continue // consoles make such objects to show folders
		case !utf8.ValidString(p) || !fs.ValidPath(p) || strings.ContainsRune(p, '\\') || strings.ContainsRune(p, 0):
			why = "its key is no name of a file here"
		case folders[o.Key]:
			why = "it is called like a folder"
		case source.IsSidecar(p) && o.Size > f.bucket.options.MaxBytes:
			why = "larger than a document"
		}
		switch {
		case why != "" && source.IsSidecar(p):
			return nil, fmt.Errorf("the sidecar %s is not read (%s), and may close documents: rename it", strings.ToValidUTF8(p, "\uFFFD"), why)
		case why != "":
			f.skipped = append(f.skipped, source.Skipped{Path: strings.ToValidUTF8(p, "\uFFFD"), Reason: why})
		case o.Size > f.bucket.options.MaxBytes:
			f.faults[p] = source.TooLarge(o.Size, f.bucket.options.MaxBytes)
		default:
			out = append(out, wanted{o, p})
		}
	}
	return out, nil
}

// one gets an object. What fails for now keeps its copy.
func (f *fetch) one(ctx context.Context, o wanted) error {
	if f.failures >= maxFailures {
		f.faults[o.path] = fmt.Errorf("%d objects in a row failed, so it was not asked for: %w", f.failures, source.ErrUnavailable)
		return nil
	}
	data, err := f.bucket.get(ctx, f.client, o.object)
	switch {
	case err == nil:
		f.failures = 0
		return f.copies.Put(o.path, data, version{o.ETag})
	case ctx.Err() != nil:
		return ctx.Err()
	case source.IsSidecar(o.path):
		return fmt.Errorf("the sidecar %s, which may close documents, cannot be had: %w", o.path, err)
	case errors.Is(err, source.ErrUnavailable):
		f.failures++
		f.faults[o.path] = err
		return nil
	}
	f.failures = 0
	f.faults[o.path] = err // gone, or closed
	return f.copies.Delete(o.path)
}
