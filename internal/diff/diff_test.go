package diff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"", "", ""},
		{"", "x", "[]>[x]"},
		{"x", "", "[x]>[]"},
		{"a b c", "a b c", ""},
		{"the fee is 5 EUR", "the fee is 7 EUR", "[5]>[7]"},
		{"the fee is 5 EUR", "the handling fee is 7 EUR", "[]>[handling] [5]>[7]"},
		{"a b c d", "b c d", "[a]>[]"},
		{"a b a b a", "a a b b a", "[b]>[] []>[b]"},
		{"x x x x", "x x", "[x x]>[]"},
		{"one two", "three four", "[one two]>[three four]"},
		{"not for sale", "for sale", "[not]>[]"},
	} {
		a, b := strings.Fields(c.a), strings.Fields(c.b)
		var told []string
		for _, e := range Tokens(a, b) {
			told = append(told, fmt.Sprintf("%v>%v", a[e.FromA:e.ToA], b[e.FromB:e.ToB]))
		}
		if got := strings.Join(told, " "); got != c.want {
			t.Errorf("%q to %q: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

// applied makes b of a by edits; it reports false where they are out of order, touch, or
// leave out what differs.
func applied(a, b []string, edits []Edit) bool {
	var out []string
	at, last := 0, Edit{-1, -1, -1, -1}
	for _, e := range edits {
		if e.FromA < at || e.ToA < e.FromA || e.ToB < e.FromB || e.FromA == e.ToA && e.FromB == e.ToB || e.FromA == last.ToA && e.FromB == last.ToB {
			return false
		}
		out = append(append(out, a[at:e.FromA]...), b[e.FromB:e.ToB]...)
		at, last = e.ToA, e
	}
	return slices.Equal(append(out, a[at:]...), b)
}

// distance is the number of insertions and deletions, by the textbook's table.
func distance(a, b []string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			next := min(row[j], row[j+1]) + 1
			if a[i] == b[j] {
				next = diagonal
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

// Whatever the texts, the edits make the one of the other; where no token stands once, they
// are the fewest.
func TestRandomTexts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 2))
	text := func(words int) []string {
		out := make([]string, rnd.IntN(30))
		for i := range out {
			out[i] = fmt.Sprint(rnd.IntN(words))
		}
		return out
	}
	for round := range 4000 {
		words := 2 + round%20
		a, b := text(words), text(words)
		edits := Tokens(a, b)
		if !applied(a, b, edits) {
			t.Fatalf("%v to %v: %v", a, b, edits)
		}
		ids := map[string]int32{}
		c := comparison{a: intern(ids, a), b: intern(ids, b)}
		c.shortest(0, len(a), 0, len(b))
		steps := 0
		for _, e := range c.edits {
			steps += e.ToA - e.FromA + e.ToB - e.FromB
		}
		if want := distance(a, b); !applied(a, b, c.edits) || steps != want {
			t.Fatalf("%v to %v: %d steps %v, want %d", a, b, steps, c.edits, want)
		}
	}
}

// Texts that have nothing, or one token, in common over and over take no longer than others.
func TestBounded(t *testing.T) {
	many := func(format string, n, words int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf(format, i%words)
		}
		return out
	}
	for _, c := range []struct{ a, b []string }{
		{many("a%d", 20000, 20000), many("b%d", 20000, 20000)},
		{many("x%d", 20000, 2), many("x%d", 20000, 3)},
		{many("x%d", 20000, 20000), turned(many("x%d", 20000, 20000))},
	} {
		if edits := Tokens(c.a, c.b); !applied(c.a, c.b, edits) {
			t.Errorf("%d edits do not make the one of the other", len(edits))
		}
	}
}

func turned(s []string) []string {
	slices.Reverse(s)
	return s
}

func TestSplit(t *testing.T) {
	for _, c := range []struct{ text, lines, words string }{
		{"", "", ""},
		{"a\nb", "a\n|b", "a|\n|b"},
		{"a\nb\n", "a\n|b", "a|\n|b|\n"},
		{"EUR 1.50, nööt", "EUR 1.50, nööt", "EUR| |1|.|50|,| |nööt"},
	} {
		if got := strings.Join(Lines(c.text), "|"); got != c.lines {
			t.Errorf("lines of %q: %q", c.text, got)
		}
		if got := strings.Join(Words(c.text), "|"); got != c.words {
			t.Errorf("words of %q: %q", c.text, got)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("a b c", "a c b")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := Words(a), Words(b)
		if strings.Join(x, "") != a || !applied(x, y, Tokens(x, y)) {
			t.Errorf("%q to %q", a, b)
		}
	})
}
