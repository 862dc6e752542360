package pdf

import (
	"strings"
	"testing"
)

// glyphs sets characters one beside the other: each has its text, the size of its
// font, and how far its lower and upper edge are above the line.
func glyphs(of ...glyph) []glyph {
	x := 100.0
	for i := range of {
		g := &of[i]
		g.index, g.matrix = i, matrix{a: 1, d: 1}
		g.box.left, g.box.right = x, x+0.4*g.size
		x += 0.6 * g.size
	}
	return of
}

func at(text string, size, low, high float64) glyph {
	return glyph{text: text, size: size, box: box{top: low, bottom: high}}
}

func TestSplitRuns(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   []glyph
		want string
	}{
		{"letters and what reaches below the line", glyphs(at("a", 10, 0, 5), at("p", 10, -2, 5), at("e", 10, 0, 5), at(",", 10, -1, 1), at("’", 10, 5, 7)), "ape,’"},
		{"a space divides", glyphs(at("a", 10, 0, 5), at(" ", 10, 0, 0), at("b", 10, 0, 7)), "a|b"},
		{"an exponent stands apart, and what follows it", glyphs(at("1", 10, 0, 7), at("0", 10, 0, 7), at("2", 6, 4, 8), at(")", 10, -2, 7)), "10|2|)"},
		{"an index is of its word", glyphs(at("H", 10, 0, 7), at("2", 6, -2, 2), at("O", 10, 0, 7)), "H2O"},
		{"digits of one size that are dots", glyphs(at("2", 12, 0, 7), at("0", 12, 2, 4), at("3", 12, 0, 7), at("0", 12, 2, 4), at("0", 12, 2, 4)), "20300"},
		{"the next line", []glyph{at("a", 10, 0, 5), at("b", 10, -14, -7)}, "a|b"},
	} {
		var got []string
		for _, run := range splitRuns(tt.in) {
			s := ""
			for _, g := range run {
				s += g.text
			}
			got = append(got, s)
		}
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestNormal(t *testing.T) {
	for in, want := range map[rune]string{'a': "a", 'é': "é", '\uFB01': "fi", '\uFB04': "ffl", '\uFEFB': "لا", '\u00A0': " ", '\u00AD': "-", 0x02: "-", '\u2010': "-",
		'\uF0B7': "•", '\uE123': "\uFFFD", '\uFDD0': "\uFFFD", 0: "\uFFFD", '\u200B': "", '\r': " ", 7: " ", '²': "²", '½': "½"} {
		if got, _ := normal(in); got != want {
			t.Errorf("%U is %q, want %q", in, got, want)
		}
	}
}

func TestNumeric(t *testing.T) {
	for _, s := range []string{"1", "1,234.5", "(870)", "$ 12", "€1.50", "12 %", "-3", "−4", "–", "n/a", "3.2e-5", "1 234", "12^1", "5.0x", "2026"} {
		if !numeric(s) {
			t.Errorf("%q is a number", s)
		}
	}
	for _, s := range []string{"", "Sales", "3 months", "Q1", "A-12", "SKU-8847", "2026-11-15 note", "1st"} {
		if numeric(s) {
			t.Errorf("%q is no number", s)
		}
	}
}

func TestUpright(t *testing.T) {
	page := box{10, 20, 110, 220} // 100 wide, 200 high
	for turns, want := range []struct{ x, y, width float64 }{{0, 200, 100}, {0, 0, 200}, {100, 0, 100}, {200, 100, 200}} {
		m, frame := upright(page, turns)
		x, y := m.point(10, 20) // the lower left corner of the page as the file has it
		if x != want.x || y != want.y || frame.width() != want.width || frame.left != 0 || frame.top != 0 {
			t.Errorf("%d quarter turns: %v, %v in %v, want %+v", turns, x, y, frame, want)
		}
	}
}
