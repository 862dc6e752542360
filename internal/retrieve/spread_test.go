package retrieve

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// told are candidates by letter: each "section score", the sections' lengths apart.
func told(lengths map[string]int, candidates ...string) []Candidate {
	var out []Candidate
	from := map[string]int{}
	at := 0
	for _, name := range slices.Sorted(maps.Keys(lengths)) {
		from[name] = at
		at += lengths[name]
	}
	for i, s := range candidates {
		var c Candidate
		var section string
		fmt.Sscan(s, &section, &c.Score)
		c.ID = document.PassageID(rune('a' + i))
		if section != "-" {
			c.Heading = []string{section}
		}
		c.SectionSpan = document.Span{From: from[section], To: from[section] + lengths[section]}
		out = append(out, c)
	}
	return out
}

func TestSpread(t *testing.T) {
	short := map[string]int{"s": 900, "t": 900, "u": 900}
	for _, c := range []struct {
		name       string
		weight     float64
		candidates []Candidate
		want       string
	}{
		{"off", 0, told(short, "s 1", "s 0.9", "s 0.8", "t 0.7"), "abcd"},
		{"another section has its say", 0.2, told(short, "s 1", "s 0.9", "s 0.8", "t 0.7"), "abdc"},
		{"but not whatever it says", 0.2, told(short, "s 1", "s 0.9", "s 0.8", "t 0.1"), "abcd"},
		{"the best of each section stands where it was among the others' best", 10, told(short, "s 1", "t 0.9", "u 0.8", "s 0.7", "t 0.7"), "abcde"},
		{"by turns", 0.2, told(short, "s 1", "s 0.99", "s 0.98", "t 0.9", "t 0.89", "t 0.88"), "adbecf"},
		{"a long section has the more to say", 0.2, told(map[string]int{"s": 30_000, "t": 900}, "s 1", "s 0.9", "s 0.8", "t 0.7"), "abcd"},
		{"under no heading", 0.2, told(map[string]int{"-": 900, "t": 900}, "- 1", "- 0.9", "- 0.8", "t 0.7"), "abcd"},
		{"nothing", 0.2, nil, ""},
		{"a section without length", 0.2, told(map[string]int{"s": 0, "t": 900}, "s 1", "s 0.9", "t 0.8"), "acb"},
	} {
		spread(c.candidates, c.weight)
		if got := order(c.candidates); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// The definition, candidate by candidate.
func spreadPlainly(candidates []Candidate, weight float64) {
	byScore(candidates)
	value := func(at, i int) float64 {
		c, before := candidates[i], 0
		for _, b := range candidates[:at] {
			if b.Document == c.Document && b.SectionSpan == c.SectionSpan && len(c.Heading) > 0 {
				before++
			}
		}
		return c.Score / (1 + weight*min(1, sectionBytes/float64(max(1, c.SectionSpan.Len())))*float64(before))
	}
	for at := range candidates {
		best := at
		for i := at + 1; i < len(candidates); i++ {
			if value(at, i) > value(at, best) {
				best = i
			}
		}
		c := candidates[best]
		c.Score = value(at, best)
		copy(candidates[at+1:best+1], candidates[at:best])
		candidates[at] = c
	}
}

func TestSpreadAgreesWithItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		lengths := map[string]int{}
		for s := range 1 + rng.IntN(6) {
			lengths[fmt.Sprint("s", s)] = rng.IntN(10_000)
		}
		if rng.IntN(2) == 0 {
			lengths["-"] = 1 + rng.IntN(10_000)
		}
		names := slices.Sorted(maps.Keys(lengths))
		var list []string
		for range rng.IntN(25) {
			list = append(list, fmt.Sprintf("%s %.3f", names[rng.IntN(len(names))], rng.Float64()))
		}
		weight := rng.Float64()
		got, want := told(lengths, list...), told(lengths, list...)
		spread(got, weight)
		spreadPlainly(want, weight)
		if order(got) != order(want) {
			t.Fatalf("round %d, weight %g: %s, want %s", round, weight, order(got), order(want))
		}
		for i := range got {
			if got[i].Score != want[i].Score || i > 0 && got[i].Score > got[i-1].Score || got[i].Score < 0 {
				t.Fatalf("round %d: place %d has score %g, want %g", round, i+1, got[i].Score, want[i].Score)
			}
		}
	}
}
