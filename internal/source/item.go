package source

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
)

// Item is one original of a listing.
type Item struct {
	Path string // the document's path: slashes, relative to the source
	Size int64  // in bytes, when it was listed

	root     *os.Root
	file     string // within root; differs from Path only for a linked single file
	listed   fs.FileInfo
	meta     *folderMeta
	sidecars []string
	max      int64
}

// Read gives the original as it is now, with its sidecars and their hash. It
// holds at most MaxBytes+1 bytes of content. A document one of whose sidecars
// cannot be read is not read either: its access would be a guess. The sidecar
// of a folder is read once per listing. It may be called concurrently.
func (it Item) Read(ctx context.Context) (Original, error) {
	if err := ctx.Err(); err != nil {
		return Original{}, err
	}
	data, err := readFile(it.root, it.file, it.listed, it.max, "limits.document_bytes")
	if err != nil {
		return Original{}, fmt.Errorf("read %s: %w", it.Path, err)
	}
	sidecars, err := it.meta.chain()
	if err != nil {
		return Original{}, fmt.Errorf("read %s: %w", it.Path, err)
	}
	for _, name := range it.sidecars {
		if want := path.Base(it.file) + documentSidecar; path.Base(name) != want && path.Base(name) != folderSidecar && !strings.HasSuffix(name, ".yml") {
			return Original{}, fmt.Errorf("read %s: sidecar %s is not read under this name: rename it to %s", it.Path, name, want)
		}
		s, err := readSidecar(it.root, name)
		if err != nil {
			return Original{}, fmt.Errorf("read %s: %w", it.Path, err)
		}
		sidecars = append(sidecars, s)
	}
	return Original{Bytes: data, Sidecars: sidecars, Hash: hash(data, sidecars)}, nil
}

// folderMeta is a folder's sidecar and, through outer, those above it.
type folderMeta struct {
	outer *folderMeta
	name  string
	root  *os.Root

	once sync.Once
	read Sidecar
	err  error
}

// chain gives the sidecars from the outermost folder inwards.
func (m *folderMeta) chain() ([]Sidecar, error) {
	var up []*folderMeta
	for ; m != nil; m = m.outer {
		up = append(up, m)
	}
	out := make([]Sidecar, 0, len(up)+1)
	for i := len(up) - 1; i >= 0; i-- {
		m := up[i]
		m.once.Do(func() { m.read, m.err = readSidecar(m.root, m.name) })
		if m.err != nil {
			return nil, m.err
		}
		out = append(out, m.read)
	}
	return out, nil
}

func readSidecar(root *os.Root, name string) (Sidecar, error) {
	if strings.EqualFold(path.Base(name), folderSidecar) && path.Base(name) != folderSidecar {
		return Sidecar{}, fmt.Errorf("sidecar %s is not read under this name: rename it to %s", name, folderSidecar)
	}
	if strings.HasSuffix(strings.ToLower(name), ".yml") {
		return Sidecar{}, fmt.Errorf("sidecar %s is not read under this name: rename it to %s", name, strings.TrimSuffix(path.Base(name), "yml")+"yaml")
	}
	data, err := readFile(root, name, nil, maxSidecarBytes, "")
	if err != nil {
		return Sidecar{}, fmt.Errorf("sidecar %s: %w", name, err)
	}
	return Sidecar{Name: name, Bytes: data}, nil
}

// readFile reads a regular file of at most limit bytes. Nothing that is not a
// regular file is ever read, and opening one that has just become a pipe does
// not block. listed is what the listing saw, if it did.
func readFile(root *os.Root, name string, listed fs.FileInfo, limit int64, key string) ([]byte, error) {
	if listed == nil {
		info, err := root.Lstat(name)
		if err != nil {
			return nil, opening(err)
		}
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("it is %s, which is not followed", describe(info.Mode()))
		}
		listed = info
	}
	f, err := root.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, opening(err)
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return nil, plain(err)
	}
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("it is now %s: %w", describe(before.Mode()), ErrChanged)
	}
	if !os.SameFile(listed, before) {
		// Saved anew under its name, which is fine, or a link put in its place:
		// os.Root follows links that stay inside.
		if info, err := root.Lstat(name); err != nil || !os.SameFile(info, before) {
			return nil, fmt.Errorf("it was replaced: %w", ErrChanged)
		}
	}
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

func tooLarge(size, limit int64, key string) error {
	if key == "" {
		return fmt.Errorf("%d bytes is more than the %d that a sidecar may have: %w", size, limit, ErrTooLarge)
	}
	return fmt.Errorf("%d bytes is more than the limit of %d: raise %s to index it: %w", size, limit, key, ErrTooLarge)
}

// hash frames every part by its length, so that no two different sets of
// parts can give the same bytes.
func hash(data []byte, sidecars []Sidecar) string {
	h := sha256.New()
	part := func(b []byte) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(b)))
		h.Write(n[:])
		h.Write(b)
	}
	part(data)
	for _, s := range sidecars {
		part([]byte(s.Name))
		part(s.Bytes)
	}
	return hex.EncodeToString(h.Sum(nil))
}
