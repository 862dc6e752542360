package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
)

// walk lists one place, and those within its files.
type walk struct {
	in          place
	level       int // of the archive that the place is; 0 on disk
	max         int64
	attachments func(name string, data []byte) []Attachment
	only        string   // the one item that is wanted; "" is all
	carrier     *Carrier // of what lies in the place
	permissions *permissions
	permitted   func() (document.Access, error) // of the file that the place is; nil on disk
	left        *allowance
	shelf       *shelf
	found       *found
}

// found is what a walk and those within it found.
type found struct {
	items   []Item
	skipped []Skipped
	unread  []string
	partial bool
}

// folder is a folder on the way, with what its documents inherit.
type folder struct {
	path string // "." for the root
	meta *folderMeta
}

// all lists a place from its root, with what the root inherits.
func (w *walk) all(ctx context.Context, meta *folderMeta) error {
	// A stack instead of recursion: depth is the file system's to choose.
	todo := []folder{{path: ".", meta: meta}}
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		inner, err := w.descend(ctx, d)
		if err != nil && d.path == "." {
			return plain(err)
		}
		todo = append(todo, inner...)
	}
	return nil
}

// way goes down to one item, from folder to folder.
func (w *walk) way(ctx context.Context) error {
	for d := (folder{path: "."}); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		inner, err := w.descend(ctx, d)
		if err != nil && d.path == "." {
			return plain(err)
		}
		i := slices.IndexFunc(inner, func(f folder) bool { return strings.HasPrefix(w.only, f.path+"/") })
		if i < 0 {
			return nil
		}
		d = inner[i]
	}
}

// descend lists one folder and gives those in it. One that cannot be listed is
// reported and makes the whole partial.
func (w *walk) descend(ctx context.Context, d folder) ([]folder, error) {
	entries, err := w.in.entries(d.path)
	if err != nil {
		w.skip(d.path, "the folder cannot be listed: "+plain(err).Error())
		w.found.partial = true
		return nil, err
	}
	return w.folder(ctx, d, entries)
}

// folder sorts the entries of one folder into items, folders to go on with and
// things to report.
func (w *walk) folder(ctx context.Context, d folder, entries []fs.DirEntry) ([]folder, error) {
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		names[e.Name()] = true
	}
	meta := d.meta
	for _, n := range slices.Sorted(maps.Keys(names)) {
		if isFolderSidecar(n) {
			meta = &folderMeta{in: w.in, outer: meta, name: path.Join(d.path, n)}
		}
	}
	sidecars := map[string][]string{} // by what they are for
	documents := map[string]bool{}    // what a sidecar may be for
	for _, n := range slices.Sorted(maps.Keys(names)) {
		if isSidecar(n) {
			sidecars[sidecarBase(n)] = append(sidecars[sidecarBase(n)], n)
			continue
		}
		for _, b := range bases(n) {
			documents[b] = true
		}
	}
	var inner []folder
	hidden := 0
	for _, e := range entries {
		name := e.Name()
		p := path.Join(d.path, name)
		switch {
		case !utf8.ValidString(name):
			w.skip(p, "the name is not valid UTF-8: rename it")
		case strings.HasPrefix(name, "."):
			hidden++
		case isFolderSidecar(name):
		case w.orphan(name, documents):
			w.skip(p, "a sidecar without its document")
		case isSidecar(name):
		case e.IsDir():
			inner = append(inner, folder{path: p, meta: meta})
		case !e.Type().IsRegular():
			w.skip(p, describe(e.Type())+", not followed")
		default:
			if err := w.add(ctx, e, p, name, meta, sidecars); err != nil {
				return nil, err
			}
		}
	}
	switch {
	case hidden == 1:
		w.skip(d.path, "1 hidden file or folder (its name begins with a dot)")
	case hidden > 1:
		w.skip(d.path, fmt.Sprintf("%d hidden files or folders (their names begin with a dot)", hidden))
	}
	return inner, nil
}

func (w *walk) orphan(name string, documents map[string]bool) bool {
	if !isSidecar(name) {
		return false
	}
	return !documents[sidecarBase(name)]
}

func (w *walk) add(ctx context.Context, e fs.DirEntry, p, name string, meta *folderMeta, sidecars map[string][]string) error {
	whole := w.in.prefix() + p
	if w.only != "" && whole != w.only && !strings.HasPrefix(w.only, whole+Inside) {
		return nil
	}
	info, err := e.Info()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // gone since the folder was read: it is not there
	case err != nil:
		// It may well be there: like a folder that cannot be listed.
		w.skip(p, "it cannot be looked at: "+plain(err).Error())
		w.found.partial = true
		return nil
	}
	it := Item{Path: whole, Size: info.Size(), in: w.in, file: p, listed: info, meta: meta, max: w.max, carrier: w.carrier, permitted: w.permittedOf(p)}
	for i, base := range bases(name) {
		if i > 0 && base == strings.ToLower(name) {
			break
		}
		for _, n := range sidecars[base] {
			it.sidecars = append(it.sidecars, path.Join(path.Dir(p), n))
		}
	}
	return w.take(ctx, it)
}

// single lists a source that is one file: the sidecars of its own folder apply.
func (w *walk) single(ctx context.Context, root *os.Root, file, name string) error {
	info, err := root.Lstat(file)
	if err != nil {
		return plain(err)
	}
	if !utf8.ValidString(name) || strings.HasSuffix(file, documentSidecar) || file == folderSidecar {
		return errors.New("the file cannot be a document: its name is a sidecar's or not valid UTF-8")
	}
	it := Item{Path: name, Size: info.Size(), in: w.in, file: file, listed: info, max: w.max, permitted: w.permittedOf(file)}
	for _, n := range []string{folderSidecar, misnamed(folderSidecar), file + documentSidecar, file + misnamed(documentSidecar)} {
		switch _, err := root.Lstat(n); {
		case err == nil:
			it.sidecars = append(it.sidecars, n)
		case !errors.Is(err, fs.ErrNotExist):
			return plain(err)
		}
	}
	return w.take(ctx, it)
}

// permittedOf gives what the permissions of a file of the place admit; nil where they do
// not count. What lies in an archive is as that is.
func (w *walk) permittedOf(file string) func() (document.Access, error) {
	d, ok := w.in.(disk)
	if w.permissions == nil || !ok {
		return w.permitted
	}
	return func() (document.Access, error) { return w.permissions.of(d.root, file) }
}

// skip reports what was left out; p lies in the place that is walked.
func (w *walk) skip(p, reason string) {
	if prefix := w.in.prefix(); prefix != "" && p == "." {
		p = strings.TrimSuffix(prefix, Inside)
	} else {
		p = prefix + p
	}
	w.found.skipped = append(w.found.skipped, Skipped{Path: strings.ToValidUTF8(p, "\uFFFD"), Reason: reason})
}

func (f *found) listing() Listing {
	slices.SortStableFunc(f.items, func(a, b Item) int { return strings.Compare(a.Path, b.Path) })
	// A folder may be named as the inside of an archive beside it.
	f.items = slices.CompactFunc(f.items, func(a, b Item) bool {
		same := a.Path == b.Path
		if same {
			f.skipped = append(f.skipped, Skipped{b.Path, "a folder and an archive make this path: rename one of them"})
		}
		return same
	})
	slices.SortFunc(f.skipped, func(a, b Skipped) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Reason, b.Reason))
	})
	return Listing{Items: f.items, Skipped: f.skipped, Unread: f.unread, Complete: !f.partial}
}
