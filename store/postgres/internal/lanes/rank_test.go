package lanes

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/store"
)

// TestARankingKeepsTheBestAndAllThatTieWithTheLast compares with sorting everything.
func TestARankingKeepsTheBestAndAllThatTieWithTheLast(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for _, k := range []int{-1, 0, 1, 10, 1000, math.MaxInt} {
		for _, distinct := range []int{1, 5, 1 << 20} {
			r := newRanking(k)
			var all []scoredRow
			for row := range int64(6000) {
				s := scoredRow{row, float64(rnd.IntN(distinct))}
				all = append(all, s)
				r.add(s.row, s.score)
			}
			slices.SortFunc(all, func(a, b scoredRow) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.row, b.row)) })
			want := all[:min(max(k, 0), len(all))]
			for len(want) > 0 && len(want) < len(all) && all[len(want)].score == want[len(want)-1].score {
				want = all[:len(want)+1]
			}
			r.rows()
			slices.SortFunc(r.kept, func(a, b scoredRow) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.row, b.row)) })
			if !slices.Equal(r.kept, want) {
				t.Errorf("k %d of %d scores: %d rows, want %d", k, distinct, len(r.kept), len(want))
			}
			if least, greatest := r.bounds(len(all)); least != all[len(all)-1].score || greatest != all[0].score || r.matched != len(all) {
				t.Errorf("k %d: from %v to %v of %d", k, least, greatest, r.matched)
			}
			if least, _ := r.bounds(len(all) + 1); least != 0 {
				t.Errorf("a row that matched nothing counts as %v", least)
			}
		}
	}
}

// TestAQuestionScoresByTheFormula scores lists of two blocks by store.BM25, row by row.
func TestAQuestionScoresByTheFormula(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	bm25 := store.BM25{K1: 0.9, B: 0.4, Weights: [store.Fields]float64{3, 2, 1}}
	x := New(bm25)
	const mean, weight, idf = 90.5, 0.7, 3.25
	s := share{scale: weight * idf * (bm25.K1 + 1), flat: bm25.K1 * (1 - bm25.B), slope: bm25.K1 * bm25.B / mean}
	var blocks []seenBlock
	var q question
	want := map[int64]float64{}
	lists := make([]list, 5)
	for _, id := range []int64{3, 9} {
		members := make([]member, blockRows)
		for at := range members {
			members[at] = member{at: uint16(at), document: 1, first: 1, gone: Forever, lengths: [store.Fields]uint32{1, 2, uint32(rnd.IntN(300))}}
		}
		b, err := x.decodeBlock(1, encodeMembers(members))
		if err != nil {
			t.Fatal(err)
		}
		seen := new(bitset)
		for range 3000 {
			seen.set(uint16(rnd.IntN(blockRows)))
		}
		blocks = append(blocks, seenBlock{id, b, seen})
		for i := range lists {
			entries := someEntries(rnd, words, 10+i*i*200)
			rows, weights := encodeList(words, entries)
			lists[i].blocks = append(lists[i].blocks, listed{id, rows, weights})
			for _, e := range entries {
				if seen.has(e.at) {
					length := float64(b.lengths[e.at])
					want[id*blockRows+int64(e.at)] += bm25.Score(weight, idf, weighted(bm25, e.frequency), length, mean)
				}
			}
		}
	}
	q = question{of: words, lists: lists, shares: slices.Repeat([]share{s}, len(lists))}
	sees := newRowSet(blocks)
	got := map[int64]float64{}
	if err := x.run(context.Background(), q, sees, func(row int64, score float64) { got[row] = score }); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Errorf("%d rows are scored, want %d", len(got), len(want))
	}
	for row, score := range want {
		if math.Abs(got[row]-score) > 1e-9 {
			t.Fatalf("row %d scores %v, want %v", row, got[row], score)
		}
		if alone, err := x.score(q, sees, row); err != nil || alone != got[row] {
			t.Fatalf("row %d alone scores %v, among all %v: %v", row, alone, got[row], err)
		}
	}
}

func TestThePlanOfAVectorSearchFollowsCounts(t *testing.T) {
	for _, c := range []struct {
		name                       string
		seen, embedded, vectors, k int
		exhaustive                 bool
	}{
		{"all of a large corpus", 200_000, 200_000, 200_000, 100, false},
		{"half of a large corpus", 100_000, 200_000, 200_000, 100, false},
		{"a tenant with half of the vectors", 100_000, 100_000, 200_000, 100, false},
		{"a tenant of 2 %", 4_000, 4_000, 200_000, 100, true},
		{"a tenant of 0.1 %", 200, 200, 200_000, 100, true},
		{"an attribute of 0.1 % of millions", 5_000, 5_000_000, 5_000_000, 100, true},
		{"an attribute of a tenth of millions", 500_000, 5_000_000, 5_000_000, 100, false},
		{"nearly all that there are is wanted", 200_000, 200_000, 200_000, 150_000, true},
		{"nothing counted yet", 1_000, 1_000, 0, 10, false},
	} {
		if got := choose(c.seen, c.embedded, c.vectors, c.k); got.exhaustive != c.exhaustive {
			t.Errorf("%s: exhaustive is %v: %+v", c.name, got.exhaustive, got)
		}
	}
}
