package evidence

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
	"github.com/seed-d3156d19/quarry/store"
)

// library is a view of documents that a test makes; sections are numbered from 1.
type library struct {
	store.View
	documents map[document.ID]document.Revision
	reads     int
}

func (l *library) Document(_ context.Context, id document.ID, _ bool) (document.Revision, error) {
	l.reads++
	r, ok := l.documents[id]
	if !ok {
		return r, document.ErrNotFound
	}
	return r, nil
}

// add makes a document of sections, each of paragraphs, and returns a candidate for
// every paragraph in order.
func (l *library) add(path string, sections ...[]string) []retrieve.Candidate {
	id := document.ID{Source: "s", Path: path}
	r := document.Revision{Document: id, Sections: []document.Section{{Parent: -1}}}
	var out []retrieve.Candidate
	for i, paragraphs := range sections {
		heading := fmt.Sprintf("Part %d", i+1)
		from := len(r.Text)
		r.Text += "# " + heading + "\n\n"
		for _, p := range paragraphs {
			var c retrieve.Candidate
			c.ID = document.PassageID(fmt.Sprintf("%s/%d", path, len(out)))
			c.Document, c.Section, c.Heading, c.Context = id, i+1, []string{heading}, path+" > "+heading
			c.Text, c.Span = p, document.Span{From: len(r.Text), To: len(r.Text) + len(p)}
			c.Tokens = wordpiece.Count(p)
			out = append(out, c)
			r.Text += p + "\n\n"
		}
		r.Sections = append(r.Sections, document.Section{Level: 1, Heading: heading, Path: []string{heading},
			Body: document.Span{From: from, To: len(r.Text)}})
	}
	if l.documents == nil {
		l.documents = map[document.ID]document.Revision{}
	}
	l.documents[id] = r
	return out
}

// ranked gives candidates their ranks.
func ranked(groups ...[]retrieve.Candidate) []retrieve.Candidate {
	out := slices.Concat(groups...)
	for i := range out {
		out[i].Rank, out[i].Score = i+1, 1/float64(i+1)
	}
	return out
}

func gather(t *testing.T, l *library, in []retrieve.Candidate, o Options) (Evidence, *trace.Trace) {
	t.Helper()
	tr := &trace.Trace{}
	e, err := Gather(t.Context(), l, in, o, tr)
	if err != nil {
		t.Fatal(err)
	}
	checkInvariants(t, l, in, e, o, tr)
	return e, tr
}

// checkInvariants holds what is true of all evidence: it is within its limits, says
// truly where it stands and what it costs, and every candidate is in it or in
// the trace with a reason, once.
func checkInvariants(t *testing.T, l *library, in []retrieve.Candidate, e Evidence, o Options, tr *trace.Trace) {
	t.Helper()
	sum := 0
	fate := map[string]int{}
	for _, p := range e.Pieces {
		sum += p.Tokens
		if text := l.documents[p.Document].Text; p.Span.Of(text) != p.Text {
			t.Errorf("piece %q is not the text of its span %v", p.Text, p.Span)
		}
		if want := wordpiece.Count(p.Text) + wordpiece.Count(p.Context); p.Tokens != want {
			t.Errorf("piece %q counts %d tokens, not %d", p.Text, p.Tokens, want)
		}
		if slices.ContainsFunc(p.Also, func(l Location) bool { return l.Document == p.Document && p.Span.Contains(l.Span) }) {
			t.Errorf("%v is named as another place of itself", p.Document)
		}
		if !slices.IsSortedFunc(p.Matched, func(a, b retrieve.Candidate) int { return a.Rank - b.Rank }) || p.Matched[0].ID != p.ID {
			t.Errorf("piece of rank %d: its passages are not best first", p.Rank)
		}
		for _, m := range p.Matched {
			fate[string(m.ID)]++
			if !p.Span.Contains(m.Span) {
				t.Errorf("passage %s is outside its piece", m.ID)
			}
		}
	}
	if sum != e.Tokens || sum > o.Budget {
		t.Errorf("%d tokens of a budget of %d, and it says %d", sum, o.Budget, e.Tokens)
	}
	for _, r := range tr.Records {
		for _, d := range r.Drops {
			fate[d.Passage]++
			if d.Reason == "" {
				t.Errorf("passage %s is dropped without a reason", d.Passage)
			}
		}
	}
	for _, c := range in {
		if fate[string(c.ID)] != 1 {
			t.Errorf("passage %s is %d times in the evidence and the drops", c.ID, fate[string(c.ID)])
		}
	}
}

