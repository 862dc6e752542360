package document

import "testing"

func TestLinesWithin(t *testing.T) {
	lines := Lines{{Span: Span{2, 5}, Page: 1}, {Span: Span{5, 9}, Page: 2}, {Span: Span{12, 14}, Page: 3}}
	for _, c := range []struct{ from, to, first, n int }{
		{0, 2, 0, 0}, {0, 3, 1, 1}, {4, 6, 1, 2}, {5, 6, 2, 1}, {9, 12, 0, 0}, {8, 13, 2, 2}, {14, 20, 0, 0}, {0, 99, 1, 3},
	} {
		got := lines.Within(Span{c.from, c.to})
		if len(got) != c.n || c.n > 0 && got[0].Page != c.first {
			t.Errorf("within %d to %d stand %v", c.from, c.to, got)
		}
	}
}
