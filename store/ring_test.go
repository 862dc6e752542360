package store

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestRings(t *testing.T) {
	for _, c := range []struct {
		what  string
		names map[string][]string
		want  [][]string
	}{
		{"nothing", nil, nil},
		{"a chain", map[string][]string{"c": {"b"}, "b": {"a"}, "a": {"gone"}}, nil},
		{"itself", map[string][]string{"a": {"a"}}, nil},
		{"two", map[string][]string{"b": {"a"}, "a": {"b"}}, [][]string{{"a", "b"}}},
		{"three, with one before and one after", map[string][]string{"z": {"a"}, "a": {"c", "old"}, "c": {"b"}, "b": {"a"}}, [][]string{{"a", "b", "c"}}},
		{"two rings, one naming the other", map[string][]string{"d": {"c"}, "c": {"d", "a"}, "a": {"b"}, "b": {"a"}}, [][]string{{"a", "b"}, {"c", "d"}}},
		{"two that share a document", map[string][]string{"a": {"b", "c"}, "b": {"a"}, "c": {"a"}}, [][]string{{"a", "b", "c"}}},
	} {
		if got := Rings(c.names); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, not %v", c.what, got, c.want)
		}
	}
}

// Two documents are in one ring where each is reached from the other.
func TestRingsAgreeWithReachability(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 9))
	for range 500 {
		n := 1 + rnd.IntN(8)
		names := map[string][]string{}
		for range rnd.IntN(2 * n) {
			from := fmt.Sprint(rnd.IntN(n))
			names[from] = append(names[from], fmt.Sprint(rnd.IntN(n)))
		}
		var reach func(from string, seen map[string]bool) map[string]bool
		reach = func(from string, seen map[string]bool) map[string]bool {
			for _, to := range names[from] {
				if !seen[to] {
					seen[to] = true
					reach(to, seen)
				}
			}
			return seen
		}
		rings := Rings(names)
		for i := range n {
			for j := range i {
				a, b := fmt.Sprint(i), fmt.Sprint(j)
				want := reach(a, map[string]bool{})[b] && reach(b, map[string]bool{})[a]
				got := slices.ContainsFunc(rings, func(r []string) bool { return slices.Contains(r, a) && slices.Contains(r, b) })
				if got != want {
					t.Fatalf("in %v: %s and %s in one ring: %v", names, a, b, got)
				}
			}
		}
	}
}
