package bert

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

func numbers(n int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(1000 + i)
	}
	return ids
}

func TestWindows(t *testing.T) {
	for _, c := range []struct {
		tokens, window, prefix, overlap int
		want                            [][2]int // the tokens [from, to) of each window
	}{
		{tokens: 0, window: 10, want: [][2]int{{0, 0}}},
		{tokens: 8, window: 10, overlap: 2, want: [][2]int{{0, 8}}},
		{tokens: 9, window: 10, overlap: 2, want: [][2]int{{0, 6}, {3, 9}}},
		{tokens: 14, window: 10, overlap: 2, want: [][2]int{{0, 8}, {6, 14}}},
		{tokens: 15, window: 10, overlap: 2, want: [][2]int{{0, 7}, {4, 11}, {8, 15}}},
		{tokens: 8, window: 10, prefix: 3, overlap: 1, want: [][2]int{{0, 5}, {3, 8}}},
		{tokens: 16, window: 10, want: [][2]int{{0, 8}, {8, 16}}},
	} {
		f := framed{prefix: make([]int32, c.prefix), window: c.window}
		got := f.windows(wordpiece.BuiltIn(), numbers(c.tokens), c.overlap)
		if len(got) != len(c.want) {
			t.Errorf("%+v: %d windows", c, len(got))
			continue
		}
		for i, ids := range got {
			from, to := c.want[i][0], c.want[i][1]
			inner := ids[1+c.prefix : len(ids)-1]
			if len(inner) != to-from || len(inner) > 0 && inner[0] != int32(1000+from) {
				t.Errorf("%+v: window %d is %v", c, i, ids)
			}
		}
	}
}

// TestWindowsCoverAll: whatever the sizes, every token is in a window, no window is
// too long, and neighbours overlap by at least what is asked.
func TestWindowsCoverAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		window := 4 + r.IntN(60)
		f := framed{prefix: make([]int32, r.IntN(window-3)), window: window}
		overlap := r.IntN(f.room())
		n := r.IntN(400)
		end := int32(1000)
		for i, ids := range f.windows(wordpiece.BuiltIn(), numbers(n), overlap) {
			if len(ids) > window {
				t.Fatalf("a window of %d has %d tokens", window, len(ids))
			}
			inner := ids[1+len(f.prefix) : len(ids)-1]
			if i > 0 && int(end-inner[0]) < overlap {
				t.Fatalf("%d tokens, window %d, prefix %d: windows overlap by %d, want %d", n, window, len(f.prefix), end-inner[0], overlap)
			}
			if len(inner) > 0 {
				end = inner[len(inner)-1] + 1
			}
		}
		if int(end) != 1000+n {
			t.Fatalf("%d tokens, window %d: the windows end at %d", n, window, end-1000)
		}
	}
}
