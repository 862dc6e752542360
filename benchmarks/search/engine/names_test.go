package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// TestNames reads numbers from ids again, and finds every id and key distinct, as hashes
// of different texts are.
func TestNames(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	seen := map[string]bool{}
	for range 10_000 {
		n, version := rnd.IntN(1<<40), rnd.Uint64N(256)
		id, key := names(n, version)
		got, err := number(id)
		if err != nil || got != n {
			t.Fatalf("number %d is read as %d from %s: %v", n, got, id, err)
		}
		if len(id) != 32 || len(key) != 32 || seen[string(id)] || seen[string(key)] {
			t.Fatalf("number %d, version %d has the id %s and the key %s", n, version, id, key)
		}
		seen[string(id)], seen[string(key)] = true, true
	}
	for _, id := range []document.PassageID{"", "00", "zz"} {
		if _, err := number(id); err == nil {
			t.Errorf("%q was read", id)
		}
	}
}
