package source

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
)

// form is what a file may be that others lie in.
type form string

const (
	formNone    form = ""
	formZip     form = "zip"
	formTar     form = "tar"
	formTarGzip form = "tar.gz"
	formMessage form = "message"
)

// formOf goes by the name, so that a listing need not open every file; whether the
// content agrees is seen when it is opened.
func formOf(name string) form {
	low := strings.ToLower(name)
	switch path.Ext(low) {
	case ".zip":
		return formZip
	case ".tar":
		return formTar
	case ".tgz":
		return formTarGzip
	case ".gz":
		if strings.HasSuffix(low, ".tar.gz") {
			return formTarGzip
		}
	case ".eml", ".mbox", ".mbx", ".msg":
		return formMessage
	}
	return formNone
}

// take lists a file: itself, or what lies in it. A message is a document and holds
// others.
func (w *walk) take(ctx context.Context, it Item) error {
	form := formOf(it.file)
	if form == formMessage || form == formNone {
		w.item(it)
	}
	if form == formNone || form == formMessage && w.attachments == nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	inner, err := w.within(it, form)
	if errors.Is(err, errDocument) {
		w.item(it)
		return nil
	}
	switch {
	case err != nil && form == formMessage && errors.Is(err, errNested):
		w.found.skipped = append(w.found.skipped, Skipped{it.Path, "what is attached: " + err.Error()})
	case err != nil:
		w.found.unread = append(w.found.unread, it.Path)
		if form != formMessage { // which says itself why it cannot be read
			it.fault = err
			w.item(it)
		}
	}
	if inner == nil {
		return nil
	}
	return inner.members(ctx, it, form)
}

func (w *walk) item(it Item) {
	if w.only == "" || it.Path == w.only {
		w.found.items = append(w.found.items, it)
	}
}

// members lists what an archive holds, like a folder whose sidecars the file's own
// are. What is attached to a message is written by others: nothing of it is a
// sidecar, nor hidden.
func (w *walk) members(ctx context.Context, it Item, form form) error {
	meta := it.meta
	for _, n := range it.sidecars {
		meta = &folderMeta{outer: meta, in: it.in, name: n, of: path.Base(it.file)}
	}
	if form != formMessage {
		return w.all(ctx, meta)
	}
	for _, m := range w.in.(*archive).members {
		inner := Item{Path: w.in.prefix() + m.path, Size: m.size, in: w.in, file: m.path, listed: m, meta: meta, max: w.max, carrier: m.carrier, permitted: w.permitted}
		if w.only != "" && inner.Path != w.only && !strings.HasPrefix(w.only, inner.Path+Inside) {
			continue
		}
		if err := w.take(ctx, inner); err != nil {
			return err
		}
	}
	return nil
}

// Within lists what lies in one original that lies in no folder: an archive's files,
// what is attached to a message. The original itself is among the items where it is a
// document or cannot be looked into. name says its form; the sidecars given stand above
// all within.
func Within(ctx context.Context, path, name string, data []byte, sidecars []Sidecar, o Options) (Listing, error) {
	w := &walk{in: handed(data), max: o.MaxBytes, attachments: o.Attachments, shelf: &shelf{}, found: &found{}}
	it := Item{Path: path, Size: int64(len(data)), in: w.in, file: name, max: w.max}
	for _, s := range sidecars {
		it.meta = &folderMeta{outer: it.meta, in: w.in, read: s}
		it.meta.once.Do(func() {}) // it is read
	}
	if err := w.take(ctx, it); err != nil {
		return Listing{}, err
	}
	return w.found.listing(), nil
}

// handed is the place of one original that somebody hands over.
type handed []byte

func (handed) prefix() string { return "" }

func (handed) entries(string) ([]fs.DirEntry, error) { return nil, nil }

func (h handed) read(_ string, _ fs.FileInfo, limit int64, key string) ([]byte, error) {
	if int64(len(h)) > limit {
		return nil, tooLarge(int64(len(h)), limit, key)
	}
	return h, nil
}

// within opens what a file holds; nil for nothing.
func (w *walk) within(it Item, form form) (*walk, error) {
	a := &archive{path: it.Path, level: w.level + 1, attached: it.carrier != nil}
	if a.level > maxNested {
		return nil, errNested
	}
	left := w.left
	if left == nil {
		left = newAllowance(it.Size)
	}
	var err error
	if d, ok := w.in.(disk); ok && (form == formZip || form == formTar) {
		a.open = func() (file, error) { return d.unchanged(it.file, it.listed) }
		err = a.scan(form, it.Size, w.max, left)
	} else {
		a.shelf = w.shelf
		err = w.hold(a, it, form, left)
	}
	if err != nil || len(a.members) == 0 {
		return nil, err
	}
	inner := &walk{in: a, level: a.level, max: w.max, attachments: w.attachments, only: w.only, carrier: it.carrier, permitted: it.permitted, left: left, shelf: w.shelf, found: w.found}
	for _, sentence := range a.arrange() {
		inner.skip(".", sentence)
	}
	return inner, nil
}
