package lanes

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/store"
)

// someEntries are n entries at random places, of which a tenth have frequencies that a code
// does not hold.
func someEntries(rnd *rand.Rand, of lane, n int) []entry {
	entries := make([]entry, n)
	for i, at := range rnd.Perm(blockRows)[:n] {
		e := entry{at: uint16(at)}
		switch {
		case of == identifiers:
			e.weight = 1 - rnd.Float32()
		case rnd.IntN(10) == 0:
			e.frequency = [store.Fields]uint32{rnd.Uint32(), uint32(rnd.IntN(5)), uint32(1 + rnd.IntN(40))}
		default:
			e.frequency = [store.Fields]uint32{uint32(rnd.IntN(3)), uint32(rnd.IntN(4)), uint32(1 + rnd.IntN(15))}
		}
		entries[i] = e
	}
	slices.SortFunc(entries, func(a, b entry) int { return int(a.at) - int(b.at) })
	return entries
}

func TestListsComeBackAsTheyWereWritten(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	x := New(store.BM25{K1: 1.2, B: 0.75, Weights: [store.Fields]float64{2, 1.5, 1}})
	for _, of := range []lane{words, identifiers, outline} {
		for _, n := range []int{1, 2, 255, 256, 257, 1000, blockRows - 1, blockRows} {
			entries := someEntries(rnd, of, n)
			rows, weights := encodeList(of, entries)
			if len(rows) > denseBytes {
				t.Errorf("%d rows take %d bytes", n, len(rows))
			}
			got, err := decodeList(of, rows, weights)
			if err != nil || !reflect.DeepEqual(got, entries) {
				t.Fatalf("lane %d, %d entries: %v", of, n, err)
			}
			var d decoded
			if err := x.scored(of, rows, weights, &d); err != nil {
				t.Fatal(err)
			}
			for i, e := range entries {
				want := float64(e.weight)
				if of != identifiers {
					want = weighted(x.bm25, e.frequency)
				}
				one, ok, err := x.weightAt(of, newListed(0, rows, weights), e.at)
				if d.at[i] != e.at || d.weights[i] != want || !ok || err != nil || one != want {
					t.Fatalf("lane %d, entry %+v: decoded %v, alone %v, want %v", of, e, d.weights[i], one, want)
				}
			}
			checkSets(t, rnd, rows, entries)
		}
	}
}

// checkSets compares the operations on sets with those on entries.
func checkSets(t *testing.T, rnd *rand.Rand, rows []byte, entries []entry) {
	t.Helper()
	var some, all bitset
	for range 1000 {
		some.set(uint16(rnd.IntN(blockRows)))
	}
	want := 0
	for _, e := range entries {
		if some.has(e.at) {
			want++
		}
	}
	got, err := common(rows, &some)
	if err != nil || got != want {
		t.Errorf("%d of %d rows in the set, want %d: %v", got, len(entries), want, err)
	}
	if err := all.add(rows); err != nil || all.count() != len(entries) {
		t.Errorf("%d of %d rows added: %v", all.count(), len(entries), err)
	}
}

func TestABitsetIsFilledFromTo(t *testing.T) {
	for _, c := range [][2]uint16{{0, 0}, {0, 63}, {0, 64}, {5, 9}, {63, 64}, {64, 127}, {100, 1000}, {0, blockRows - 1}, {blockRows - 1, blockRows - 1}} {
		var b bitset
		b.fill(c[0], c[1])
		var at []uint16
		b.each(func(p uint16) { at = append(at, p) })
		if len(at) != int(c[1]-c[0])+1 || at[0] != c[0] || at[len(at)-1] != c[1] || b.count() != len(at) {
			t.Errorf("from %d to %d: %d bits from %d to %d", c[0], c[1], len(at), at[0], at[len(at)-1])
		}
	}
}

// FuzzDamagedLists feeds the decoders what no encoder wrote: they may give anything but an
// error that is not ErrDamaged, or a place outside of the block.
func FuzzDamagedLists(f *testing.F) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{3, 300} {
		rows, weights := encodeList(words, someEntries(rnd, words, n))
		f.Add(rows, weights, encodeMembers([]member{{at: 7, document: 1, first: 2, gone: Forever}}))
	}
	x := New(store.DefaultBM25)
	f.Fuzz(func(t *testing.T, rows, weights, members []byte) {
		var d decoded
		for _, of := range []lane{words, identifiers} {
			if entries, err := decodeList(of, rows, weights); err == nil {
				for _, e := range entries {
					if e.at >= blockRows {
						t.Errorf("place %d", e.at)
					}
				}
			} else if !errors.Is(err, store.ErrDamaged) {
				t.Error(err)
			}
			if err := x.scored(of, rows, weights, &d); err != nil && !errors.Is(err, store.ErrDamaged) {
				t.Error(err)
			}
		}
		var b bitset
		b.add(rows)
		common(rows, &b)
		if _, err := x.decodeBlock(1, members); err != nil && !errors.Is(err, store.ErrDamaged) {
			t.Error(err)
		}
	})
}
