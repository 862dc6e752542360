package storetest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

func testNear(t *testing.T, f Factory) {
	ann := document.Scope{Principals: []string{"user:ann"}}
	setup := func(t *testing.T) *bench {
		b := newBench(t, f)
		b.put(Make("a", "refund policy\nrefund refunds\nlieferung überweisung"),
			Make("b", "refuns gold\ngold"),
			Make("gone", "refundo"),
			Make("closed", "refunde policy", func(r *store.Revision) { r.Metadata.Access = document.Access{Readers: []string{"user:ann"}} }))
		b.apply(store.Change{Remove: []document.ID{docID("gone")}})
		return b
	}
	for _, c := range []struct {
		scope document.Scope
		term  string
		edits int
		k     int
		want  string
	}{
		{everyone, "refund", 0, 9, "refund/0/2"},
		{everyone, "refund", 1, 9, "refund/0/2 refunds/1/1 refuns/1/1"},
		{everyone, "refund", 1, 2, "refund/0/2 refunds/1/1"},
		{everyone, "refund", 1, 0, ""},
		{everyone, "rfeund", 1, 9, "refund/1/2"},           // neighbours exchanged
		{everyone, "uberweisung", 1, 9, "überweisung/1/1"}, // code points, not bytes
		{everyone, "gxldx", 2, 9, "gold/2/2"},
		{everyone, "policies", 2, 9, ""},
		{everyone, "", 2, 9, "a/1/3 b/1/2"}, // the titles
		// A term of closed passages alone is not there, nor are they counted.
		{everyone, "refunde", 1, 9, "refund/1/2 refunds/1/1"},
		{everyone, "polici", 1, 9, "policy/1/1"},
		{ann, "refunde", 1, 9, "refunde/0/1 refund/1/2 refunds/1/1"},
		{ann, "polici", 1, 9, "policy/1/2"},
		{document.Scope{Tenant: "other"}, "refund", 2, 9, ""},
	} {
		t.Run(fmt.Sprintf("%s within %d as %v", c.term, c.edits, c.scope.Principals), func(t *testing.T) {
			b := setup(t)
			v := b.view(c.scope)
			defer v.Close()
			near, err := v.Near(b.ctx, c.term, c.edits, c.k)
			b.ok(err, "Near")
			if got := said(near); got != c.want {
				b.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	t.Run("restricted", func(t *testing.T) {
		b := setup(t)
		v := b.view(everyone)
		defer v.Close()
		narrow, err := v.Restrict(b.ctx, []store.Place{{Document: docID("b")}})
		b.ok(err, "Restrict")
		defer narrow.Close()
		near, err := narrow.Near(b.ctx, "refund", 2, 9)
		b.ok(err, "Near")
		if got := said(near); got != "refuns/1/1" {
			b.Errorf("got %q", got)
		}
		_, err = v.Near(b.ctx, "refund", store.MaxEdits+1, 9)
		b.is(err, store.ErrInvalid, "too many edits")
		_, err = v.Near(b.ctx, "refund", -1, 9)
		b.is(err, store.ErrInvalid, "edits below 0")
	})
	t.Run("random", func(t *testing.T) {
		b := newBench(t, f)
		rnd := rand.New(rand.NewPCG(3, 4))
		word := func() string {
			var w strings.Builder
			for range 1 + rnd.IntN(6) {
				w.WriteRune([]rune("abcäß中")[rnd.IntN(6)])
			}
			return w.String()
		}
		held := map[string]int{}
		for i := range 6 {
			var text strings.Builder
			for range 30 {
				w := word()
				text.WriteString(w + "\n")
				held[w]++
			}
			b.put(Make(fmt.Sprintf("1%d", i), text.String()))
		}
		v := b.view(everyone)
		defer v.Close()
		for range 60 {
			term, edits := word(), rnd.IntN(store.MaxEdits+1)
			var want []store.NearTerm
			for w, n := range held {
				if d := store.Edits(term, w); d <= edits {
					want = append(want, store.NearTerm{Term: w, Edits: d, Passages: n})
				}
			}
			slices.SortFunc(want, func(a, b store.NearTerm) int {
				return cmp.Or(cmp.Compare(a.Edits, b.Edits), cmp.Compare(b.Passages, a.Passages), cmp.Compare(a.Term, b.Term))
			})
			near, err := v.Near(b.ctx, term, edits, 1000)
			b.ok(err, "Near")
			// Titles are terms as well; here they are numbers.
			near = slices.DeleteFunc(near, func(n store.NearTerm) bool { return strings.ContainsAny(n.Term, "0123456789") })
			if said(near) != said(want) {
				b.Errorf("%s within %d: %s, want %s", term, edits, said(near), said(want))
			}
		}
	})
}

// said writes near terms as term/edits/passages.
func said(near []store.NearTerm) string {
	var out []string
	for _, n := range near {
		out = append(out, fmt.Sprintf("%s/%d/%d", n.Term, n.Edits, n.Passages))
	}
	return strings.Join(out, " ")
}
