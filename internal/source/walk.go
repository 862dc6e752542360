package source

import (
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
)

const (
	folderSidecar   = "_meta.yaml"
	documentSidecar = ".meta.yaml"
)

// walk lists one source. It goes through os.Root, so that a folder that is
// replaced by a link while it is walked cannot lead outside.
type walk struct {
	root    *os.Root
	max     int64
	only    string // the one item that is wanted; "" is all
	items   []Item
	skipped []Skipped
	partial bool
}

// folder is a folder on the way, with what its documents inherit.
type folder struct {
	path string // "." for the root
	meta *folderMeta
}

func (w *walk) all(ctx context.Context) error {
	// A stack instead of recursion: depth is the file system's to choose.
	todo := []folder{{path: "."}}
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		inner, err := w.descend(d)
		if err != nil && d.path == "." {
			return plain(err)
		}
		todo = append(todo, inner...)
	}
	return nil
}

// way goes down to one item, from folder to folder.
func (w *walk) way(ctx context.Context, to string) error {
	w.only = to
	for d := (folder{path: "."}); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		inner, err := w.descend(d)
		if err != nil && d.path == "." {
			return plain(err)
		}
		i := slices.IndexFunc(inner, func(f folder) bool { return strings.HasPrefix(to, f.path+"/") })
		if i < 0 {
			return nil
		}
		d = inner[i]
	}
}

// descend lists one folder and gives those in it. One that cannot be listed is
// reported and makes the whole partial.
func (w *walk) descend(d folder) ([]folder, error) {
	entries, err := w.entries(d.path)
	if err != nil {
		w.skip(d.path, "the folder cannot be listed: "+plain(err).Error())
		w.partial = true
		return nil, err
	}
	return w.folder(d, entries), nil
}

func (w *walk) entries(dir string) ([]fs.DirEntry, error) {
	f, err := w.root.OpenFile(dir, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

// folder sorts the entries of one folder into items, folders to go on with and
// things to report.
func (w *walk) folder(d folder, entries []fs.DirEntry) []folder {
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		names[e.Name()] = true
	}
	meta := d.meta
	for _, n := range slices.Sorted(maps.Keys(names)) {
		if isFolderSidecar(n) {
			meta = &folderMeta{root: w.root, outer: meta, name: path.Join(d.path, n)}
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
			w.add(e, p, name, meta, sidecars)
		}
	}
	switch {
	case hidden == 1:
		w.skip(d.path, "1 hidden file or folder (its name begins with a dot)")
	case hidden > 1:
		w.skip(d.path, fmt.Sprintf("%d hidden files or folders (their names begin with a dot)", hidden))
	}
	return inner
}

// misnamed is the spelling of a sidecar's name that people try. It is treated
// as a sidecar that cannot be read: ignoring it could publish a document that
// it closes.
func misnamed(sidecar string) string { return strings.TrimSuffix(sidecar, "yaml") + "yml" }

// isFolderSidecar recognises a folder's sidecar in any case. Only the exact name
// can be read; the others close like one that cannot.
func isFolderSidecar(name string) bool {
	low := strings.ToLower(name)
	return low == folderSidecar || low == misnamed(folderSidecar)
}

func isSidecar(name string) bool {
	low := strings.ToLower(name)
	return strings.HasSuffix(low, documentSidecar) || strings.HasSuffix(low, misnamed(documentSidecar))
}

// sidecarBase is what a sidecar is for, in lower case: the name of a document,
// with its ending as it should be, or without.
func sidecarBase(sidecar string) string {
	low := strings.ToLower(sidecar)
	return strings.TrimSuffix(strings.TrimSuffix(low, documentSidecar), misnamed(documentSidecar))
}

// bases are the names under which a sidecar may be meant for a document.
func bases(document string) [2]string {
	low := strings.ToLower(document)
	return [2]string{low, strings.TrimSuffix(low, path.Ext(low))}
}

func (w *walk) orphan(name string, documents map[string]bool) bool {
	if !isSidecar(name) {
		return false
	}
	return !documents[sidecarBase(name)]
}

func (w *walk) add(e fs.DirEntry, p, name string, meta *folderMeta, sidecars map[string][]string) {
	if w.only != "" && p != w.only {
		return
	}
	info, err := e.Info()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return // gone since the folder was read: it is not there
	case err != nil:
		// It may well be there: like a folder that cannot be listed.
		w.skip(p, "it cannot be looked at: "+plain(err).Error())
		w.partial = true
		return
	}
	it := Item{Path: p, Size: info.Size(), root: w.root, file: p, listed: info, meta: meta, max: w.max}
	for i, base := range bases(name) {
		if i > 0 && base == strings.ToLower(name) {
			break
		}
		for _, n := range sidecars[base] {
			it.sidecars = append(it.sidecars, path.Join(path.Dir(p), n))
		}
	}
	w.items = append(w.items, it)
}

// single lists a source that is one file: the sidecars of its own folder apply.
func (w *walk) single(file, name string) error {
	info, err := w.root.Lstat(file)
	if err != nil {
		return plain(err)
	}
	if !utf8.ValidString(name) || strings.HasSuffix(file, documentSidecar) || file == folderSidecar {
		return errors.New("the file cannot be a document: its name is a sidecar's or not valid UTF-8")
	}
	it := Item{Path: name, Size: info.Size(), root: w.root, file: file, listed: info, max: w.max}
	for _, n := range []string{folderSidecar, misnamed(folderSidecar), file + documentSidecar, file + misnamed(documentSidecar)} {
		switch _, err := w.root.Lstat(n); {
		case err == nil:
			it.sidecars = append(it.sidecars, n)
		case !errors.Is(err, fs.ErrNotExist):
			return plain(err)
		}
	}
	w.items = append(w.items, it)
	return nil
}

func (w *walk) skip(p, reason string) {
	w.skipped = append(w.skipped, Skipped{Path: strings.ToValidUTF8(p, "\uFFFD"), Reason: reason})
}

func (w *walk) listing() Listing {
	slices.SortFunc(w.items, func(a, b Item) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(w.skipped, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	return Listing{Items: w.items, Skipped: w.skipped, Complete: !w.partial}
}
