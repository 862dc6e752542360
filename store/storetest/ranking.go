package storetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// tolerance of scores in the exact profile.
const tolerance = 1e-4

// testRanking compares every lane with the reference on random corpora with
// random access, tenants, validity, changes and removals, after every few
// commits and once more when the store was reopened.
func testRanking(t *testing.T, f Factory) {
	for seed := range uint64(4) {
		sub(t, f, fmt.Sprintf("all lanes agree with the reference on random corpus %d", seed), func(b *bench) {
			w := &world{bench: b, rnd: rand.New(rand.NewPCG(seed, 7)),
				reference: newReference(b.now)}
			for range 6 {
				for range 4 {
					w.change()
				}
				w.settle()
				w.compare()
			}
			b.reopen()
			w.compare()
		})
	}
	sub(t, f, "ties are broken by passage id", func(b *bench) {
		var docs []store.Revision
		for i := range 20 {
			docs = append(docs, Make(fmt.Sprintf("d%02d", i), "same words", Meta(func(m *document.Metadata) { m.Title = "t" })))
		}
		b.put(docs...)
		hits, err := b.view(everyone).Keyword(b.ctx, question("same"), 7)
		b.ok(err, "Keyword")
		got := ids(hits)
		if len(got) != 7 || !slices.IsSorted(got) || hits.Matched != 20 {
			b.Errorf("matched %d, got %q", hits.Matched, got)
		}
		all, err := b.view(everyone).Keyword(b.ctx, question("same"), 1<<40)
		b.ok(err, "Keyword")
		if len(all.Hits) != 20 || !slices.Equal(ids(all)[:7], got) {
			b.Errorf("%d hits", len(all.Hits))
		}
		none, err := b.view(everyone).Keyword(b.ctx, question("same"), 0)
		b.ok(err, "Keyword")
		if len(none.Hits) != 0 || none.Matched != 20 || none.Max != all.Max {
			b.Errorf("k 0 gives %+v", none)
		}
	})
	sub(t, f, "a term weighs what the question says, and counts each time it is asked", func(b *bench) {
		b.put(Make("a", "one two"), Make("b", "two three"))
		v := b.view(everyone)
		id := []document.PassageID{Make("a", "one two").Passages[0].ID}
		score := func(terms ...store.QueryTerm) float64 {
			s, err := v.ScoreKeyword(b.ctx, terms, id)
			b.ok(err, "ScoreKeyword")
			return s[0]
		}
		one := score(store.QueryTerm{Term: "one", Weight: 1})
		if half := score(store.QueryTerm{Term: "one", Weight: 0.5}); math.Abs(half-one/2) > 1e-9 {
			b.Errorf("half the weight scores %g of %g", half, one)
		}
		if twice := score(question("one one")...); math.Abs(twice-2*one) > 1e-9 {
			b.Errorf("asked twice it scores %g, once %g", twice, one)
		}
		if zero := score(question("three absent")...); zero != 0 {
			b.Errorf("no matching term scores %g", zero)
		}
	})
	sub(t, f, "statistics do not change with the day, attributes, sources, drafts", func(b *bench) {
		b.put(Make("a", "word one"), Make("b", "word two", attribute("region", "no")), Make("c", "word old", effective("2020-01-01", "2021-01-01")),
			Make("d", "word draft", status(document.Draft)))
		want, err := b.view(everyone).Statistics(b.ctx, []string{"word", "old", "draft"})
		b.ok(err, "Statistics")
		if want.Passages != 2 || want.Frequent["word"] != 2 || want.Frequent["old"] != 0 || want.Frequent["draft"] != 0 {
			b.Errorf("statistics %+v", want)
		}
		for _, s := range []document.Scope{{AsOf: day("2020-05-05")}, {Drafts: true}, {Sources: []string{"none"}},
			{Where: map[string][]string{"region": {"se"}}}} {
			got, err := b.view(s).Statistics(b.ctx, []string{"word", "old", "draft"})
			b.ok(err, "Statistics")
			if fmt.Sprint(got) != fmt.Sprint(want) {
				b.Errorf("statistics of %+v are %+v, want %+v", s, got, want)
			}
		}
	})
}

// world is a store and the reference beside it.
type world struct {
	*bench
	reference
	rnd *rand.Rand
}

