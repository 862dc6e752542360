package evidence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// scored makes candidates of these scores and of others that score as background, to
// 30 in all.
func scored(background float64, scores ...float64) []retrieve.Candidate {
	var out []retrieve.Candidate
	for i := range 30 {
		score := background
		if i < len(scores) {
			score = scores[i]
		}
		var c retrieve.Candidate
		c.ID, c.Text, c.Score, c.Rank = document.PassageID(fmt.Sprint("p", i)), fmt.Sprint("text ", i), score, i+1
		out = append(out, c)
	}
	return out
}

func TestAdaptiveCut(t *testing.T) {
	steps := []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1}
	for _, c := range []struct {
		name   string
		ranked []retrieve.Candidate
		lead   float64
		want   int
	}{
		{"off: as many as may go", scored(0, 1), 0, 8},
		{"off, also those below the background", scored(1, 3, 2, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1), 0, 8},
		{"below the background nothing goes on", scored(1, 3, 2, 1.5, 0.4, 0.3, 0.2, 0.1, 0.1), 0.01, 3},
		{"one that stands out takes two along", scored(0, 1), 0.3, 3},
		{"those with 30 % of the lead or more", scored(0, steps...), 0.3, 8},
		{"with half of it", scored(0, steps...), 0.5, 6},
		{"over the background, not over 0", scored(0.35, steps[:7]...), 0.5, 4},
		{"whatever the scale, as of a reranker", scored(-10, 0, -2, -4, -6, -9), 0.3, 4},
		{"all alike: none stands out, and there is no best", scored(0.5, 0.5), 0.3, 8},
		{"too few to have a background", scored(0, 1)[:20], 0.3, 8},
		{"no candidate", nil, 0.3, 0},
	} {
		tr := &trace.Trace{}
		got := cut(c.ranked, Options{Passages: 8, Lead: c.lead}, tr)
		if len(got) != c.want {
			t.Errorf("%s: %d go on, want %d", c.name, len(got), c.want)
		}
		r := tr.Records[0]
		if r.Out != c.want || len(r.Drops) != len(c.ranked)-c.want {
			t.Errorf("%s: the trace says %d go on and %d do not", c.name, r.Out, len(r.Drops))
		}
		for _, d := range r.Drops {
			if c.want == 8 == strings.Contains(d.Reason, "stands out") {
				t.Errorf("%s: dropped as %q", c.name, d.Reason)
			}
		}
	}
}

// The same text further down is said to stand there too, though nothing goes on any more.
func TestSameTextBehindTheCut(t *testing.T) {
	list := scored(0, 1)
	list[25].Text, list[25].Document = list[0].Text, document.ID{Source: "s", Path: "copy"}
	got := cut(list, Options{Passages: 8, Lead: 0.3}, &trace.Trace{})
	if len(got) != 3 || len(got[0].Also) != 1 || got[0].Also[0].Path != "copy" {
		t.Errorf("%d go on, the first stands also in %v", len(got), got[0].Also)
	}
}
