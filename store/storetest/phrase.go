package storetest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

func testPhrase(t *testing.T, f Factory) {
	ann := document.Scope{Principals: []string{"user:ann"}}
	const same = "ninety days 1|termination for convenience 1|termination by us for convenience 3|convenience for termination 5"
	setup := func(t *testing.T) *bench {
		b := newBench(t, f)
		b.put(
			Make("a", "termination for convenience\nconvenience for termination\ntermination by us for convenience\ntermination\nfor convenience"),
			Make("b", "# termination for convenience\nninety days\n# termination\nfor convenience and no cause"),
			Make("c", "to be or not to be\nto be or not\nbe to not or be to"),
			Make("gone", "termination for convenience of nobody"),
			Make("closed", "our termination for convenience", readers("user:ann")),
			Make("old", "the termination for convenience", effective("", "2026-01-01")))
		b.remove("gone")
		return b
	}
	for _, c := range []struct {
		name   string
		scope  document.Scope
		phrase string // words, of which each may be several terms: a/b
		want   string // texts with what 1/closeness is, the closest first
		held   int
	}{
		// The fifth has its words in two fields, and so in none together.
		{"in the text and in the heading path", everyone, "termination for convenience", same, 5},
		{"a word may be any of its terms", everyone, "kündigung/termination für/for convenience", same, 5},
		{"words in two fields alone", everyone, "termination for cause", "", 1},
		{"a word that no passage holds", everyone, "termination for nothing", "", 0},
		{"one word", everyone, "ninety", "ninety days 1", 1},
		{"no word", everyone, "", "", 0},
		{"words that come twice", everyone, "to be or not to be", "to be or not to be 1|be to not or be to 3|to be or not 5", 3},
		{"what the scope may read", ann, "our/the termination for convenience", "our termination for convenience 1", 1},
		{"what it may not read is not counted", everyone, "our/the termination for convenience", "", 0},
		{"what was in force", document.Scope{AsOf: day("2025-05-05")}, "termination for convenience", "the termination for convenience 1", 1},
		{"another tenant", document.Scope{Tenant: "other"}, "termination for convenience", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := setup(t)
			v := b.view(c.scope)
			defer v.Close()
			hits, err := v.Phrase(b.ctx, phraseOf(c.phrase), 100)
			b.ok(err, "Phrase")
			if got := b.closest(v, hits); got != c.want || hits.Matched != c.held {
				b.Errorf("%d hold the words, and closest are\n%s\nwant %d\n%s", hits.Matched, got, c.held, c.want)
			}
		})
	}
	t.Run("restricted", func(t *testing.T) {
		b := setup(t)
		v := b.view(everyone)
		defer v.Close()
		narrow, err := v.Restrict(b.ctx, []store.Place{{Document: docID("b")}})
		b.ok(err, "Restrict")
		defer narrow.Close()
		hits, err := narrow.Phrase(b.ctx, phraseOf("termination for convenience"), 100)
		b.ok(err, "Phrase")
		if got := b.closest(narrow, hits); got != "ninety days 1" || hits.Matched != 2 {
			b.Errorf("%d hold the words, and closest are %s", hits.Matched, got)
		}
	})
}

// phraseOf makes a phrase of words, of which each may be several terms: a/b.
func phraseOf(words string) store.Phrase {
	var out store.Phrase
	for _, w := range strings.Fields(words) {
		out = append(out, strings.Split(w, "/"))
	}
	return out
}

// closest writes hits as texts with what 1/closeness is, those that are as close by
// their texts.
func (b *bench) closest(v store.View, hits store.PhraseHits) string {
	b.Helper()
	texts := b.texts(v, store.Hits{Hits: hits.Hits})
	for i, h := range hits.Hits {
		texts[i] += fmt.Sprintf(" %.4g", 1/h.Score)
	}
	for from := 0; from < len(texts); {
		to := from
		for to < len(texts) && hits.Hits[to].Score == hits.Hits[from].Score {
			to++
		}
		slices.Sort(texts[from:to])
		from = to
	}
	return strings.Join(texts, "|")
}

