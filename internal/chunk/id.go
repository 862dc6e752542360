package chunk

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
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
	h := digest{sha256.New()}
	h.str(x.document.Source)
	h.str(x.document.Path)
	h.num(len(path))
	for _, p := range path {
		h.str(p)
	}
	h.str(string(kind))
	h.str(text)
	h.num(n)
	return document.PassageID(h.hex())
}

func contentKey(context, text string) document.ContentKey {
	h := digest{sha256.New()}
	h.str(context)
	h.str(text)
	return document.ContentKey(h.hex())
}

// digest hashes values so that no two sequences of them give the same bytes.
type digest struct{ hash.Hash }

func (d digest) num(n int) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	d.Write(b[:])
}

func (d digest) str(s string) {
	d.num(len(s))
	d.Write([]byte(s))
}

func (d digest) hex() string { return hex.EncodeToString(d.Sum(nil)[:idBytes]) }
