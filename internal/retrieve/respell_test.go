package retrieve

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/store"
)

// vocabularyView is a view whose passages hold some terms.
type vocabularyView struct {
	store.View
	held map[string]int
	// inPast are terms of passages that the view sees and the statistics do not count.
	inPast []string
	err    error
	looked int // how often near terms were looked for
}

func (v *vocabularyView) Statistics(_ context.Context, _ []string) (store.Statistics, error) {
	return store.Statistics{Frequent: v.held}, v.err
}

// Near lists what is near as a store does, in no order but the edits.
func (v *vocabularyView) Near(_ context.Context, term string, edits, _ int) (near []store.NearTerm, err error) {
	if edits > 0 {
		v.looked++
	}
	for d := range edits + 1 {
		for _, t := range v.inPast {
			if store.Edits(term, t) == d {
				near = append(near, store.NearTerm{Term: t, Edits: d, Passages: 1})
			}
		}
		for t, n := range v.held {
			if store.Edits(term, t) == d {
				near = append(near, store.NearTerm{Term: t, Edits: d, Passages: n})
			}
		}
	}
	return near, nil
}

func TestRespell(t *testing.T) {
	view := &vocabularyView{held: map[string]int{"refund": 3, "overtime": 2, "café": 1, "plan": 4, "r2d2x": 1, "kundigung": 2, "stornierung": 2, "kundigungsfristen": 1}, inPast: []string{"pension"}}
	for _, c := range []struct{ asked, want string }{
		{"refund overtime", "refund overtime"},
		{"refnud", "refund:0.83"},
		{"ovretimee", "overtime:0.78"},
		{"plann", "plann"},                   // too short
		{"lefund", "lefund"},                 // another first letter
		{"refxxd", "refxxd"},                 // two edits are too far for six letters
		{"refund refundd", "refund refundd"}, // it is asked for already
		{"r2d3x", "r2d3x"},                   // no word
		{"r2ddx", "r2ddx"},                   // near what is no word
		{"pension", "pension"},               // held on the day that is asked about
		{"ümlaut", "ümlaut"},
		{"kundigungsfrist kundigung frist", "kundigungsfrist kundigung frist"}, // a compound and its parts
		{"kundigungsfrist", "kundigungsfristen:0.87"},                          // alone it is a word
		{"stornierungen stornierung", "stornierungen stornierung"},             // stems of two languages
		{"ovretime overtim plan", "overtime:0.88 plan"},                        // two forms of one word count once
	} {
		var plan query.Plan
		for w := range strings.FieldsSeq(c.asked) {
			plan.Terms = append(plan.Terms, store.QueryTerm{Term: w, Weight: 1})
		}
		got, notes, err := respell(context.Background(), view, plan)
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		changed := 0
		if len(got.Terms) != len(plan.Terms) {
			if said := fmt.Sprintf("%s:%.2f %s", got.Terms[0].Term, got.Terms[0].Weight, got.Terms[1].Term); said != c.want || len(got.Terms) != 2 || len(notes) != 2 {
				t.Errorf("%s: %v, %q; want %s", c.asked, got.Terms, notes, c.want)
			}
			continue
		}
		for i, term := range got.Terms {
			if term == plan.Terms[i] {
				said = append(said, term.Term)
				continue
			}
			said = append(said, fmt.Sprintf("%s:%.2f", term.Term, term.Weight))
			changed++
			if want := fmt.Sprintf("searched for %s instead of %s, which no passage holds", term.Term, plan.Terms[i].Term); notes[changed-1] != want {
				t.Errorf("%s: it says %q, want %q", c.asked, notes[changed-1], want)
			}
		}
		if strings.Join(said, " ") != c.want || len(notes) != changed {
			t.Errorf("%s: %s, %q; want %s", c.asked, strings.Join(said, " "), notes, c.want)
		}
	}
	view.err = errors.New("no")
	if _, _, err := respell(context.Background(), view, query.Plan{}); !errors.Is(err, view.err) {
		t.Errorf("a store that fails: %v", err)
	}
	view.err, view.looked = nil, 0
	var long query.Plan
	for i := range 1000 {
		long.Terms = append(long.Terms, store.QueryTerm{Term: strings.Repeat("x", 6) + strings.Repeat("y", i), Weight: 1})
	}
	_, notes, err := respell(context.Background(), view, long)
	if err != nil || view.looked != mostRespelt || len(notes) != 1 {
		t.Errorf("of a thousand unknown words %d are looked for, %q, %v", view.looked, notes, err)
	}
}
