package wordpiece

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// golden is a text with what the reference makes of it; testdata/README.md says
// how the file came about.
type golden struct {
	Text  string
	IDs   []int32
	Spans []int // from, to, from, to, ...
}

func readGolden(t *testing.T, path string) []golden {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []golden
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var g golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		out = append(out, g)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// WORDPIECE_GOLDEN names a larger file of the same form to check against.
func TestEqualsReference(t *testing.T) {
	paths := []string{"testdata/golden.jsonl"}
	if p := os.Getenv("WORDPIECE_GOLDEN"); p != "" {
		paths = append(paths, p)
	}
	for _, path := range paths {
		all := readGolden(t, path)
		if len(all) < 300 {
			t.Errorf("%s has %d texts, want 300 or more", path, len(all))
		}
		wrongIDs, wrongSpans := 0, 0
		for _, g := range all {
			got := Encode(g.Text)
			if n := Count(g.Text); n != len(g.IDs) {
				t.Errorf("Count(%q) = %d, want %d", g.Text, n, len(g.IDs))
			}
			sameIDs, sameSpans := len(got) == len(g.IDs), true
			for i := 0; sameIDs && i < len(got); i++ {
				sameIDs = got[i].ID == g.IDs[i]
				sameSpans = sameSpans && got[i].From == g.Spans[2*i] && got[i].To == g.Spans[2*i+1]
			}
			if !sameIDs {
				if wrongIDs++; wrongIDs < 6 {
					t.Errorf("Encode(%q)\n got %v\nwant %v", g.Text, got, g.IDs)
				}
			} else if !sameSpans {
				// The reference orders marks canonically, and its spans with
				// them: that shows in random strings of rare marks only.
				if wrongSpans++; wrongSpans > len(all)/5000 {
					t.Errorf("Encode(%q)\n got %v\nwant spans %v", g.Text, got, g.Spans)
				}
			}
		}
		t.Logf("%s: %d texts, %d with other ids, %d with other spans", path, len(all), wrongIDs, wrongSpans)
	}
}
