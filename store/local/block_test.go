package local

import (
	"errors"
	"reflect"
	"testing"

	"github.com/seed-d3156d19/quarry/store"
)

// useBlock does with a block what sets do.
func useBlock(b *block) {
	set := &vectorSet{}
	set.where = set.where.copy()
	set.add(b)
	for slot := uint32(0); int(slot) < len(b.ids); slot = b.end(slot) {
		b.row(slot)
	}
	set.remove(0)
}

func TestBlockRoundTrip(t *testing.T) {
	w := newContent(2)
	w.add(3, "a", []float32{1, 2}, 2)
	w.add(9, "bc", []float32{3, -4, 5, 6}, 2)
	got, err := decodeContent(encodeKeys(w.keys), w.encode(), 2)
	if err != nil || !reflect.DeepEqual(got, w) {
		t.Errorf("%+v, %v; want %+v", got, err, w)
	}
	if want := []blockKey{{3, "a", 1}, {9, "bc", 2}}; !reflect.DeepEqual(got.keys, want) {
		t.Errorf("keys %v, want %v", got.keys, want)
	}
	floats := []float32{1, 2, 3, -4}
	if got, err := decodeFloats(encodeFloats(floats), 2); err != nil || !reflect.DeepEqual(got, floats) {
		t.Errorf("%v, %v", got, err)
	}
}

// Every damage of a block is found.
func TestDamagedBlock(t *testing.T) {
	w := newContent(3)
	w.add(3, "a", []float32{1, 2, 3}, 3)
	keys, body := encodeKeys(w.keys), w.encode()
	for _, part := range []struct {
		whole  []byte
		decode func([]byte) (*content, error)
	}{
		{keys, func(b []byte) (*content, error) { return decodeContent(b, body, 3) }},
		{body, func(b []byte) (*content, error) { return decodeContent(keys, b, 3) }},
	} {
		for i := range part.whole {
			broken := append([]byte{}, part.whole...)
			broken[i] ^= 0x10
			if _, err := part.decode(broken); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("byte %d flipped: %v", i, err)
			}
			if _, err := part.decode(part.whole[:i]); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("cut to %d bytes: %v", i, err)
			}
		}
	}
	for what, keys := range map[string][]blockKey{
		"one id twice":       {{1, "a", 1}, {1, "b", 1}},
		"no vector":          {{1, "a", 0}},
		"ids too far apart":  {{1, "a", 1}, {1 << 33, "b", 1}},
		"an id before first": {{0, "a", 1}},
	} {
		if _, err := decodeKeys(encodeKeys(keys)); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
