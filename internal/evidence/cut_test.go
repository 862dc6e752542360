package evidence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// scored makes candidates of these scores and of others that score as background, to
// 30 in all, of the usual length, each in a document of its own. Both lanes rank them as
// fusion does.
func scored(background float64, scores ...float64) []retrieve.Candidate {
	var out []retrieve.Candidate
	for i := range 30 {
		score := background
		if i < len(scores) {
			score = scores[i]
		}
		var c retrieve.Candidate
		c.ID, c.Text, c.Score, c.Rank = document.PassageID(fmt.Sprint("p", i)), fmt.Sprint("text ", i), score, i+1
		c.Document, c.Tokens = document.ID{Source: "s", Path: fmt.Sprint(i)}, usual
		c.Keyword.Rank, c.Vector.Rank = i+1, i+1
		out = append(out, c)
	}
	return out
}

// with changes the candidate of a rank.
func with(list []retrieve.Candidate, rank int, change func(*retrieve.Candidate)) []retrieve.Candidate {
	change(&list[rank-1])
	return list
}

func TestAdaptiveCut(t *testing.T) {
	steps := []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1}
	firstInVectors := func(c *retrieve.Candidate) { c.Vector.Rank = 1 }
	firstInIdentifiers := func(c *retrieve.Candidate) { c.Identifier.Rank = 1 }
	withoutVectors := scored(0, steps...)
	for i := range withoutVectors {
		withoutVectors[i].Vector.Rank = 0
	}
	for _, c := range []struct {
		name   string
		ranked []retrieve.Candidate
		lead   float64
		want   string // ranks
	}{
		{"off: as many as may go", scored(0, 1), 0, "1 2 3 4 5 6 7 8"},
		{"off, also those below the background", scored(1, 3, 2, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1), 0, "1 2 3 4 5 6 7 8"},
		{"one that stands out takes two along", scored(0, 1), 0.3, "1 2 3"},
		{"the farther down, the more is asked: 0.46, 0.53, 0.59", scored(0, steps...), 0.33, "1 2 3 4 5"},
		{"and the more with a greater lead: 0.69, 0.80", scored(0, steps...), 0.5, "1 2 3 4"},
		{"of the first in a lane little is asked", with(scored(0, 1), 8, firstInVectors), 0.33, "1 2 3 8"},
		{"in any lane", with(scored(0, 1), 8, firstInIdentifiers), 0.33, "1 2 3 8"},
		{"but to be no worse than the background", with(scored(1, 3, 2, 1, 1, 1, 1, 1, 0.9), 8, firstInVectors), 0.33, "1 2 3"},
		{"where one lane reads the text, half the place: 0.23, 0.30, 0.36, 0.41", withoutVectors, 0.33, "1 2 3 4 5 6"},
		{"of four times the length as of twice the place: 0.69", with(scored(0, 1, 1, 1, 0.68), 4, func(c *retrieve.Candidate) { c.Tokens = 4 * usual }), 0.33, "1 2 3"},
		{"and with 0.69 it goes on", with(scored(0, 1, 1, 1, 0.69), 4, func(c *retrieve.Candidate) { c.Tokens = 4 * usual }), 0.33, "1 2 3 4"},
		{"of a quarter as of half the place: 0.23", with(scored(0, 1, 1, 1, 0.23), 4, func(c *retrieve.Candidate) { c.Tokens = usual / 4 }), 0.33, "1 2 3 4"},
		{"over the background, not over 0", scored(0.35, 1, 0.9, 0.8, 0.66, 0.5), 0.33, "1 2 3 4"},
		{"whatever the scale, as of a reranker", scored(-10, 0, -2, -4, -5, -9), 0.33, "1 2 3 4"},
		{"all alike: none stands out, and there is no best", scored(0.5, 0.5), 0.33, "1 2 3 4 5 6 7 8"},
		{"too few to have a background", scored(0, 1)[:20], 0.33, "1 2 3 4 5 6 7 8"},
		{"no candidate", nil, 0.33, ""},
	} {
		tr := &trace.Trace{}
		var ranks []string
		for _, p := range cut(c.ranked, Options{Passages: 8, Lead: c.lead}, tr) {
			ranks = append(ranks, fmt.Sprint(p.Rank))
		}
		if got := strings.Join(ranks, " "); got != c.want {
			t.Errorf("%s: %s go on, want %s", c.name, got, c.want)
		}
		r := tr.Records[0]
		if r.Out != len(ranks) || len(r.Drops) != len(c.ranked)-len(ranks) {
			t.Errorf("%s: the trace says %d go on and %d do not", c.name, r.Out, len(r.Drops))
		}
		for _, d := range r.Drops {
			if len(ranks) == 8 == strings.Contains(d.Reason, "stands out") {
				t.Errorf("%s: dropped as %q", c.name, d.Reason)
			}
		}
	}
}

