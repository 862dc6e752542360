package diagnose

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
)

// The nearest text is the stretch that shares most words with what is looked for.
func TestLook(t *testing.T) {
	for _, c := range []struct {
		name, want, text, nearest string
		share                     float64
	}{
		{"all of it", "the fee is five", "Now the fee is five. Not six.", "the fee is five", 1},
		{"a word is another", "the fee is five percent", "Today the fee is six percent, they say.", "the fee is six percent", 0.8},
		{"words that repeat count as often as they are wanted", "fee fee five", "fee five fee fee fee", "fee five fee", 1},
		{"nothing", "zeppelin", "the fee is five", "", 0},
		{"no text", "zeppelin", "", "", 0},
		{"no words", "...", "the fee is five", "", 0},
		{"forms of one word are one", "renewed contracts", "A contract renewal is due.", "contract renewal", 0.5},
	} {
		got := newLook(c.want).in(document.ID{Source: "s", Path: "p"}, c.text)
		if got.share < c.share-1e-9 || c.share == 0 && got.share != 0 || !strings.Contains(c.text, got.text) || c.share == 1 && got.text != c.nearest {
			t.Errorf("%s: %q with %.2f, want %q with %.2f", c.name, got.text, got.share, c.nearest, c.share)
		}
	}
}

func TestCovered(t *testing.T) {
	for _, c := range []struct {
		stretches [][2]int
		want      int
	}{
		{nil, 0},
		{[][2]int{{0, 5}}, 5},
		{[][2]int{{5, 9}, {0, 5}}, 9},
		{[][2]int{{0, 6}, {4, 9}, {5, 6}}, 9},
		{[][2]int{{0, 2}, {7, 9}}, 4},
	} {
		if got := covered(c.stretches); got != c.want {
			t.Errorf("%v cover %d, not %d", c.stretches, got, c.want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("ä", 200), strings.Repeat("漢 ", 200)} {
		if got := clip(text); !utf8.ValidString(got) || len(got) > 170 {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
