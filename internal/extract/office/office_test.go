package office

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestFormatNumber(t *testing.T) {
	for _, tt := range []struct {
		format string
		v      int
		want   string
	}{
		{"decimal", 12, "12"}, {"decimalZero", 7, "07"}, {"decimalZero", 12, "12"}, {"lowerLetter", 26, "z"}, {"lowerLetter", 28, "bb"}, {"upperLetter", 53, "AAA"}, {"lowerLetter", 0, "0"},
		{"lowerRoman", 4, "iv"}, {"upperRoman", 1999, "MCMXCIX"}, {"upperRoman", 4000, "4000"}, {"ordinal", 1, "1st"}, {"ordinal", 12, "12th"}, {"ordinal", 23, "23rd"},
		{"chineseCounting", 10, "十"}, {"chineseCounting", 12, "十二"}, {"chineseCounting", 20, "二十"}, {"chineseCounting", 100, "100"}, {"decimalEnclosedCircle", 3, "③"},
		{"bullet", 3, ""}, {"none", 3, ""}, {"unheard of", 3, "3"},
	} {
		if got := FormatNumber(tt.v, tt.format); got != tt.want {
			t.Errorf("%d as %s is %q, want %q", tt.v, tt.format, got, tt.want)
		}
	}
}

// TestRoman: a figure before a larger one is taken off, else figures add up.
func TestRoman(t *testing.T) {
	value := map[rune]int{'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100, 'D': 500, 'M': 1000}
	for v := 1; v < 4000; v++ {
		sum, last := 0, 0
		for _, c := range roman(v) {
			if sum += value[c]; last < value[c] {
				sum -= 2 * last
			}
			last = value[c]
		}
		if sum != v {
			t.Fatalf("%d is written %s, which is %d", v, roman(v), sum)
		}
	}
}

func TestOrdered(t *testing.T) {
	type shape struct {
		name string
		box  Box
	}
	boxOf := func(s shape) Box { return s.box }
	columns := []shape{{"foot", Box{0, 90, 100, 99}}, {"right", Box{55, 12, 99, 80}}, {"left below", Box{0, 50, 45, 80}}, {"left", Box{0, 12, 45, 40}}, {"head", Box{0, 0, 100, 10}}}
	var names []string
	for _, s := range Ordered(columns, boxOf) {
		names = append(names, s.name)
	}
	if got := strings.Join(names, ", "); got != "head, left, left below, right, foot" {
		t.Errorf("order %s", got)
	}
	// Whatever the boxes, nothing is lost or doubled.
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var in, out []int
		boxes := make([]Box, rnd.IntN(30))
		for i := range boxes {
			boxes[i] = Box{rnd.IntN(50), rnd.IntN(50), rnd.IntN(60), rnd.IntN(60)}
			in = append(in, i)
		}
		out = Ordered(in, func(i int) Box { return boxes[i] })
		slices.Sort(out)
		if !slices.Equal(in, out) {
			t.Fatalf("%v became %v", in, out)
		}
	}
}
