package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// place is where files lie: a folder on disk, or an archive. Names are slash paths
// within it.
type place interface {
	// prefix makes a name in the place a path in the source: "" or "a.zip!/".
	prefix() string
	entries(dir string) ([]fs.DirEntry, error)
	// read gives a regular file of at most limit bytes; what exceeds it is
	// ErrTooLarge and names the key that raises the limit. listed is what the listing
	// saw of it, nil if it did not look.
	read(name string, listed fs.FileInfo, limit int64, key string) ([]byte, error)
}

// disk is a folder. It goes through os.Root, so that a folder that is replaced by a
// link while it is walked cannot lead outside.
type disk struct{ root *os.Root }

func (d disk) prefix() string { return "" }

func (d disk) entries(dir string) ([]fs.DirEntry, error) {
	f, err := d.root.OpenFile(dir, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

// open opens a regular file for reading. Nothing that is not a regular file is ever
// read, and opening one that has just become a pipe does not block. listed is what
// the listing saw, if it did.
func (d disk) open(name string, listed fs.FileInfo) (*os.File, fs.FileInfo, error) {
	if listed == nil {
		info, err := d.root.Lstat(name)
		if err != nil {
			return nil, nil, opening(err)
		}
		if !info.Mode().IsRegular() {
			return nil, nil, fmt.Errorf("it is %s, which is not followed", describe(info.Mode()))
		}
		listed = info
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, nil, opening(err)
	}
	info, err := d.stands(f, name, listed)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// stands is whether an opened file is a regular one and the one that the name means.
func (d disk) stands(f *os.File, name string, listed fs.FileInfo) (fs.FileInfo, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, plain(err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is now %s: %w", describe(info.Mode()), ErrChanged)
	}
	if !os.SameFile(listed, info) {
		// Saved anew under its name, which is fine, or a link put in its place:
		// os.Root follows links that stay inside.
		if now, err := d.root.Lstat(name); err != nil || !os.SameFile(now, info) {
			return nil, fmt.Errorf("it was replaced: %w", ErrChanged)
		}
	}
	return info, nil
}

// read reads a file whole, as far as it is not written to meanwhile.
func (d disk) read(name string, listed fs.FileInfo, limit int64, key string) ([]byte, error) {
	f, before, err := d.open(name, listed)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if before.Size() > limit {
		return nil, tooLarge(before.Size(), limit, key)
	}
	data, err := readUpTo(f, before.Size(), limit)
	if err != nil {
		return nil, plain(err)
	}
	if int64(len(data)) > limit {
		return nil, tooLarge(int64(len(data)), limit, key)
	}
	after, err := f.Stat()
	if err != nil {
		return nil, plain(err)
	}
	if after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) || int64(len(data)) != after.Size() {
		return nil, ErrChanged
	}
	return data, nil
}

// readUpTo reads at most limit+1 bytes, in one buffer where size is right.
func readUpTo(r io.Reader, size, limit int64) ([]byte, error) {
	r = io.LimitReader(r, limit+1)
	data := make([]byte, size+1)
	n, err := io.ReadFull(r, data)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return data[:n:n], nil
	}
	if err != nil {
		return nil, err
	}
	rest, err := io.ReadAll(r)
	return append(data, rest...), err
}

func opening(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrGone
	}
	return plain(err)
}

// TooLarge is the error of an original of so many bytes.
func TooLarge(size, limit int64) error { return tooLarge(size, limit, documentLimit) }

func tooLarge(size, limit int64, key string) error {
	if key == "" {
		return fmt.Errorf("%d bytes is more than the %d that a sidecar may have: %w", size, limit, ErrTooLarge)
	}
	return fmt.Errorf("%d bytes is more than the limit of %d: raise %s to index it: %w", size, limit, key, ErrTooLarge)
}