// closeness is of a unit with a phrase, from the definition: for each field and each
// position that may be the least, what the others are at the least above it. held says
// whether it holds every word at all.
func closeness(u ranked, phrase store.Phrase) (closest float64, held bool) {
	held = len(phrase) > 0
	for _, word := range phrase {
		any := false
		for _, p := range u.terms.Postings {
			any = any || slices.Contains(word, p.Term)
		}
		held = held && any
	}
	for f := range store.Field(store.Fields) {
		offsets := make([][]int, len(phrase)) // of each word
		var all []int
		for i, word := range phrase {
			for _, p := range u.terms.Postings {
				for _, at := range p.Positions {
					if p.Field == f && slices.Contains(word, p.Term) {
						offsets[i] = append(offsets[i], int(at)-i)
						all = append(all, int(at)-i)
					}
				}
			}
		}
		for _, least := range all {
			spread := 0
			for _, of := range offsets {
				above := math.MaxInt
				for _, at := range of {
					if at >= least {
						above = min(above, at-least)
					}
				}
				spread = max(spread, above)
			}
			if spread < math.MaxInt {
				closest = max(closest, 1/(1+float64(spread)))
			}
		}
	}
	return closest, held
}

// phrase compares random phrases with the reference, and how many are looked at.
func (w *world) phrase(s document.Scope, v store.View, units []ranked) {
	w.Helper()
	for _, phrase := range []store.Phrase{
		{{"the"}, {"of"}}, {{"the"}, {w.pick("w1", "w2", "w3")}}, {{w.pick("w0", "w1")}, {"the", w.pick("w2", "of")}, {w.pick("w3", "the")}},
		{{"title"}, {w.pick("limits", "refunds", "w1")}}, {{"heading"}, {"of"}},
	} {
		held := 0
		want := rank(units, true, func(u ranked) float64 {
			c, holds := closeness(u, phrase)
			if holds {
				held++
			}
			return c
		})
		hits, err := v.Phrase(w.ctx, phrase, len(units))
		w.ok(err, "Phrase")
		if hits.Matched != held || len(hits.Hits) != len(want.order) {
			w.Errorf("phrase %q of %+v: %d hold its words and %d together, want %d and %d", phrase, s, hits.Matched, len(hits.Hits), held, len(want.order))
			continue
		}
		for i, h := range hits.Hits {
			if string(h.Passage) != want.order[i] || math.Abs(h.Score-want.scores[want.order[i]]) > 1e-12 {
				w.Errorf("phrase %q of %+v, rank %d: %s is %g close, want %s", phrase, s, i+1, h.Passage, h.Score, want.order[i])
			}
		}
		w.likeliest(v, phrase, hits)
	}
}

// likeliest asks for fewer than hold the words: those that the keyword lane puts first.
func (w *world) likeliest(v store.View, phrase store.Phrase, all store.PhraseHits) {
	w.Helper()
	k := all.Matched / 2
	few, err := v.Phrase(w.ctx, phrase, k)
	w.ok(err, "Phrase")
	if few.Matched != all.Matched || len(few.Hits) > k {
		w.Errorf("phrase %q: of %d that hold its words %d are looked at: matched %d, %d hits", phrase, all.Matched, k, few.Matched, len(few.Hits))
	}
	found := map[document.PassageID]float64{}
	for _, h := range few.Hits {
		found[h.Passage] = h.Score
	}
	scores, err := v.ScoreKeyword(w.ctx, question(strings.Join(phrase.Terms(), " ")), ids(store.Hits{Hits: all.Hits}))
	w.ok(err, "ScoreKeyword")
	least := math.Inf(1) // of those that are looked at
	for i, h := range all.Hits {
		if closeness, ok := found[h.Passage]; ok {
			least = min(least, scores[i])
			if closeness != h.Score {
				w.Errorf("phrase %q: %s is %g close, and %g when fewer are looked at", phrase, h.Passage, h.Score, closeness)
			}
		}
	}
	for i, h := range all.Hits {
		if _, ok := found[h.Passage]; !ok && len(few.Hits) > 0 && scores[i] > least {
			w.Errorf("phrase %q: %s scores %g by keyword and is not looked at, another with %g is", phrase, h.Passage, scores[i], least)
		}
	}
}
