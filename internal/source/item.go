package source

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// Item is one original of a listing.
type Item struct {
	Path string // the document's path: slashes, relative to the source
	Size int64  // in bytes, when it was listed

	in       place
	file     string // within that place; differs from Path in an archive and for a linked single file
	listed   fs.FileInfo
	meta     *folderMeta
	sidecars []string
	max      int64
	carrier  *Carrier
	fault    error // why it cannot be read, where that is known already
}

// Read gives the original as it is now, with its sidecars and their hash. It
// holds at most MaxBytes+1 bytes of content. A document one of whose sidecars
// cannot be read is not read either: its access would be a guess. The sidecar
// of a folder is read once per listing. It may be called concurrently.
func (it Item) Read(ctx context.Context) (Original, error) {
	if err := ctx.Err(); err != nil {
		return Original{}, err
	}
	if it.fault != nil {
		return Original{}, fmt.Errorf("read %s: %w", it.Path, it.fault)
	}
	data, err := it.in.read(it.file, it.listed, it.max, documentLimit)
	if err != nil {
		return Original{}, fmt.Errorf("read %s: %w", it.Path, err)
	}
	sidecars, err := it.meta.chain()
	if err != nil {
		return Original{}, fmt.Errorf("read %s: %w", it.Path, err)
	}
	for _, name := range it.sidecars {
		s, err := readSidecar(it.in, name, path.Base(it.file))
		if err != nil {
			return Original{}, fmt.Errorf("read %s: %w", it.Path, err)
		}
		sidecars = append(sidecars, s)
	}
	return Original{Bytes: data, Sidecars: sidecars, Carrier: it.carrier, Hash: hash(data, sidecars, it.carrier)}, nil
}

// documentLimit is the configuration's name for Options.MaxBytes.
const documentLimit = "limits.document_bytes"

// folderMeta is a folder's sidecar, or that of an archive, which is one too, and,
// through outer, those above it.
type folderMeta struct {
	outer *folderMeta
	in    place
	name  string // within that place
	of    string // the archive's own name; "" for a folder

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
		m.once.Do(func() { m.read, m.err = readSidecar(m.in, m.name, m.of) })
		if m.err != nil {
			return nil, m.err
		}
		out = append(out, m.read)
	}
	return out, nil
}

// readSidecar reads the sidecar of a folder, or that of the file whose name is of.
func readSidecar(in place, name, of string) (Sidecar, error) {
	shown := in.prefix() + name
	base := path.Base(name)
	want := of + documentSidecar
	if of == "" || strings.EqualFold(base, folderSidecar) {
		want = folderSidecar
	}
	if strings.HasSuffix(strings.ToLower(base), ".yml") {
		want = strings.TrimSuffix(base, "yml") + "yaml"
	}
	if base != want {
		return Sidecar{}, fmt.Errorf("sidecar %s is not read under this name: rename it to %s", shown, want)
	}
	data, err := in.read(name, nil, maxSidecarBytes, "")
	if err != nil {
		return Sidecar{}, fmt.Errorf("sidecar %s: %w", shown, err)
	}
	return Sidecar{Name: shown, Bytes: data}, nil
}

// hash frames every part by its length, so that no two different sets of
// parts can give the same bytes.
func hash(data []byte, sidecars []Sidecar, carrier *Carrier) string {
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
	if carrier != nil {
		part([]byte(carrier.Title))
		part([]byte(carrier.Date.String()))
	}
	return hex.EncodeToString(h.Sum(nil))
}
