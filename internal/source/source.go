// Package source finds the originals in a place that documents come from, in its
// archives and attached to its messages too, and reads them together with the
// sidecars that apply. It decides nothing about
// their content: a listing says what is there, what was left out and why, and
// whether the listing is complete, so that a sync removes a document only when
// it is known to be gone.
package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
)

// DefaultMaxBytes is the largest original that is read when Options says
// nothing else.
const DefaultMaxBytes = 32 << 20

// maxSidecarBytes bounds one sidecar; metadata is a page of YAML, not data.
const maxSidecarBytes = 1 << 20

var (
	// ErrGone is wrapped by the error of Item.Read when the original was there
	// when the source was listed and no longer is.
	ErrGone = errors.New("no longer there")
	// ErrChanged is wrapped when the original turned into something else (a
	// link, a folder, a device) or was written to while it was read.
	ErrChanged = errors.New("changed while the source was read; run it again")
	// ErrTooLarge is wrapped when the original exceeds Options.MaxBytes.
	ErrTooLarge = errors.New("too large")
)

// Options of a source.
type Options struct {
	// MaxBytes is the largest original that is read; 0 means DefaultMaxBytes.
	// The configuration calls it limits.document_bytes.
	MaxBytes int64
	// Attachments gives what is attached to a message, or to those of a mailbox; nil: it
	// is left out. It is asked again when an attachment is read and must then say the same.
	Attachments func(name string, data []byte) []Attachment
	// Permissions has originals carry what the permissions of their files admit.
	Permissions bool
	// Copy says that root is a copy of a place that is elsewhere: what lies above it is
	// not of the source.
	Copy bool
}

// Attachment is a file that is attached to a message.
type Attachment struct {
	// Path within the message: clean, each once.
	Path    string
	Data    []byte
	Carrier Carrier
}

// Carrier is the message that an original is attached to.
type Carrier struct {
	Title string       // its subject
	Date  document.Day // 0 if it has none
}

// Source is a folder or a single file. It may be used concurrently.
type Source struct {
	root string // absolute, symbolic links resolved
	file string // base name within root when the source is a single file
	name string // that file's name as it was given, the document's path
	o    Options
}

// Open looks at root, which may itself be a symbolic link, and says an error if
// it is neither a folder nor a regular file. Nothing is held open.
func Open(root string, o Options) (*Source, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("source %s: %w", root, err)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, fmt.Errorf("source %s: %w", root, plain(err))
	}
	info, err := os.Stat(real)
	if err != nil {
		return nil, fmt.Errorf("source %s: %w", root, plain(err))
	}
	if outer := outerSidecar(real, info.IsDir()); outer != "" && !o.Copy {
		return nil, fmt.Errorf("source %s lies below a folder with metadata of its own (%s), which may close it: add that folder, or copy the file into this one", root, outer)
	}
	switch {
	case info.IsDir():
		return &Source{root: real, o: o}, nil
	case info.Mode().IsRegular():
		return &Source{root: filepath.Dir(real), file: filepath.Base(real), name: filepath.Base(abs), o: o}, nil
	}
	return nil, fmt.Errorf("source %s is %s: give a folder or a file", root, describe(info.Mode()))
}

// outerSidecar finds a folder's sidecar above a source, "" if there is none. What
// it says is inherited by all that lies below; read from below, a closed folder
// would be open.
func outerSidecar(real string, dir bool) string {
	at := filepath.Dir(real)
	if !dir { // the sidecar of the file's own folder applies
		at = filepath.Dir(at)
	}
	for {
		for _, name := range []string{folderSidecar, misnamed(folderSidecar)} {
			if _, err := os.Lstat(filepath.Join(at, name)); err == nil {
				return filepath.Join(at, name)
			}
		}
		up := filepath.Dir(at)
		if up == at {
			return ""
		}
		at = up
	}
}

// Kind is "folder" or "file", as document.Source has it.
func (s *Source) Kind() string {
	if s.file != "" {
		return "file"
	}
	return "folder"
}

// Root is the absolute path of the folder or file, symbolic links resolved.
func (s *Source) Root() string { return filepath.Join(s.root, s.file) }

// Listing is what a source holds at one time.
type Listing struct {
	// Items are the originals, sorted by Path, each path once.
	Items []Item
	// Skipped are the things that are not documents or could not be looked at.
	Skipped []Skipped
	// Unread are the archives and messages that could not be looked into: what lay
	// in them (below the path and Inside) may still be there.
	Unread []string
	// Complete is false when a folder could not be listed: a document that is
	// not among Items may then still be there, and nothing may be removed.
	Complete bool
	// Past is what originals were before, the oldest first, where the place knows it. A
	// sync that adds the source takes it in.
	Past []Past
}

// Skipped is something that was left out, and why, in a few words. A path that
// is not valid UTF-8 has its invalid bytes replaced.
type Skipped struct {
	Path   string
	Reason string
}

// Original is a document as its source holds it.
type Original struct {
	Bytes []byte
	// Sidecars are those that apply, from the outermost folder's _meta.yaml
	// down to NAME.meta.yaml: the nearest comes last and wins.
	Sidecars []Sidecar
	// Carrier is the message that it is attached to, nil if to none.
	Carrier *Carrier
	// Permitted is what the permissions of the file that it is or lies in admit; nil
	// where they do not count.
	Permitted *Permitted
	// Hash is the hex SHA-256 of the content, of every sidecar's name and
	// content, of the carrier, and of what is permitted, framed by their lengths.
	Hash string
}

// Sidecar is a file of metadata.
type Sidecar struct {
	Name  string // slash path within the source
	Bytes []byte
}

// List finds the originals. An error means that nothing could be listed; a
// part that could not be listed makes the Listing incomplete. Items read from
// the place as it is when they are read.
func (s *Source) List(ctx context.Context) (Listing, error) {
	return s.listing(ctx, "", func(w *walk) error { return w.all(ctx, nil) })
}

// Find is List for one original: it looks into the folders on the way to it alone, and
// Items holds it or nothing.
func (s *Source) Find(ctx context.Context, path string) (Listing, error) {
	l, err := s.listing(ctx, path, func(w *walk) error { return w.way(ctx) })
	l.Items = slices.DeleteFunc(l.Items, func(it Item) bool { return it.Path != path })
	return l, err
}

func (s *Source) listing(ctx context.Context, only string, folder func(*walk) error) (Listing, error) {
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return Listing{}, fmt.Errorf("source %s: %w", s.Root(), plain(err))
	}
	// The root is not closed here: items read through it, and the runtime
	// closes it when the last of them is gone.
	w := &walk{in: disk{root}, max: s.o.MaxBytes, attachments: s.o.Attachments, only: only, shelf: &shelf{}, found: &found{}}
	if s.o.Permissions {
		w.permissions = &permissions{root: s.root, names: newAccounts()}
	}
	if s.file != "" {
		err = w.single(ctx, root, s.file, s.name)
	} else {
		err = folder(w)
	}
	if err != nil {
		return Listing{}, fmt.Errorf("source %s: %w", s.Root(), err)
	}
	return w.found.listing(), nil
}

// plain takes the path out of a file system error whose message names it again.
func plain(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func describe(m os.FileMode) string {
	switch {
	case m&os.ModeSymlink != 0:
		return "a symbolic link"
	case m.IsDir():
		return "a folder"
	case m&os.ModeNamedPipe != 0:
		return "a named pipe"
	case m&os.ModeSocket != 0:
		return "a socket"
	case m&os.ModeDevice != 0:
		return "a device"
	}
	return "not a regular file"
}
