package local

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// plain is the keyword lane without an index: every passage is scored by the formula.
type plain struct {
	bm25 store.BM25
	docs map[string]store.Revision
}

type scoredPassage struct {
	id    document.PassageID
	score float64
}

// ranks gives every passage of some documents that a scope sees and a term is in, the
// best first, and how many it sees there. The statistics are of all documents.
func (p *plain) ranks(scope document.Scope, only func(path string) bool, question []store.QueryTerm) (out []scoredPassage, seen int) {
	type unit struct {
		id    document.PassageID
		terms store.Terms
		asked bool
	}
	var units []unit
	var lengths [store.Fields]int
	frequent := map[string]int{}
	for _, r := range p.docs {
		if r.Metadata.Tenant != scope.Tenant || !scope.Admits(r.Metadata.Access) {
			continue
		}
		for i, passage := range r.Passages {
			t := r.Terms[i]
			units = append(units, unit{passage.ID, t, only(r.Document.Path)})
			in := map[string]bool{}
			for _, posting := range t.Postings {
				in[posting.Term] = true
			}
			for term := range in {
				frequent[term]++
			}
			for f, n := range t.Lengths {
				lengths[f] += n
			}
		}
	}
	mean := p.bm25.Length(lengths) / float64(len(units))
	for _, u := range units {
		if !u.asked {
			continue
		}
		seen++
		tf := map[string]float64{}
		for _, posting := range u.terms.Postings {
			tf[posting.Term] += p.bm25.Weights[posting.Field] * float64(len(posting.Positions))
		}
		sum, matched := 0.0, false
		for _, q := range question {
			if tf[q.Term] > 0 {
				matched = true
				sum += p.bm25.Score(q.Weight, store.IDF(len(units), frequent[q.Term]), tf[q.Term], p.bm25.Length(u.terms.Lengths), mean)
			}
		}
		if matched {
			out = append(out, scoredPassage{u.id, sum})
		}
	}
	slices.SortFunc(out, func(a, b scoredPassage) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id)) })
	return out, seen
}

// The top k are those of scoring every passage, for random corpora, questions, weights
// and scopes, with documents changed and removed, whatever k is.
func TestTopIsExhaustive(t *testing.T) {
	for seed, c := range []struct {
		passages, words, vocabulary int
		bm25                        store.BM25
	}{
		{200, 4, 12, store.DefaultBM25},
		{1_500, 10, 400, store.DefaultBM25},
		{1_500, 3, 8, store.BM25{K1: 1.5, B: 0.4, Weights: [store.Fields]float64{0, 2.5, 1}}},
		{12_000, 8, 900, store.DefaultBM25},
	} {
		t.Run(fmt.Sprintf("%d passages of %d words", c.passages, c.words), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(uint64(seed), 11))
			zipf := rand.NewZipf(rnd, 1.2, 3, uint64(c.vocabulary-1))
			p := &plain{c.bm25, map[string]store.Revision{}}
			s := open(t, filepath.Join(t.TempDir(), "quarry.db"), Options{BM25: c.bm25})
			per := 40
			change := func(docs ...int) {
				t.Helper()
				change := store.Change{Source: &document.Source{Name: "docs"}}
				for _, n := range docs {
					path := fmt.Sprintf("w%d", n) // its title is a word as well
					if _, there := p.docs[path]; there && rnd.IntN(3) == 0 {
						change.Remove = append(change.Remove, document.ID{Source: "docs", Path: path})
						delete(p.docs, path)
						continue
					}
					r := randomDocument(rnd, zipf, path, per, c.words)
					change.Put, p.docs[path] = append(change.Put, r), r
				}
				if _, err := s.Apply(context.Background(), change); err != nil {
					t.Fatal(err)
				}
			}
			docs := c.passages / per
			for from := 0; from < docs; from += 40 {
				var some []int
				for n := from; n < min(from+40, docs); n++ {
					some = append(some, n)
				}
				change(some...)
			}
			for range 4 {
				for range 6 {
					compareTop(t, s, p, rnd, zipf)
				}
				change(rnd.IntN(docs))
			}
		})
	}
}

