package local

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/store"
)

// What a set finds is what its blocks hold, whatever set it was made from; and the
// sets before it stay what they were.
func TestSets(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	x := newNumbers()
	stored := map[int64][]blockKey{} // every block there ever was
	type state struct {
		set  *vectorSet
		want map[string]int64 // the id of a key's vectors
	}
	history := []state{{&vectorSet{model: store.Model{Name: "m", Dims: 2}}, map[string]int64{}}}
	var blocks []int64
	next := int64(1)
	for range 60 {
		// Some blocks go, and what they held stands in others, has other vectors or is gone.
		var keys []blockKey
		for range rnd.IntN(3) {
			if len(blocks) > 0 {
				at := rnd.IntN(len(blocks))
				for _, k := range stored[blocks[at]] {
					if rnd.IntN(4) > 0 {
						keys = append(keys, k)
					}
				}
				blocks = slices.Delete(blocks, at, at+1)
			}
		}
		for range rnd.IntN(200) {
			keys = append(keys, blockKey{next, fmt.Sprint("key", next), 1 + rnd.IntN(3)})
			next++
		}
		slices.SortFunc(keys, func(a, b blockKey) int { return int(a.id - b.id) })
		for part := range slices.Chunk(keys, 50) {
			id := int64(len(stored) + 1)
			stored[id] = part
			blocks = append(blocks, id)
		}
		s := state{want: map[string]int64{}}
		keyCount := 0
		for _, id := range blocks {
			for _, k := range stored[id] {
				s.want[k.key] = k.id
				keyCount++
			}
		}
		base := history[rnd.IntN(len(history))].set // also one from long ago
		var err error
		s.set, err = base.at(blocks, func(id int64) (*block, error) { return newBlock(id, stored[id], x), nil }, func(n int) error {
			if n != keyCount {
				t.Errorf("%d keys, want %d", n, keyCount)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		history = append(history, s)
	}
	for i, s := range history {
		for id := range next {
			key := fmt.Sprint("key", id)
			at := s.set.where.at(x.of(key, 0))
			want, ok := s.want[key]
			if ok != (at != 0) {
				t.Fatalf("state %d: %s is found: %v, want %v", i, key, at != 0, ok)
			}
			if ok {
				if b := s.set.blocks[at.block()]; b.row(at.slot()) != want || at.slot() > 0 && b.row(at.slot()-1) == want {
					t.Fatalf("state %d: %s is %d, want %d", i, key, b.row(at.slot()), want)
				}
			}
		}
	}
}

// A commit makes anew the pages of what it changed and no others.
func TestSetsShare(t *testing.T) {
	x := newNumbers()
	blocks := map[int64][]blockKey{}
	var ids []int64
	for i := range int64(40) {
		for n := range int64(1000) {
			blocks[i+1] = append(blocks[i+1], blockKey{i*1000 + n + 1, fmt.Sprint("key", i*1000+n), 1})
		}
		ids = append(ids, i+1)
	}
	blocks[100] = blocks[20][:999]
	read := func(id int64) (*block, error) { return newBlock(id, blocks[id], x), nil }
	fine := func(int) error { return nil }
	before, err := (&vectorSet{}).at(ids, read, fine)
	if err != nil {
		t.Fatal(err)
	}
	ids[19] = 100
	after, err := before.at(ids, read, fine)
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for i, p := range after.where.pages {
		if p != before.where.pages[i] {
			made++
		}
	}
	if len(after.where.pages) < 39 || made > 2 {
		t.Errorf("%d of %d pages are new", made, len(after.where.pages))
	}
	if same, err := after.at(ids, read, fine); same != after || err != nil {
		t.Errorf("without a change there is another set, %v", err)
	}
}

func TestNumbers(t *testing.T) {
	x := newNumbers()
	known := map[string]uint32{}
	rnd := rand.New(rand.NewPCG(9, 10))
	for range 20_000 {
		key := fmt.Sprintf("%0*d", []int{3, 16, 40}[rnd.IntN(3)], rnd.IntN(1000))
		got := x.of(key, uint32(rnd.IntN(3000)))
		if want, ok := known[key]; ok && got != want {
			t.Fatalf("%s is %d and was %d", key, got, want)
		}
		known[key] = got
	}
	taken := map[uint32]string{}
	for key, n := range known {
		if other, ok := taken[n]; ok {
			t.Fatalf("%s and %s are both %d", key, other, n)
		}
		taken[n] = key
	}
	if len(x.keys) != len(known) {
		t.Errorf("%d numbers for %d keys", len(x.keys), len(known))
	}
}
