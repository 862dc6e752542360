package lanes

import (
	"fmt"
	"slices"
	"testing"
)

// TestRecentKeepsWhatIsAskedForAgain fills the map with what is asked for once, beside something that is
// asked for again and again.
func TestRecentKeepsWhatIsAskedForAgain(t *testing.T) {
	r := recent[string, int]{most: 100}
	always := func(int) bool { return false }
	r.put("again", 1, 10, always)
	for i := range 1000 {
		r.put(fmt.Sprint(i), i, 1+i%20, always)
		if v, ok := r.get("again"); !ok || v != 1 {
			t.Fatalf("after %d others it is gone", i)
		}
		size := 0
		for _, half := range []map[string]sized[int]{r.newer, r.older} {
			for _, s := range half {
				size += s.size
			}
		}
		if size > r.most {
			t.Fatalf("it keeps %d of %d at most", size, r.most)
		}
	}
	if _, ok := r.get("0"); ok {
		t.Error("what was asked for once is still there")
	}
	r.put("large", 1, 51, always)
	if _, ok := r.get("large"); ok {
		t.Error("it keeps what takes more than half of it")
	}
	r.put("again", 2, 10, func(old int) bool { return old == 1 })
	if v, _ := r.get("again"); v != 1 {
		t.Error("what was to stay was replaced")
	}
	r.put("again", 3, 10, always)
	if v, _ := r.get("again"); v != 3 {
		t.Error("what was put last is not there")
	}
}

func TestBlocksThatChanged(t *testing.T) {
	of := func(pairs ...int64) *directory {
		d := &directory{}
		for i := 0; i < len(pairs); i += 2 {
			d.ids, d.versions = append(d.ids, pairs[i]), append(d.versions, pairs[i+1])
		}
		return d
	}
	for _, c := range []struct {
		what     string
		now, was *directory
		want     []int64
	}{
		{"the same", of(0, 1, 1, 2), of(0, 1, 1, 2), nil},
		{"another version", of(0, 1, 1, 3), of(0, 1, 1, 2), []int64{1}},
		{"a new block", of(0, 1, 1, 2, 5, 9), of(0, 1, 1, 2), []int64{5}},
		{"a block that is gone", of(1, 2), of(0, 1, 1, 2), nil},
		{"nothing known", of(0, 1, 4, 2), of(), []int64{0, 4}},
		{"a view that is older", of(0, 1), of(0, 7, 1, 2), []int64{0}},
	} {
		if got := c.now.changed(c.was); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}
