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
			lists[i].blocks = append(lists[i].blocks, newListed(id, rows, weights))
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
	all := newRanking(math.MaxInt)
	if err := x.rank(context.Background(), q, sees, all); err != nil {
		t.Fatal(err)
	}
	for _, s := range all.kept {
		got[s.row] = s.score
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

// TestTheBestAreThoseOfAllThatAreScored asks for few of the rows that a question matches, which leaves
// out what cannot be among them, and compares with the score of every row.
func TestTheBestAreThoseOfAllThatAreScored(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	for _, of := range []lane{words, identifiers} {
		for round := range 30 {
			x := New(store.BM25{K1: 1.2, B: 0.75, Weights: [store.Fields]float64{2, float64(round % 2), 1}})
			q, sees := someQuestion(t, x, rnd, of)
			var want []scoredRow
			hold := holders(t, q)
			for _, row := range sees.all() {
				score, err := x.score(q, sees, row)
				if err != nil {
					t.Fatal(err)
				}
				if b := hold[blockOf(row)]; b != nil && b.has(placeOf(row)) {
					want = append(want, scoredRow{row, score})
				}
			}
			slices.SortFunc(want, func(a, b scoredRow) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.row, b.row)) })
			for _, k := range []int{0, 1, 10, 100, 5000} {
				best := newRanking(k)
				if err := x.rank(context.Background(), q, sees, best); err != nil {
					t.Fatal(err)
				}
				top := want[:min(k, len(want))]
				for len(top) > 0 && len(top) < len(want) && want[len(top)].score == top[len(top)-1].score {
					top = want[:len(top)+1]
				}
				best.rows()
				slices.SortFunc(best.kept, func(a, b scoredRow) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.row, b.row)) })
				if !slices.Equal(best.kept, top) {
					t.Fatalf("lane %d, round %d, best %d of %d: %d rows, want %d", of, round, k, len(want), len(best.kept), len(top))
				}
				least, greatest := 0.0, 0.0
				if len(want) > 0 {
					greatest = want[0].score
				}
				if len(want) == sees.rows && len(want) > 0 {
					least = want[len(want)-1].score
				}
				if l, g := best.bounds(sees.rows); l != least || g != greatest || best.matched != len(want) {
					t.Fatalf("lane %d, round %d, best %d: from %v to %v of %d, want %v to %v of %d", of, round, k, l, g, best.matched, least, greatest, len(want))
				}
			}
		}
	}
}

// someQuestion is of frequent and of rare terms, over some blocks of which a set holds some rows or all.
func someQuestion(t *testing.T, x *Index, rnd *rand.Rand, of lane) (question, *rowSet) {
	q := question{of: of}
	for i := range 2 + rnd.IntN(10) {
		s := share{scale: 9 / float64(i+1), plain: of == identifiers}
		if of == words {
			s.flat, s.slope = 0.3, 0.9/100
		}
		q.shares, q.lists = append(q.shares, s), append(q.lists, list{})
	}
	var blocks []seenBlock
	for id := range int64(1 + rnd.IntN(6)) {
		var members []member
		for at := range uint16(blockRows) {
			members = append(members, member{at: at, document: 1, first: 1, gone: Forever, lengths: [store.Fields]uint32{1, 2, uint32(20 + rnd.IntN(160))}})
		}
		b, err := x.decodeBlock(1, encodeMembers(members))
		if err != nil {
			t.Fatal(err)
		}
		seen := new(bitset)
		for range 1 + rnd.IntN(3*blockRows) {
			seen.set(uint16(rnd.IntN(blockRows)))
		}
		blocks = append(blocks, seenBlock{id, b, seen})
		for i := range q.lists {
			if rnd.IntN(8) == 0 {
				continue
			}
			rows, weights := encodeList(of, someEntries(rnd, of, 1+i*i*20+rnd.IntN(50)))
			q.lists[i].blocks = append(q.lists[i].blocks, newListed(id, rows, weights))
		}
	}
	if rnd.IntN(3) == 0 { // every row holds a term
		for _, b := range blocks {
			var entries []entry
			for at := range uint16(blockRows) {
				entries = append(entries, entry{at: at, weight: 1, frequency: [store.Fields]uint32{0, 0, 1 + uint32(rnd.IntN(3))}})
			}
			rows, weights := encodeList(of, entries)
			last := &q.lists[len(q.lists)-1]
			last.blocks = slices.DeleteFunc(last.blocks, func(l listed) bool { return l.block == b.id })
			last.blocks = append(last.blocks, newListed(b.id, rows, weights))
		}
	}
	return q, newRowSet(blocks)
}

// holders are the rows of blocks that hold a term of a question.
func holders(t *testing.T, q question) map[int64]*bitset {
	out := map[int64]*bitset{}
	for _, l := range q.lists {
		for _, b := range l.blocks {
			if out[b.block] == nil {
				out[b.block] = new(bitset)
			}
			if err := out[b.block].add(b.rows); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
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