// randomDocument has passages of which some are equal to each other.
func randomDocument(rnd *rand.Rand, zipf *rand.Zipf, path string, passages, words int) store.Revision {
	var text strings.Builder
	last := ""
	for i := range passages {
		if i%7 == 0 {
			fmt.Fprintf(&text, "# w%d\n", zipf.Uint64())
		}
		if i == 0 || rnd.IntN(4) > 0 {
			last = ""
			for range 1 + rnd.IntN(2*words) {
				last += fmt.Sprintf("w%d ", zipf.Uint64())
			}
		}
		text.WriteString(last + "\n")
	}
	return storetest.Make(path, text.String(), func(r *store.Revision) {
		r.Seen = time.Now().Add(-48 * time.Hour)
		switch rnd.IntN(10) {
		case 0:
			r.Metadata.Access = document.Access{Readers: []string{"group:few"}}
		case 1, 2, 3:
			r.Metadata.Access = document.Access{Everyone: true, Deny: []string{"group:most"}}
		}
	})
}

func compareTop(t *testing.T, s *Store, p *plain, rnd *rand.Rand, zipf *rand.Zipf) {
	t.Helper()
	ctx := context.Background()
	scope := document.Scope{Principals: [][]string{nil, {"group:few"}, {"group:most"}}[rnd.IntN(3)]}
	var question []store.QueryTerm
	for range 1 + rnd.IntN(6) {
		question = append(question, store.QueryTerm{Term: fmt.Sprintf("w%d", zipf.Uint64()), Weight: []float64{1, 1, 0.3, 2}[rnd.IntN(4)]})
	}
	whole, err := s.View(ctx, scope)
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	v, only := store.View(whole), func(string) bool { return true }
	if rnd.IntN(2) == 0 { // a few documents of those that it sees
		var places []store.Place
		asked := map[string]bool{}
		for path := range p.docs {
			if rnd.IntN(9) == 0 {
				asked[path] = true
				places = append(places, store.Place{Document: document.ID{Source: "docs", Path: path}})
			}
		}
		only = func(path string) bool { return asked[path] }
		if v, err = whole.Restrict(ctx, places); err != nil {
			t.Fatal(err)
		}
		defer v.Close()
	}
	want, seen := p.ranks(scope, only, question)
	scores := map[document.PassageID]float64{}
	for _, w := range want {
		scores[w.id] = w.score
	}
	for _, k := range []int{0, 1, 10, 100, len(want) + 1} {
		hits, err := v.Keyword(ctx, question, k)
		if err != nil {
			t.Fatal(err)
		}
		least, most := 0.0, 0.0
		if len(want) > 0 {
			if most = want[0].score; len(want) == seen {
				least = want[len(want)-1].score
			}
		}
		if hits.Matched != len(want) || math.Abs(hits.Max-most) > 1e-9 || math.Abs(hits.Min-least) > 1e-9 || len(hits.Hits) != min(k, len(want)) {
			t.Fatalf("%+v as %v, k %d: matched %d, %g to %g, %d hits; want %d, %g to %g", question, scope.Principals, k,
				hits.Matched, hits.Min, hits.Max, len(hits.Hits), len(want), least, most)
		}
		for i, h := range hits.Hits {
			score, ok := scores[h.Passage]
			if !ok || math.Abs(score-h.Score) > 1e-9 || math.Abs(want[i].score-h.Score) > 1e-9 {
				t.Fatalf("%+v as %v, k %d, rank %d: %s scores %.12f, want %.12f and there %s with %.12f", question, scope.Principals, k, i+1,
					h.Passage, h.Score, score, want[i].id, want[i].score)
			}
			// Equal passages stand in the order of their ids.
			if score == want[i].score && h.Passage != want[i].id {
				t.Fatalf("%+v, k %d, rank %d: %s, want %s", question, k, i+1, h.Passage, want[i].id)
			}
		}
	}
}
