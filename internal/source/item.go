package source

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/seed-d3156d19/quarry/document"
)

// Item is one original of a listing.
type Item struct {
	Path string // the document's path: slashes, relative to the source
	Size int64  // in bytes, when it was listed
	Name string // a file name whose ending says the format; "": Path

	// Since is when the original came to be what it is, as far as its place knows.
	Since time.Time

	read     func(context.Context) (Original, error) // where the place is no folder
	in       place
	file     string // within that place; differs from Path in an archive and for a linked single file
	listed   fs.FileInfo
	meta     *folderMeta
	sidecars []string
	max      int64
	carrier  *Carrier
	// permitted is what the permissions of its file admit; nil where they do not count.
	permitted func() (document.Access, error)
	fault     error // why it cannot be read, where that is known already
}

// Read gives the original as it is now, with its sidecars and their hash. It
// holds at most MaxBytes+1 bytes of content. A document one of whose sidecars
// cannot be read is not read either: its access would be a guess. The sidecar
// of a folder is read once per listing. It may be called concurrently.
func (it Item) Read(ctx context.Context) (Original, error) {
	if err := ctx.Err(); err != nil {
		return Original{}, err
	}
	if it.read != nil {
		return it.read(ctx)
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
	original := Original{Bytes: data, Sidecars: sidecars, Carrier: it.carrier}
	if it.permitted != nil {
		access, err := it.permitted()
		if err != nil {
			return Original{}, fmt.Errorf("read %s: %w", it.Path, err)
		}
		original.Permitted = (*Permitted)(&access)
	}
	original.Hash = hash(data, sidecars, it.carrier, original.Permitted)
	return original, nil
}

// documentLimit is the configuration's name for Options.MaxBytes.
const documentLimit = "limits.document_bytes"

// hash frames every part by its length, so that no two different sets of
// parts can give the same bytes.
func hash(data []byte, sidecars []Sidecar, carrier *Carrier, permitted *Permitted) string {
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
	if permitted != nil {
		part([]byte("permitted"))
		part(fmt.Appendf(nil, "%t %q %q", permitted.Everyone, permitted.Readers, permitted.Deny))
	}
	return hex.EncodeToString(h.Sum(nil))
}