// shape writes pieces best first: "first words of each" with "+" where it is the
// whole section and the number of its passages.
func shape(e Evidence) string {
	var out []string
	for _, p := range e.ByRank() {
		s := strings.Fields(p.Matched[0].Text)[0]
		if p.Whole {
			s += "+"
		}
		out = append(out, fmt.Sprintf("%s%d", s, len(p.Matched)))
	}
	return strings.Join(out, " ")
}

func TestGather(t *testing.T) {
	for _, c := range []struct {
		name    string
		options Options
		in      func(l *library) []retrieve.Candidate
		want    string
	}{
		{"a passage grows to its section where that is small", Options{Passages: 10, Budget: 1000, Section: 100}, func(l *library) []retrieve.Candidate {
			return ranked(l.add("a", []string{"alpha one", "beta two"})[:1])
		}, "alpha+1"},
		{"and stays a passage where it is large", Options{Passages: 10, Budget: 1000, Section: 10}, func(l *library) []retrieve.Candidate {
			return ranked(l.add("a", []string{"alpha one", strings.Repeat("beta two ", 20)})[:1])
		}, "alpha1"},
		{"and where growing is off", Options{Passages: 10, Budget: 1000, Section: 0}, func(l *library) []retrieve.Candidate {
			return ranked(l.add("a", []string{"alpha one", "beta two"}))
		}, "alpha1 beta1"},
		{"and where the budget holds the passage only", Options{Passages: 10, Budget: 20, Section: 100}, func(l *library) []retrieve.Candidate {
			return ranked(l.add("a", []string{"alpha one", strings.Repeat("beta two ", 20)})[:1])
		}, "alpha1"},
		{"passages of one section become one piece", Options{Passages: 10, Budget: 1000, Section: 100}, func(l *library) []retrieve.Candidate {
			return ranked(l.add("a", []string{"alpha one", "beta two", "gamma three"}))
		}, "alpha+3"},
		{"sections stay apart", Options{Passages: 10, Budget: 1000, Section: 100}, func(l *library) []retrieve.Candidate {
			return ranked(l.add("a", []string{"alpha one"}, []string{"beta two"}))
		}, "alpha+1 beta+1"},
		{"what does not fit is left out and smaller ones still go in", Options{Passages: 10, Budget: 24, Section: 0}, func(l *library) []retrieve.Candidate {
			return ranked(l.add("a", []string{"alpha one"}, []string{strings.Repeat("beta two ", 20)}, []string{"gamma three"}))
		}, "alpha1 gamma1"},
		{"the best n", Options{Passages: 2, Budget: 1000, Section: 0}, func(l *library) []retrieve.Candidate {
			return ranked(l.add("a", []string{"alpha one", "beta two", "gamma three"}))
		}, "alpha1 beta1"},
		{"none", Options{Passages: 2, Budget: 1000, Section: 100}, func(*library) []retrieve.Candidate { return nil }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &library{}
			e, _ := gather(t, l, c.in(l), c.options)
			if got := shape(e); got != c.want {
				t.Errorf("evidence %q, want %q", got, c.want)
			}
		})
	}
}

// A reader attends best to the beginning and the end of its context.
func TestPositions(t *testing.T) {
	for _, c := range []struct{ pieces, want string }{
		{"1", "1"}, {"12", "12"}, {"123", "132"}, {"1234", "1342"}, {"12345", "13542"},
	} {
		l := &library{}
		var sections [][]string
		for _, r := range c.pieces {
			sections = append(sections, []string{string(r)})
		}
		e, _ := gather(t, l, ranked(l.add("a", sections...)), Options{Passages: 10, Budget: 1000, Section: 0})
		got, byRank := "", ""
		for _, p := range e.Pieces {
			got += p.Text
		}
		for _, p := range e.ByRank() {
			byRank += p.Text
		}
		if got != c.want || byRank != c.pieces {
			t.Errorf("pieces %s stand as %s, want %s; by rank %s", c.pieces, got, c.want, byRank)
		}
	}
}

