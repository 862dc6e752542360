package chunk

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

// idBytes is the length of ids and keys before they are written in hex. At 16
// bytes two of a billion passages collide with a chance of 10^-21.
const idBytes = 16

// identifier makes the ids of a document's passages.
type identifier struct {
	document document.ID
	seen     map[sameness]int
	buf      digest
}

// sameness is what equal passages share; the n-th of them differs by n alone.
type sameness struct {
	path string
	kind document.Kind
	text string
}

func newIdentifier(id document.ID) *identifier {
	return &identifier{document: id, seen: map[sameness]int{}}
}

func (x *identifier) id(path []string, kind document.Kind, text string) document.PassageID {
	same := sameness{strings.Join(path, "\x00"), kind, text}
	n := x.seen[same]
	x.seen[same] = n + 1
	h := &x.buf
	h.str(x.document.Source)
	h.str(x.document.Path)
	h.num(len(path))
	for _, p := range path {
		h.str(p)
	}
	h.str(string(kind))
	h.str(text)
	h.num(n)
	return document.PassageID(h.sum())
}

func (x *identifier) key(context, text string) document.ContentKey {
	x.buf.str(context)
	x.buf.str(text)
	return document.ContentKey(x.buf.sum())
}

// digest collects values to hash, each with its length, so that no two sequences
// of values give the same bytes.
type digest []byte

func (d *digest) num(n int) { *d = binary.BigEndian.AppendUint64(*d, uint64(n)) }

func (d *digest) str(s string) {
	d.num(len(s))
	*d = append(*d, s...)
}

// sum gives the hash of what was collected, in hex, and begins anew.
func (d *digest) sum() string {
	h := sha256.Sum256(*d)
	*d = (*d)[:0]
	return hex.EncodeToString(h[:idBytes])
}