func (w *world) pick(list ...string) string { return list[w.rnd.IntN(len(list))] }

func (w *world) text() string {
	var lines []string
	for i := range 1 + w.rnd.IntN(5) {
		if w.rnd.IntN(3) == 0 {
			lines = append(lines, strings.Repeat("#", 1+w.rnd.IntN(3))+" heading "+w.pick("limits", "refunds", "id-3")+fmt.Sprint(i))
		}
		var line []string
		for range 1 + w.rnd.IntN(12) {
			// Common and rare words, as in a text.
			line = append(line, w.pick("the", "of", fmt.Sprintf("w%d", w.rnd.IntN(4)), fmt.Sprintf("w%d", w.rnd.IntN(40)), fmt.Sprintf("id-%d", w.rnd.IntN(5))))
		}
		lines = append(lines, strings.Join(line, " "))
	}
	return strings.Join(lines, "\n")
}

func (w *world) revision(i int) store.Revision {
	return Make(fmt.Sprintf("doc%02d", w.rnd.IntN(15)), w.text(), Meta(func(m *document.Metadata) {
		m.Title = "title " + w.pick("limits", "refunds", "w1")
		m.Tenant = w.pick("", "", "", "acme")
		switch w.rnd.IntN(4) {
		case 0:
			m.Access = document.Access{Readers: []string{w.pick("user:ann", "group:g")}}
		case 1:
			m.Access.Deny = []string{w.pick("user:ann", "group:g")}
		}
		m.Status = document.Status(w.pick("", "", "", "draft", "superseded"))
		if w.rnd.IntN(3) == 0 {
			m.Effective.From = w.today - 30 + document.Day(w.rnd.IntN(60))
		}
		if w.rnd.IntN(4) == 0 {
			m.Effective.To = max(m.Effective.From, w.today-20) + document.Day(w.rnd.IntN(60))
		}
		if w.rnd.IntN(2) == 0 {
			m.Attributes = map[string][]string{"region": {w.pick("no", "se")}}
		}
	}), func(r *store.Revision) {
		r.Seen = w.now.Add(-time.Duration(w.rnd.IntN(40)) * 24 * time.Hour)
		r.Hash = hash(32, fmt.Sprint(i, w.rnd.Uint64()))
	})
}

// change applies one random change to both.
func (w *world) change() {
	w.Helper()
	var c store.Change
	used := map[document.ID]bool{}
	for i := range 1 + w.rnd.IntN(4) {
		r := w.revision(i)
		if used[r.Document] {
			continue
		}
		used[r.Document] = true
		switch w.rnd.IntN(10) {
		case 0:
			c.Remove = append(c.Remove, r.Document)
			delete(w.docs, r.Document)
		case 1:
			c.Fail = append(c.Fail, store.Failure{Document: r.Document, Hash: r.Hash, Pipeline: "p1", Seen: r.Seen})
			if w.docs[r.Document] == nil {
				w.docs[r.Document] = &kept{}
			}
			w.docs[r.Document].failed = document.DayOf(r.Seen)
		default:
			c.Put = append(c.Put, r)
			w.put(r)
		}
	}
	w.apply(c)
	var vectors []store.Vectors
	for _, r := range c.Put {
		for _, p := range r.Passages {
			if w.rnd.IntN(4) == 0 {
				continue
			}
			windows := [][]float32{vectorOf(p.Key)}
			if w.rnd.IntN(4) == 0 {
				windows = append(windows, vectorOf("second "+p.Key))
			}
			w.vectors[p.Key] = windows
			vectors = append(vectors, store.Vectors{Key: p.Key, Vectors: windows})
		}
	}
	w.putVectors(model, vectors...)
}

// put of the world is the reference's.
func (w *world) put(r store.Revision) { w.reference.put(r) }

