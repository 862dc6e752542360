package store

import (
	"math"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

func day(s string) document.Day {
	d, err := document.ParseDay(s)
	if err != nil {
		return 0
	}
	return d
}

func TestValidity(t *testing.T) {
	between := func(from, to string) document.Interval { return document.Interval{From: day(from), To: day(to)} }
	never := document.Interval{From: document.DayMin, To: document.DayMin}
	seen := func(s string) Recorded { return Recorded{Seen: day(s)} }
	for _, c := range []struct {
		name       string
		revisions  []Recorded
		superseded string
		want       []document.Interval
	}{
		{"without dates: from when it was seen", []Recorded{seen("2026-01-10")}, "", []document.Interval{between("2026-01-10", "")}},
		{"until the next", []Recorded{seen("2026-01-10"), seen("2026-03-01")}, "", []document.Interval{between("2026-01-10", "2026-03-01"), between("2026-03-01", "")}},
		{"twice in a day: the first never holds", []Recorded{seen("2026-01-10"), seen("2026-01-10")}, "", []document.Interval{between("2026-01-10", "2026-01-10"), between("2026-01-10", "")}},
		{"a draft ends nothing", []Recorded{seen("2026-01-10"), {Seen: day("2026-03-01"), Status: document.Draft}}, "",
			[]document.Interval{between("2026-01-10", ""), between("2026-03-01", "")}},
		{"as the dates say", []Recorded{{Seen: day("2026-01-10"), Effective: between("2024-01-01", "2025-01-01")}}, "", []document.Interval{between("2024-01-01", "2025-01-01")}},
		{"from alone is open", []Recorded{{Seen: day("2026-01-10"), Effective: between("2024-01-01", "")}}, "", []document.Interval{between("2024-01-01", "")}},
		{"superseded by another document", []Recorded{{Seen: day("2026-01-10"), Effective: between("2024-01-01", "")}}, "2026-01-01", []document.Interval{between("2024-01-01", "2026-01-01")}},
		{"its own end is earlier", []Recorded{{Seen: day("2026-01-10"), Effective: between("2024-01-01", "2025-01-01")}}, "2026-01-01", []document.Interval{between("2024-01-01", "2025-01-01")}},
		{"superseded before it began", []Recorded{seen("2026-01-10")}, "2025-01-01", []document.Interval{between("2026-01-10", "2026-01-10")}},
		{"superseded without dates: never", []Recorded{{Seen: day("2026-01-10"), Status: document.Superseded}}, "", []document.Interval{never}},
		{"superseded with dates: then", []Recorded{{Seen: day("2026-01-10"), Status: document.Superseded, Effective: between("2024-01-01", "2025-01-01")}}, "", []document.Interval{between("2024-01-01", "2025-01-01")}},
		{"an end before the beginning is empty", []Recorded{{Seen: day("2026-01-10"), Effective: between("2025-01-01", "2024-01-01")}}, "", []document.Interval{between("2025-01-01", "2025-01-01")}},
		{"none", nil, "", nil},
	} {
		got := Validity(c.revisions, day(c.superseded))
		if len(got) != len(c.want) {
			t.Errorf("%s: %v", c.name, got)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: revision %d is [%s, %s), want [%s, %s)", c.name, i, got[i].From, got[i].To, c.want[i].From, c.want[i].To)
			}
		}
	}
}

// The values were computed by hand from the formulas in the comments.
func TestBM25(t *testing.T) {
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-9 }
	if got := IDF(10, 1); !near(got, math.Log(1+9.5/1.5)) {
		t.Errorf("IDF(10, 1) = %g", got)
	}
	if got := IDF(10, 10); got <= 0 {
		t.Errorf("a term that all passages hold has idf %g: it must stay positive", got)
	}
	p := BM25{K1: 1.2, B: 0.75, Weights: [Fields]float64{1, 1, 1}}
	for _, c := range []struct {
		name                         string
		weight, idf, tf, length, avg float64
		want                         float64
	}{
		{"of mean length", 1, 2, 1, 10, 10, 2 * 2.2 / 2.2},
		{"twice the mean length", 1, 2, 1, 20, 10, 2 * 2.2 / (1 + 1.2*(0.25+0.75*2))},
		{"three times in it", 1, 2, 3, 10, 10, 2 * 3 * 2.2 / 4.2},
		{"the question's weight", 0.5, 2, 1, 10, 10, 1},
		{"not in it", 1, 2, 0, 10, 10, 0},
		{"no population", 1, 2, 1, 0, 0, 2 * 2.2 / 2.2},
	} {
		if got := p.Score(c.weight, c.idf, c.tf, c.length, c.avg); !near(got, c.want) {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
	weighted := BM25{Weights: [Fields]float64{Title: 3, HeadingPath: 2, Text: 1}}
	if got := weighted.Length([Fields]int{Title: 2, HeadingPath: 5, Text: 100}); got != 116 {
		t.Errorf("the weighted length is %g", got)
	}
	if got := IdentifierScore(1, 0.5, 10, 1); !near(got, 0.5*IDF(10, 1)) {
		t.Errorf("an identifier scores %g", got)
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "ab", 2}, {"refund", "refund", 0}, {"refund", "refunds", 1}, {"refund", "rfeund", 1},
		{"refund", "rfenud", 2}, {"straße", "strasse", 2}, {"über", "uber", 1}, {"kitten", "sitting", 3},
		{"ca", "abc", 3}, // an exchanged pair is not edited again; else it would be 2
	} {
		if got, back := Edits(c.a, c.b), Edits(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%q and %q: %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestCloseness(t *testing.T) {
	at := func(positions ...uint32) []uint32 { return positions }
	for _, c := range []struct {
		name   string
		places [][]uint32
		want   float64
	}{
		{"as they stand", [][]uint32{at(7), at(8), at(9)}, 1},
		{"somewhere among others", [][]uint32{at(0, 7, 20), at(3, 8), at(1, 9)}, 1},
		{"one word", [][]uint32{at(4)}, 1},
		{"a word between", [][]uint32{at(3), at(5)}, 1. / 2},
		{"the other way round", [][]uint32{at(4), at(3)}, 1. / 3},
		{"far apart", [][]uint32{at(0), at(100)}, 1. / 100},
		{"the nearest of several", [][]uint32{at(0, 50), at(10, 53, 90)}, 1. / 3},
		{"two words at one place, as a compound and its part", [][]uint32{at(5), at(5)}, 1. / 2},
		{"a word that is missing", [][]uint32{at(1), nil}, 0},
		{"no words", nil, 0},
		{"the last position that there is", [][]uint32{at(0), at(math.MaxUint32)}, 1. / math.MaxUint32},
	} {
		if got := Closeness(c.places); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}
