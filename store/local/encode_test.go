package local

import (
	"errors"
	"reflect"
	"testing"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// collect decodes terms back, with frequencies in place of positions.
func collect(b []byte) (lengths [store.Fields]int, postings map[string]int, identifiers map[string]float32, err error) {
	postings, identifiers = map[string]int{}, map[string]float32{}
	err = decodeTerms(b, visitor{
		lengths:    func(n [store.Fields]int) { lengths = n },
		posting:    func(f store.Field, term []byte, n int) { postings[string(rune('0'+f))+string(term)] = n },
		identifier: func(v []byte, w float32) { identifiers[string(v)] = w },
	})
	return
}

func TestTermsRoundTrip(t *testing.T) {
	r := storetest.Make("a", "# Limits id-1\nthe id-1 and the id-22 limit the rest")
	for _, terms := range append(r.Terms, r.Outline...) {
		lengths, postings, identifiers, err := collect(encodeTerms(terms))
		if err != nil {
			t.Fatal(err)
		}
		wantPostings, wantIdentifiers := map[string]int{}, map[string]float32{}
		for _, p := range terms.Postings {
			wantPostings[string(rune('0'+p.Field))+p.Term] = len(p.Positions)
		}
		for _, d := range terms.Identifiers {
			wantIdentifiers[d.Value] = d.Weight
		}
		if lengths != terms.Lengths || !reflect.DeepEqual(postings, wantPostings) || !reflect.DeepEqual(identifiers, wantIdentifiers) {
			t.Errorf("%v %v %v, want %v %v %v", lengths, postings, identifiers, terms.Lengths, wantPostings, wantIdentifiers)
		}
	}
}

// Every damage of an encoded value is found.
func TestDamagedTerms(t *testing.T) {
	whole := encodeTerms(storetest.Make("a", "some words id-1").Terms[0])
	for i := range whole {
		broken := append([]byte{}, whole...)
		broken[i] ^= 0x10
		if _, _, _, err := collect(broken); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("byte %d flipped: %v", i, err)
		}
		if _, _, _, err := collect(whole[:i]); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("cut to %d bytes: %v", i, err)
		}
	}
}

// Decoding trusts nothing, not even a checksum that matches.
func FuzzDecode(f *testing.F) {
	r := storetest.Make("a", "# Limits\nthe id-1 and the limit")
	f.Add(appendTerms(nil, r.Terms[0]))
	f.Add(encodeOutline(r.Outline)[:10])
	f.Add([]byte{1, 1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, body []byte) {
		b := seal(append([]byte{}, body...))
		if _, _, _, err := collect(b); err != nil && !errors.Is(err, store.ErrDamaged) {
			t.Error(err)
		}
		v := visitor{func([store.Fields]int) {}, func(store.Field, []byte, int) {}, func([]byte, float32) {}}
		if err := decodeOutline(b, func(int) {}, v); err != nil && !errors.Is(err, store.ErrDamaged) {
			t.Error(err)
		}
		if w, err := decodeWindows(b, 3); err == nil && len(w)%3 != 0 {
			t.Errorf("%d floats are no windows", len(w))
		}
		decodeTerms(body, v)
	})
}

func TestWindowsRoundTrip(t *testing.T) {
	got, err := decodeWindows(encodeWindows([][]float32{{1, 2}, {3, -4}}), 2)
	if err != nil || !reflect.DeepEqual(got, []float32{1, 2, 3, -4}) {
		t.Errorf("%v, %v", got, err)
	}
}
