package lanes

import (
	"encoding/hex"
	"fmt"
	"maps"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// TestContentsAreThoseThatAreSeen resolves content keys that several passages of two blocks have, of which a
// set holds some; keys begin alike, as they need not be spread evenly.
func TestContentsAreThoseThatAreSeen(t *testing.T) {
	const keys = 500
	key := func(n int) string { return fmt.Sprintf("key %04d", n%keys) }
	name := func(block, at int) string { return fmt.Sprintf("%d/%d", block, at) }
	set := &rowSet{}
	var who []*identities
	want := map[document.PassageID]float64{}
	for block := range 2 {
		i := &identities{}
		rows := new(bitset)
		for at := 0; at < blockRows; at += 3 {
			i.keys[at], i.names[at] = key(at+block), name(block, at)
			if at%2 == 0 {
				rows.set(uint16(at))
				if n := (at + block) % keys; n%10 == 0 {
					want[document.PassageID(hex.EncodeToString([]byte(name(block, at))))] = float64(n)
				}
			}
		}
		i.sort()
		who = append(who, i)
		set.blocks = append(set.blocks, seenBlock{id: int64(7 + block), rows: rows})
	}
	found := &hitsOf{Reader: &Reader{Read: &Read{}}, in: set, at: map[int64]int{}}
	for n := 0; n < keys; n += 10 {
		found.content([]byte(key(n)), float64(n)-1, who)
		found.content([]byte(key(n)), float64(n), who) // another vector of it
	}
	found.content([]byte("of no passage"), 1, who)
	got := map[document.PassageID]float64{}
	for _, h := range found.hits {
		got[h.Passage] = h.Score
	}
	if len(found.hits) != len(want) || !maps.Equal(got, want) {
		t.Errorf("%d passages are found, want %d", len(found.hits), len(want))
	}
	for row, at := range found.at {
		if b := set.blocks[blockOf(row)-7]; !b.rows.has(placeOf(row)) || at >= len(found.hits) {
			t.Errorf("row %d is not of the set", row)
		}
	}
}
