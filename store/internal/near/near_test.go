package near

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/store"
)

// TestTermsAreAsFarAsTheDefinitionSays compares with store.Edits, sorted and in any order, and
// that no term with a beginning that is called far comes near.
func TestTermsAreAsFarAsTheDefinitionSays(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	term := func() string {
		var b strings.Builder
		for range rnd.IntN(8) {
			b.WriteRune([]rune("abcäß中")[rnd.IntN(6)])
		}
		return b.String()
	}
	for round := range 200 {
		word, edits := term(), rnd.IntN(store.MaxEdits+1)
		terms := make([]string, 100)
		for i := range terms {
			terms[i] = term()
		}
		if round%2 == 0 {
			slices.Sort(terms)
		}
		w := New(word, edits)
		for _, other := range terms {
			d, near, far := w.Edits(other)
			want := store.Edits(word, other)
			if near != (want <= edits) || near && d != want {
				t.Fatalf("%q is %d from %q, near within %d is %v; want %d", other, d, word, edits, near, want)
			}
			if far < 0 {
				continue
			}
			for _, also := range terms {
				if strings.HasPrefix(also, other[:far]) && store.Edits(word, also) <= edits {
					t.Fatalf("%q begins with %q, which is far, and is near %q", also, other[:far], word)
				}
			}
		}
	}
}
