package lanes

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seed-d3156d19/quarry/store"
)

// someMembers are passages of documents as revisions leave them: neighbours of one document,
// some closed, with gaps where rows were dropped.
func someMembers(rnd *rand.Rand) []member {
	var members []member
	document, first := int64(rnd.IntN(100)), int64(rnd.IntN(1000))
	gone := int64(Forever)
	for at := range uint16(blockRows) {
		if rnd.IntN(15) == 0 {
			document, first, gone = document+int64(rnd.IntN(5))-1, first+int64(rnd.IntN(9))-2, Forever
			if rnd.IntN(3) == 0 {
				gone = first + int64(rnd.IntN(4))
			}
		}
		if rnd.IntN(10) > 0 {
			members = append(members, member{at, document, first, gone, [store.Fields]uint32{uint32(rnd.IntN(9)), uint32(rnd.IntN(20)), uint32(rnd.IntN(500))}})
		}
	}
	return members
}

func TestBlocksComeBackAsTheyWereWritten(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	x := New(store.DefaultBM25)
	for range 20 {
		members := someMembers(rnd)
		body := encodeMembers(members)
		got, err := decodeMembers(body)
		if err != nil || !reflect.DeepEqual(got, members) {
			t.Fatalf("%d members: %v", len(members), err)
		}
		b, err := x.decodeBlock(1, body)
		if err != nil {
			t.Fatal(err)
		}
		revisions := map[int64]int64{}
		for range 40 {
			revisions[int64(rnd.IntN(600))] = int64(rnd.IntN(1500))
		}
		for _, m := range members[:len(members)/2] {
			if rnd.IntN(4) == 0 {
				revisions[m.document] = m.first
			}
		}
		var want bitset
		for _, m := range members {
			if r, ok := revisions[m.document]; ok && m.first <= r && r < m.gone {
				want.set(m.at)
			}
			if b.lengths[m.at] != float32(m.lengths[0]+m.lengths[1]+m.lengths[2]) {
				t.Fatalf("member %+v has the length %v", m, b.lengths[m.at])
			}
		}
		held := b.held(revisions)
		if held == nil {
			held = new(bitset)
		}
		if *held != want {
			t.Errorf("%d rows are held, want %d", held.count(), want.count())
		}
	}
}
