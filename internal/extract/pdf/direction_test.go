package pdf

import (
	"strings"
	"testing"
)

func wordsOf(s string) []word {
	var out []word
	for _, w := range strings.Fields(s) {
		out = append(out, word{text: w})
	}
	return out
}

// TestInReadingOrder: words from the left to the order in which they are read.
func TestInReadingOrder(t *testing.T) {
	for _, tt := range []struct{ fromLeft, want string }{
		{"the first line", "the first line"},
		{"שלום עולם", "עולם שלום"},
		{"מאוד גדול Visual Studio הוא", "הוא Visual Studio גדול מאוד"},
		{"the word שלום here", "the word שלום here"},
		{"ב 2026 הוגש", "הוגש 2026 ב"},
	} {
		var got []string
		for _, w := range inReadingOrder(wordsOf(tt.fromLeft)) {
			got = append(got, w.text)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q is read %q, want %q", tt.fromLeft, got, tt.want)
		}
	}
}

func TestMirrored(t *testing.T) {
	one := func(at int, s string) cell { return cell{at: at, cols: 1, rows: 1, lines: []string{s}} }
	tab := &table{lefts: []float64{0, 1, 2}, rows: [][]cell{
		{{at: 0, cols: 2, rows: 1, lines: []string{"שנים"}}, one(2, "שם")},
		{one(0, "12"), one(1, "34"), one(2, "אורך")},
	}}
	tab.mirrored()
	if got := texts(tab.rows[0]) + "/" + texts(tab.rows[1]); got != "שם|שנים/אורך|34|12" || tab.rows[0][1].at != 1 {
		t.Errorf("%s %v", got, tab.rows)
	}
}