// compare asks every lane under several scopes.
func (w *world) compare() {
	w.Helper()
	for _, s := range []document.Scope{
		{}, {Principals: []string{"user:ann"}}, {Principals: []string{"user:ann", "group:g"}}, {Tenant: "acme"}, {Administrator: true}, {Administrator: true, Principals: []string{"group:g"}},
		{Drafts: true}, {AsOf: w.today - 10}, {AsOf: w.today + 20}, {Where: map[string][]string{"region": {"no"}}},
	} {
		v := w.view(s)
		seen, counted := w.sees(s), w.population(s)
		units, population := passagesOf(seen), passagesOf(counted)
		words := question("the w1 " + w.pick("w7 limits", "refunds id-3 w2", "w30 absent"))
		words[0].Weight = 0.25
		w.lane(s, "keyword", rank(units, true, func(u ranked) float64 { return bm25(u, words, population) }),
			func(k int) (store.Hits, error) { return v.Keyword(w.ctx, words, k) },
			func(ids []document.PassageID) ([]float64, error) { return v.ScoreKeyword(w.ctx, words, ids) })
		named := question("id-1 id-3 heading-9")
		w.lane(s, "identifier", rank(units, true, func(u ranked) float64 { return identifiers(u, named, population) }),
			func(k int) (store.Hits, error) { return v.Identifier(w.ctx, named, k) },
			func(ids []document.PassageID) ([]float64, error) { return v.ScoreIdentifier(w.ctx, named, ids) })
		query := unit(w.rnd.Float32()-0.5, w.rnd.Float32()-0.5, w.rnd.Float32()-0.5)
		w.lane(s, "vector", rank(units, false, func(u ranked) float64 { return w.nearness(u, query) }),
			func(k int) (store.Hits, error) { return v.Vector(w.ctx, model, query, k) },
			func(ids []document.PassageID) ([]float64, error) { return v.ScoreVector(w.ctx, model, query, ids) })
		w.phrase(s, v, units)
		w.outline(s, v, words, rank(sectionsOf(seen), true, func(u ranked) float64 { return bm25(u, words, sectionsOf(counted)) }))
		v.Close()
	}
}

func (w *world) lane(s document.Scope, name string, want scored, ask func(int) (store.Hits, error), score func([]document.PassageID) ([]float64, error)) {
	w.Helper()
	for _, k := range []int{3, 1000} {
		hits, err := ask(k)
		w.ok(err, name)
		if hits.Matched != len(want.order) || math.Abs(hits.Min-want.min) > tolerance || math.Abs(hits.Max-want.max) > tolerance {
			w.Errorf("%s of %+v: matched %d, min %g, max %g; want %d, %g, %g", name, s, hits.Matched, hits.Min, hits.Max, len(want.order), want.min, want.max)
		}
		if len(hits.Hits) != min(k, len(want.order)) {
			w.Fatalf("%s of %+v: %d hits of %d", name, s, len(hits.Hits), len(want.order))
		}
		for i, h := range hits.Hits {
			score, ok := want.scores[string(h.Passage)]
			if !ok || math.Abs(score-h.Score) > tolerance || math.Abs(want.scores[want.order[i]]-h.Score) > tolerance {
				w.Errorf("%s of %+v, rank %d: %s scores %g, want %g; the reference has %s", name, s, i+1, h.Passage, h.Score, score, want.order[i])
			}
			if i > 0 && h.Score > hits.Hits[i-1].Score {
				w.Errorf("%s of %+v: rank %d scores more than the one before", name, s, i+1)
			}
		}
		scores, err := score(ids(hits))
		w.ok(err, "Score of "+name)
		for i, h := range hits.Hits {
			if math.Abs(scores[i]-h.Score) > 1e-9 {
				w.Errorf("%s of %+v: Score gives %g for rank %d, the lane %g", name, s, scores[i], i+1, h.Score)
			}
		}
	}
}

func (w *world) outline(s document.Scope, v store.View, words []store.QueryTerm, want scored) {
	w.Helper()
	hits, err := v.Outline(w.ctx, words, 5)
	w.ok(err, "Outline")
	if hits.Matched != len(want.order) || math.Abs(hits.Max-want.max) > tolerance || len(hits.Hits) != min(5, len(want.order)) {
		w.Errorf("outline of %+v: matched %d, max %g, %d hits; want %d, %g", s, hits.Matched, hits.Max, len(hits.Hits), len(want.order), want.max)
		return
	}
	for i, h := range hits.Hits {
		score, ok := want.scores[sectionName(h.Document, h.Section)]
		if !ok || math.Abs(score-h.Score) > tolerance || math.Abs(want.scores[want.order[i]]-h.Score) > tolerance {
			w.Errorf("outline of %+v, rank %d: %s#%d scores %g, want %g", s, i+1, h.Document, h.Section, h.Score, score)
		}
	}
}
