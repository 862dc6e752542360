package source

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"
)

// Place is where the documents of a source come from: a folder, a site, a
// repository, a bucket. A sync lists it, reads what it lists, and compares that with
// what is indexed. Its methods are not called concurrently, those of the items of a
// listing are.
//
// What a place has to keep between syncs, so that an unchanged original is not
// fetched again and an interrupted listing goes on where it stopped, is its own: a
// place that has forgotten all of it gives the same items, only later.
type Place interface {
	// Kind is what document.Source.Kind says: "folder", "file", "site", "git", "bucket".
	Kind() string
	// Root says where it is, the same at every sync, and holds no secret: it is
	// stored, shown and opened again by.
	Root() string
	// List finds the originals. An error means that nothing could be listed. Where a
	// part could not be, Listing.Complete is false, and a document that is not among
	// the items may still be there. What failed for now only is tried again, with
	// back-off, before it is given up.
	List(ctx context.Context) (Listing, error)
}

// ErrUnavailable is wrapped by the error of Item.Read where the original could not be
// had now and nothing is known of it: a server that fails, a time limit. What was
// indexed of it stays as it was.
var ErrUnavailable = errors.New("not to be had now")

// NewItem is an original of a place that is no folder. name is a file name whose
// ending says the format; read may be called concurrently.
func NewItem(path, name string, size int64, read func(context.Context) (Original, error)) Item {
	return Item{Path: path, Size: size, Name: name, read: read}
}

// Bare is an original without sidecars.
func Bare(data []byte) Original { return Original{Bytes: data, Hash: hash(data, nil, nil, nil)} }

// Of is the original with another content, as of an earlier day: today's sidecars apply.
func (o Original) Of(data []byte) Original {
	o.Bytes, o.Hash = data, hash(data, o.Sidecars, o.Carrier, o.Permitted)
	return o
}

// Past is what some originals of a place were on an earlier day.
type Past struct {
	Since time.Time
	Items []Item
}

// With gives the listing with items that cannot be read, each with its error, in the
// place of those of the same path. What lay in one that is not to be had now may still be
// there. What a folder hides is left out here too.
func (l Listing) With(faults map[string]error) Listing {
	items := slices.DeleteFunc(slices.Clone(l.Items), func(it Item) bool { return faults[it.Path] != nil })
	for path, err := range faults {
		if strings.HasPrefix(path, ".") || strings.Contains(path, "/.") {
			l.Skipped = append(l.Skipped, Skipped{path, "hidden (its name or a folder's begins with a dot)"})
			continue
		}
		items = append(items, NewItem(path, path, 0, func(context.Context) (Original, error) { return Original{}, err }))
		if errors.Is(err, ErrUnavailable) {
			l.Unread = append(l.Unread, path)
		}
	}
	slices.SortFunc(items, func(a, b Item) int { return strings.Compare(a.Path, b.Path) })
	l.Items = items
	return l
}

// IsSidecar reports whether a file of this slash path says who may read others, or is
// meant to: a copy of a place without it would open what it closes.
func IsSidecar(p string) bool { return isFolderSidecar(path.Base(p)) || isSidecar(path.Base(p)) }
