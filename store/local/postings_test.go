package local

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/store"
)

// listed is an index of one term with a posting list.
func listed(list []posting, codes, lengths []code) *inverted {
	data := appendList(nil, list, codes, lengths)
	x := &inverted{rows: len(lengths), codes: codes, terms: column{n: 1, width: 1, data: "t"},
		count: numbers{4, string([]byte{byte(len(list)), byte(len(list) >> 8), byte(len(list) >> 16), 0})},
		lists: column{n: 1, width: len(data), data: string(data)}}
	for f := range x.lengths {
		var all []uint32
		for _, l := range lengths {
			all = append(all, l[f])
		}
		d := decoder{src: string(appendNumbers(nil, all))}
		x.lengths[f] = d.numbers(len(all))
	}
	x.weigh(&store.BM25{K1: 1.2, B: 0.75, Weights: [store.Fields]float64{2, 1.5, 1}})
	return x
}

// randomList takes one row of so many, with codes below a number.
func randomList(rnd *rand.Rand, rows, sparse, codes int) (list []posting, all, lengths []code) {
	for range codes {
		all = append(all, code{uint32(rnd.IntN(3)), uint32(rnd.IntN(2)), uint32(1 + rnd.IntN(1+rnd.IntN(400)))})
	}
	for row := range uint32(rows) {
		lengths = append(lengths, code{uint32(rnd.IntN(300)), uint32(rnd.IntN(5)), uint32(rnd.IntN(100_000))})
		if rnd.IntN(sparse) == 0 {
			list = append(list, posting{row, uint32(rnd.IntN(codes))})
		}
	}
	return list, all, lengths
}

// Posting lists of every density and number of codes are read back as they were, and
// no posting exceeds what the table says of its block.
func TestPostingLists(t *testing.T) {
	for _, c := range []struct{ rows, sparse, codes int }{
		{50, 1, 1}, {128, 1, 3}, {129, 1, 2}, {5_000, 1, 4}, {5_000, 3, 14}, {9_000, 12, 200},
		{60_000, 150, 300}, {400_000, 600, 70_000}, {100_000, 70_000, 5},
	} {
		t.Run(fmt.Sprintf("one row of %d in %d, %d codes", c.sparse, c.rows, c.codes), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(uint64(c.rows), uint64(c.codes)))
			list, codes, lengths := randomList(rnd, c.rows, c.sparse, c.codes)
			if len(list) == 0 {
				list = []posting{{uint32(c.rows - 1), 0}}
			}
			x := listed(list, codes, lengths)
			var got []posting
			var k cursor
			k.open(x, 0)
			if err := k.all(func(p posting) { got = append(got, p) }); err != nil || !slices.Equal(got, list) {
				t.Fatalf("%d postings are read as %d, %v", len(list), len(got), err)
			}
			some, common := newBitset(c.rows), 0
			at := map[uint32]uint32{}
			for _, p := range list {
				at[p.row] = p.code
			}
			k.open(x, 0)
			for row := range uint32(c.rows) {
				if rnd.IntN(3) > 0 {
					continue
				}
				some.set(row)
				want, held := at[row]
				if held {
					common++
				}
				if code, ok := k.has(row); ok != held || code != want {
					t.Fatalf("row %d: %d, %v; want %d, %v", row, code, ok, want, held)
				}
			}
			k.open(x, 0)
			if n := k.common(some); n != common {
				t.Errorf("%d rows in common, want %d", n, common)
			}
			bounded(t, x, list)
		})
	}
}

func bounded(t *testing.T, x *inverted, list []posting) {
	t.Helper()
	shares := []share{bm25Share(store.DefaultBM25, 1, 3, 90)}
	align(shares)
	var k cursor
	k.open(x, 0)
	k.share = shares[0]
	for i, p := range list {
		k.seek(p.row)
		if most, share := k.most(p.row+1), k.share.of(x.weights[p.code], x.length(p.row)); share > most {
			t.Fatalf("posting %d brings %g and its block %g at most", i, share, most)
		}
	}
}

// A list that is damaged behind its checksum is refused or read as another one, and
// nothing else happens.
func TestDamagedLists(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 9))
	for _, sparse := range []int{1, 9, 300} {
		list, codes, lengths := randomList(rnd, 200*sparse, sparse, 20)
		x := listed(list, codes, lengths)
		whole := x.lists.data
		among := newBitset(x.rows)
		for range 2_000 {
			broken := []byte(whole)
			broken[rnd.IntN(len(broken))] ^= byte(1 << rnd.IntN(8))
			x.lists.data = string(broken)
			var k cursor
			k.open(x, 0)
			k.all(func(p posting) {
				if int(p.row) >= x.rows || int(p.code) >= len(codes) {
					t.Fatalf("row %d of %d, code %d of %d", p.row, x.rows, p.code, len(codes))
				}
			})
			k.open(x, 0)
			k.common(among)
			k.open(x, 0)
			for row := 0; row < x.rows; row += 1 + rnd.IntN(sparse) {
				k.has(uint32(row))
			}
		}
	}
}

// The share of a term is the formula's, and sums do not depend on their order.
func TestShare(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	p := store.BM25{K1: 1.4, B: 0.6, Weights: [store.Fields]float64{1, 1, 1}}
	for range 200 {
		mean := float64(rnd.IntN(200))
		var shares []share
		var want []float64
		weight, length := float32(1+rnd.IntN(9)), float32(rnd.IntN(300))
		for range 12 {
			w, idf := rnd.Float64()*3, rnd.Float64()*12
			shares = append(shares, bm25Share(p, w, idf, mean))
			want = append(want, p.Score(w, idf, float64(weight), float64(length), mean))
		}
		align(shares)
		sum := func() (out float64) {
			for _, s := range shares {
				out += s.of(weight, length)
			}
			return out
		}
		for i, s := range shares {
			if got := s.of(weight, length); got-want[i] > 1e-9 || want[i]-got > 1e-9 {
				t.Fatalf("the share is %g, by the formula %g", got, want[i])
			}
		}
		first := sum()
		rnd.Shuffle(len(shares), func(i, j int) { shares[i], shares[j] = shares[j], shares[i] })
		if again := sum(); again != first {
			t.Fatalf("in another order the sum is %g, not %g", again, first)
		}
	}
}
