package terms

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/store"
)

func TestRoundTrip(t *testing.T) {
	long := strings.Repeat("word", 10)
	for _, want := range []store.Terms{
		{},
		{
			Postings: []store.Posting{
				{Term: "limit", Field: store.Title, Positions: []uint32{0}},
				{Term: "limits", Field: store.Title, Positions: []uint32{1, 7, 4_000_000_000}},
				{Term: "a", Field: store.Text, Positions: []uint32{200}},
				{Term: "é", Field: store.Text, Positions: []uint32{0, 1}},
				{Term: long, Field: store.Text, Positions: []uint32{3}},
				{Term: long + "s", Field: store.Text, Positions: []uint32{4}},
			},
			Lengths:     [store.Fields]int{2, 0, 1 << 20},
			Identifiers: []store.Identifier{{Value: "id-1", Weight: 1}, {Value: "id-22", Weight: 0.25}},
		},
	} {
		raw := Append([]byte("before"), &want)
		got, err := Decode(raw[len("before"):])
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v\nwant %+v", got, err, want)
		}
		for i := range raw[len("before"):] {
			if _, err := Decode(raw[len("before") : len("before")+i]); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("cut to %d bytes it gives %v", i, err)
			}
		}
	}
}

// Decoding trusts nothing, and what it accepts it can encode again.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add(Append(nil, &store.Terms{
		Postings: []store.Posting{{Term: "limit", Field: store.Text, Positions: []uint32{0, 9}}}, Lengths: [store.Fields]int{0, 0, 10},
		Identifiers: []store.Identifier{{Value: "id-1", Weight: 0.5}},
	}))
	f.Add([]byte{1, 1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, raw []byte) {
		first, err := Decode(raw)
		if err != nil {
			if !errors.Is(err, store.ErrDamaged) {
				t.Error(err)
			}
			return
		}
		again, err := Decode(Append(nil, &first))
		if err != nil || !reflect.DeepEqual(again, first) {
			t.Errorf("%+v, %v\nwant %+v", again, err, first)
		}
	})
}
