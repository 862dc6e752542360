package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// quotedView is a view whose passages hold phrases, by their words: how closely each does.
type quotedView struct {
	lanesView
	phrases map[string]map[string]float64
	matched int // that hold the words, where more than are looked at
	err     error
}

func (v *quotedView) Phrase(_ context.Context, phrase store.Phrase, _ int) (store.PhraseHits, error) {
	var words []string
	for _, terms := range phrase {
		words = append(words, terms[0])
	}
	var out store.PhraseHits
	for id, closeness := range v.phrases[strings.Join(words, " ")] {
		out.Hits = append(out.Hits, store.Hit{Passage: document.PassageID(id), Score: closeness})
	}
	slices.SortFunc(out.Hits, func(a, b store.Hit) int { return strings.Compare(string(a.Passage), string(b.Passage)) })
	slices.SortStableFunc(out.Hits, func(a, b store.Hit) int { return int(1e6*b.Score) - int(1e6*a.Score) })
	out.Matched = max(len(out.Hits), v.matched)
	return out, v.err
}

func TestQuotedText(t *testing.T) {
	phrases := map[string]map[string]float64{
		"due date":   {"c": 1, "d": 1, "b": 0.25, "e": 0.5},
		"late fee":   {"a": 0.5, "b": 0.2},
		"first fine": {"e": 1, "d": 1},
	}
	for _, c := range []struct {
		name     string
		question string
		view     quotedView
		want     string // candidates in order, of which keyword alone gives abcd
		note     string
	}{
		{"what holds it first, the better by its score, then the closer", `"due date"`, quotedView{}, "cdeba",
			"2 passages hold “due date” as it stands"},
		{"without quotes", `due date`, quotedView{}, "abcd", ""},
		{"what no passage holds leaves the ranking", `"late fee"`, quotedView{}, "abcd", "no passage holds “late fee” as it stands"},
		{"and beside another quote counts nothing", `"late fee" "due date"`, quotedView{}, "cdeba", "no passage holds “late fee” as it stands"},
		{"more quotes before one", `"due date" "first fine"`, quotedView{}, "decba", "2 passages hold “first fine” as it stands"},
		{"a failure leaves the ranking", `"due date"`, quotedView{err: errors.New("the record is damaged")}, "abcd",
			"“due date” was not looked for: the record is damaged"},
		{"not all are looked at", `"due date"`, quotedView{matched: 5000}, "cdeba",
			"2 passages hold “due date” as it stands, of the 2000 looked at among 5000 with its words"},
		{"a long quote is shortened", `"` + strings.Repeat("due ", 30) + `"`, quotedView{}, "abcd",
			"no passage holds “" + strings.Repeat("due ", 15) + "…” as it stands"},
	} {
		for _, fusion := range []string{"weighted", "rrf"} {
			t.Run(c.name+", "+fusion, func(t *testing.T) {
				c.view.phrases = phrases
				c.view.keyword = map[string]float64{"a": 8, "b": 4, "c": 3, "d": 2}
				o := options
				o.Fusion = fusion
				got, tr, err := find(t, &c.view, c.question, nil, o)
				if err != nil || order(got) != c.want {
					t.Errorf("order %s, want %s, %v", order(got), c.want, err)
				}
				for i := 1; i < len(got); i++ {
					if got[i].Score > got[i-1].Score {
						t.Errorf("%s has a score of %g, behind %g", got[i].ID, got[i].Score, got[i-1].Score)
					}
				}
				if keyword := tr.Records[0]; strings.Join(keyword.Notes, "; ") != c.note && !slices.Contains(keyword.Notes, c.note) || keyword.Out != len(got) {
					t.Errorf("the trace says %d out and %q, want %q", keyword.Out, keyword.Notes, c.note)
				}
			})
		}
	}
}

// What holds the quote is among the candidates and first, however many passages fit better
// by their words; and an exact identifier keeps its place beside it.
func TestQuotedAmongMany(t *testing.T) {
	v := &quotedView{phrases: map[string]map[string]float64{"due date": {}}}
	v.keyword, v.identifier = map[string]float64{}, map[string]float64{"the-one": 0.1}
	for i := range 300 {
		v.keyword[fmt.Sprintf("p%03d", i)] = float64(100 + i)
	}
	for i := range 60 {
		v.phrases["due date"][fmt.Sprintf("p%03d", i)] = 1
	}
	got, _, err := find(t, v, `the "due date" of INV-4471`, nil, options)
	if err != nil || len(got) != options.Candidates {
		t.Fatalf("%d candidates, %v", len(got), err)
	}
	exact := 0
	for i, c := range got {
		if c.Exact {
			exact++
		}
		if c.Quoted.Whole != 1 && !c.Exact || c.Rank != i+1 || c.Keyword.Place == 0 && !c.Exact {
			t.Errorf("rank %d: %s %+v", c.Rank, c.ID, c.Quoted)
		}
	}
	if exact != 1 {
		t.Errorf("%d hold the identifier", exact)
	}
}