// The lead that is asked, by its formula.
func TestAsks(t *testing.T) {
	for place := 1; place <= 40; place++ {
		for _, tokens := range []int{0, 1, 20, 127, 128, 129, 500, 100_000} {
			var c retrieve.Candidate
			c.Rank, c.Keyword.Rank, c.Identifier.Rank = place+2, place+1, place
			for _, first := range []float64{1, 2} {
				want := math.Log(float64(place) / first * math.Sqrt(float64(max(1, tokens))/128))
				if got := (places{first}).asks(c, tokens); math.Abs(got-max(0, want)) > 1e-12 {
					t.Errorf("place %d, %d tokens, first %g: %g, want %g or 0", place, tokens, first, got, want)
				}
			}
		}
	}
}

// The same text further down is said to stand there too, though nothing goes on any more.
func TestSameTextBehindTheCut(t *testing.T) {
	list := scored(0, 1)
	list[25].Text, list[25].Document = list[0].Text, document.ID{Source: "s", Path: "copy"}
	got := cut(list, Options{Passages: 8, Lead: 0.3}, &trace.Trace{})
	if len(got) != 3 || len(got[0].Also) != 1 || got[0].Also[0].Document.Path != "copy" {
		t.Errorf("%d go on, the first stands also in %v", len(got), got[0].Also)
	}
}

// Whatever the scores, places, lengths, titles and copies: the first three texts go on,
// never more than may, best first, each once; and where more lead is asked nothing goes on
// that did not with less.
func TestCutProperty(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for range 2000 {
		list := scored(0)[:random.IntN(31)]
		for i := range list {
			c := &list[i]
			c.Score, c.Tokens = random.ExpFloat64(), random.IntN(600)
			c.Keyword.Rank, c.Vector.Rank, c.Identifier.Rank = random.IntN(40), random.IntN(40), max(0, random.IntN(60)-40)
			c.Text, c.Title = fmt.Sprintf("See Title %d, text %d", random.IntN(20), random.IntN(20)), fmt.Sprint("Title ", i)
		}
		slices.SortFunc(list, func(a, b retrieve.Candidate) int {
			switch {
			case a.Score > b.Score:
				return -1
			case a.Score < b.Score:
				return 1
			}
			return 0
		})
		texts := map[string]bool{}
		for i := range list {
			list[i].Rank = i + 1
			texts[list[i].Text] = true
		}
		most := 1 + random.IntN(35)
		var before []string
		for _, lead := range []float64{0, 0.01, 0.2, 0.33, 0.6, 0.99} {
			var kept []string
			rank := 0
			for _, p := range cut(list, Options{Passages: most, Lead: lead}, &trace.Trace{}) {
				if p.Rank <= rank || slices.Contains(kept, p.Text) {
					t.Errorf("rank %d stands behind rank %d, or its text twice", p.Rank, rank)
				}
				rank, kept = p.Rank, append(kept, p.Text)
			}
			if len(kept) > most || len(kept) < min(always, most, len(texts)) {
				t.Errorf("%d of %d texts go on, of which %d may", len(kept), len(texts), most)
			}
			if lead > 0 && len(kept) > len(before) {
				t.Errorf("with lead %g %d texts go on, with less lead %d", lead, len(kept), len(before))
			}
			for _, text := range kept {
				if lead > 0 && most >= len(list) && !slices.Contains(before, text) {
					t.Errorf("with lead %g a text goes on that did not with less", lead)
				}
			}
			before = kept
		}
		if t.Failed() {
			return
		}
	}
}
