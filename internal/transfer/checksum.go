package transfer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// digest is of one revision or failure with all that belongs to it: SHA-256 over its
// fields in their order, each as its length or number and its bytes.
type digest [sha256.Size]byte

// digestsOf are those of the revisions of a document, and last of its failure if it has one.
func digestsOf(w store.Whole) []digest {
	var out []digest
	for i := range w.Revisions {
		out = append(out, digestOf(&w.Revisions[i]))
	}
	if w.Failure != nil {
		out = append(out, digestOf(w.Failure))
	}
	return out
}

func digestOf(v any) (d digest) {
	e := encoder{hash: sha256.New()}
	e.value(reflect.ValueOf(v).Elem())
	e.flush()
	e.hash.Sum(d[:0])
	return d
}

// encoder writes values so that no two that differ are written alike. What is empty and
// what is not there are the same to a store, and are the same here.
type encoder struct {
	hash hash.Hash
	b    []byte
}

func (e *encoder) flush() {
	e.hash.Write(e.b)
	e.b = e.b[:0]
}

func (e *encoder) number(n uint64) {
	e.b = binary.AppendUvarint(e.b, n)
	if len(e.b) > 1<<12 {
		e.flush()
	}
}

func (e *encoder) text(s string) {
	// A database of UTF-8 text may hold no NUL: it has the replacement character for it.
	s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	e.number(uint64(len(s)))
	e.b = append(e.b, s...)
}

func (e *encoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		e.text(v.String())
	case reflect.Bool:
		if v.Bool() {
			e.number(1)
		} else {
			e.number(0)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.b = binary.AppendVarint(e.b, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		e.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		e.number(math.Float64bits(v.Float()))
	case reflect.Slice, reflect.Array:
		e.number(uint64(v.Len()))
		for i := range v.Len() {
			e.value(v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys() // strings, in every type of this project that is kept
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		e.number(uint64(len(keys)))
		for _, k := range keys {
			e.value(k)
			e.value(v.MapIndex(k))
		}
	case reflect.Struct:
		if t, ok := v.Interface().(time.Time); ok {
			e.b = binary.AppendVarint(e.b, t.Unix())
			e.number(uint64(t.Nanosecond()))
			return
		}
		for i := range v.NumField() {
			e.value(v.Field(i))
		}
	default: // of no kind that is kept; a test finds fields that do not count
		e.text(v.Type().String())
	}
}

// checksum is of all that is copied, in the order of sources and paths: of the vectors
// those of the model in force.
type checksum struct{ encoder }

func newChecksum() *checksum { return &checksum{encoder{hash: sha256.New()}} }

func (c *checksum) source(s document.Source) { c.value(reflect.ValueOf(s)) }

func (c *checksum) document(id document.ID, sums []digest) {
	c.text(id.Path)
	c.number(uint64(len(sums)))
	for _, d := range sums {
		c.b = append(c.b, d[:]...)
	}
}

func (c *checksum) vectors(v store.Vectors) { c.value(reflect.ValueOf(v)) }

func (c *checksum) hex() string {
	c.flush()
	return hex.EncodeToString(c.hash.Sum(nil))
}
