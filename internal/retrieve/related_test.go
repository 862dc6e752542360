package retrieve

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/trace"
)

func TestRelated(t *testing.T) {
	scores := map[string]float64{"a": 1, "b": 0.9, "c": 0.8, "d": 0.7, "e": 0.6, "f": 0.5, "g": 0.45, "h": 0.1, "z": 0}
	for _, c := range []struct {
		name    string
		related float64
		similar map[string]float64
		want    string
	}{
		{"off", 0, map[string]float64{"a h": 1}, "abcdefghz"},
		{"no vector of the first", 0.2, nil, "abcdefghz"},
		{"near to the first goes ahead", 0.2, map[string]float64{"a f": 0.1, "a g": 0.9, "a h": 0.2, "a z": 0.1}, "abcdegfhz"},
		{"as far as its weight allows", 0.2, map[string]float64{"a f": 0.1, "a g": 0.1, "a h": 0.9, "a z": 0.1}, "abcdefghz"},
		{"the settled places stand", 5, map[string]float64{"a f": 0.1, "a g": 0.1, "a h": 1, "a z": 0.5}, "abcdehzfg"},
		{"without a vector is the farthest", 0.2, map[string]float64{"a f": 0.9, "a h": 0.9, "a z": 0.1}, "abcdefghz"},
		{"a cosine that is rounded above 1 does not pass them", 5, map[string]float64{"a f": 0, "a h": 1.001}, "abcdehfgz"},
	} {
		v := &lanesView{vector: scores, keyword: map[string]float64{}, similar: c.similar}
		o := options
		o.Related = c.related
		got, tr, err := find(t, v, "refund", model{}, o)
		if err != nil || order(got) != c.want {
			t.Errorf("%s: %s, %v, want %s", c.name, order(got), err, c.want)
		}
		for i := range got {
			if i > 0 && got[i].Score > got[i-1].Score || got[i].Score < 0 || got[i].Score > 1 {
				t.Errorf("%s: place %d has score %g after %g", c.name, i+1, got[i].Score, got[max(0, i-1)].Score)
			}
		}
		fuse := tr.Records[len(tr.Records)-1]
		if said := strings.Contains(strings.Join(fuse.Notes, " "), "nearness"); said != (c.related > 0 && c.similar != nil) {
			t.Errorf("%s: the trace says %q", c.name, fuse.Notes)
		}
	}
	broken := errors.New("the index is broken")
	v := &lanesView{vector: scores, failing: map[trace.Stage]error{trace.Fuse: broken}}
	o := options
	o.Related = 0.2
	got, tr, err := find(t, v, "refund", model{}, o)
	if err != nil || order(got) != "abcdefghz" {
		t.Errorf("comparing fails: %s, %v; want what fusion gave", order(got), err)
	}
	if failed := strings.Join(tr.Failed(), "; "); !strings.Contains(failed, broken.Error()) {
		t.Errorf("comparing fails: the trace names %q", failed)
	}
}

func TestDocumentPrior(t *testing.T) {
	v := &lanesView{
		keyword: map[string]float64{"a": 10, "b": 8, "c": 7.9, "d": 1},
		in:      map[string]string{"a": "one", "b": "two", "c": "one", "d": "three"},
	}
	for share, want := range map[float64]string{0: "abcd", 0.1: "acbd", 1: "acbd"} {
		o := options
		o.Document = share
		got, _, err := find(t, v, "refund", nil, o)
		if err != nil || order(got) != want {
			t.Errorf("share %g: %s, %v, want %s", share, order(got), err, want)
		}
		if share == 0.1 {
			// c: 0.9*0.79 + 0.1*1
			if math.Abs(got[1].Score-0.811) > 1e-9 {
				t.Errorf("c scores %g, want 0.811", got[1].Score)
			}
			if got[1].Keyword.Score != 7.9 {
				t.Errorf("the lane's own score became %g", got[1].Keyword.Score)
			}
		}
	}
}