func TestDuplicates(t *testing.T) {
	l := &library{}
	a, b, c := l.add("a", []string{"The fee is 5 %."}), l.add("b", []string{"The  FEE is\n5 %."}), l.add("c", []string{"The fee is 5 %."})
	e, tr := gather(t, l, ranked(a, b, c), Options{Passages: 10, Budget: 1000, Section: 100})
	if len(e.Pieces) != 1 || e.Pieces[0].Document.Path != "a" {
		t.Fatalf("copies give %d pieces", len(e.Pieces))
	}
	if also := e.Pieces[0].Also; len(also) != 2 || also[0].Document.Path != "b" || also[1].Document.Path != "c" {
		t.Errorf("the copies are named as %v", also)
	}
	if drops := tr.Records[0].Drops; len(drops) != 2 || drops[0].Reason != "the same text as rank 1" {
		t.Errorf("the trace says %+v", drops)
	}

	// A place that is known of a passage stays known where the passage becomes part
	// of another piece.
	l = &library{}
	a, b = l.add("a", []string{"The fee is 5 %.", "The rate is 6 %."}), l.add("b", []string{"The rate is 6 %."})
	e, _ = gather(t, l, ranked(a, b), Options{Passages: 10, Budget: 1000, Section: 100})
	if len(e.Pieces) != 1 || len(e.Pieces[0].Also) != 1 || e.Pieces[0].Also[0].Document.Path != "b" {
		t.Errorf("the copy of a part is lost: %+v", e.Pieces)
	}
}

// The same words mean something else under another heading or other columns.
func TestSameWordsElsewhere(t *testing.T) {
	l := &library{}
	in := l.add("a", []string{"The fee is 5 %."}, []string{"The fee is 5 %."}, []string{"| Gold | 5 |"}, []string{"| Gold | 5 |"})
	in[2].Heading, in[3].Heading = nil, nil
	in[2].Context, in[3].Context = "a\n| Plan | Seats |", "a\n| Plan | Days |"
	if e, _ := gather(t, l, ranked(in), Options{Passages: 10, Budget: 1000, Section: 0}); len(e.Pieces) != 4 {
		t.Errorf("%d pieces of 4 that say different things", len(e.Pieces))
	}
}

// However passages, budget and limits fall, the invariants hold.
func TestBudgetProperty(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	words := []string{"refund", "fee", "approval", "unbelievable", "5 %", "notwithstanding", "x", "the"}
	for range 400 {
		l := &library{}
		var in []retrieve.Candidate
		for d := range 1 + random.IntN(4) {
			sections := make([][]string, 1+random.IntN(3))
			for i := range sections {
				for range 1 + random.IntN(4) {
					text := words[random.IntN(len(words))]
					for range random.IntN(30) {
						text += " " + words[random.IntN(len(words))]
					}
					sections[i] = append(sections[i], text)
				}
			}
			list := l.add(fmt.Sprint("d", d), sections...)
			for i := range list {
				if random.IntN(5) == 0 { // a table's caption: contexts of one section differ
					list[i].Context += "\n" + strings.Repeat("caption ", random.IntN(20))
				}
			}
			in = append(in, list...)
		}
		random.Shuffle(len(in), func(i, j int) { in[i], in[j] = in[j], in[i] })
		gather(t, l, ranked(in), Options{Passages: 1 + random.IntN(12), Budget: 1 + random.IntN(200), Lead: random.Float64() - 0.3, Section: random.IntN(120)})
		if l.reads > len(l.documents) {
			t.Fatalf("%d reads of %d documents", l.reads, len(l.documents))
		}
		if t.Failed() {
			return
		}
	}
}

// What a section holds that cannot be read is an error, not a smaller answer.
func TestUnreadableDocument(t *testing.T) {
	l := &library{}
	in := ranked(l.add("a", []string{"alpha"}))
	clear(l.documents)
	_, err := Gather(t.Context(), l, in, Options{Passages: 10, Budget: 1000, Section: 100}, &trace.Trace{})
	if !errors.Is(err, document.ErrNotFound) || !strings.Contains(err.Error(), "reading the section") {
		t.Errorf("error %v", err)
	}
}
