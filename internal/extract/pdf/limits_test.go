package pdf

import (
	"errors"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// TestLongLines: a page whose words all stand on a few lines takes time by their number
// and not by the square of it.
func TestLongLines(t *testing.T) {
	const count = 100_000
	set := func(text string, step, base float64) (out []word) {
		for i := range count {
			x := float64(i) * step
			out = append(out, word{text: text, box: box{x, base - 8, x + 5, base}, base: base, size: 10, style: style{font: font{fixed: true}}})
		}
		return out
	}
	for _, c := range []struct {
		name  string
		words []word
	}{
		{"words without wide gaps", set("word", 6, 100)},
		{"bullets", set("•", 6, 100)},
		{"cells", append(set("a", 30, 100), set("b", 30, 112)...)},
	} {
		var err error
		took := testkit.Took(func() {
			p := page{number: 1, box: box{0, 0, 30 * count, 800}, words: c.words}
			var d *document
			if d, err = arrange(file{pages: []page{p}}, time.Now().Add(maxTime)); err == nil {
				(&writer{document: d}).code(block{page: 1, lines: rowsOf(c.words)})
			}
		})
		if err != nil || took > 5*time.Second {
			t.Errorf("%s: %v after %v", c.name, err, took)
		}
	}
}

// TestArrangeEnds: what is not arranged in time is refused.
func TestArrangeEnds(t *testing.T) {
	var f file
	for i := range 3 {
		f.pages = append(f.pages, page{number: i + 1})
	}
	if _, err := arrange(f, time.Now().Add(-time.Second)); !errors.Is(err, ErrSlow) {
		t.Errorf("got %v", err)
	}
}

// TestManyFills: on a page of more painted areas than are compared, white words are seen.
func TestManyFills(t *testing.T) {
	for _, tt := range []struct{ fills, hidden int }{{0, 1}, {mostFills, 1}, {mostFills + 1, 0}} {
		p := page{box: box{0, 0, 600, 800}, drawing: drawing{fills: make([]box, tt.fills)}}
		p.words = []word{{text: "a", box: box{10, 10, 20, 20}, size: 10, style: style{white: true}}}
		if p.hide(); p.hidden != tt.hidden {
			t.Errorf("beside %d areas %d white words are hidden, not %d", tt.fills, p.hidden, tt.hidden)
		}
	}
}
