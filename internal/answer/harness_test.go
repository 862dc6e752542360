package answer

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store"
)

// doc is a document whose one section is in the evidence.
type doc struct {
	path       string
	title      string // default: path
	heading    string // default: none
	above      string // a table's caption and header, as a passage's context carries them
	authority  int
	attributes map[string][]string
	effective  string // since when it says that it is in force
	inferred   string // what that was inferred from, where it does not say it
	text       string
	exact      bool    // it holds the identifier asked for,
	identifier float64 // with this score
}

// preamble stands before every text, so that no span begins at 0.
const preamble = "A title of some length\n\n"

func (d doc) canonical() string { return preamble + d.text }

func (d doc) piece(rank, of int) evidence.Piece {
	var c retrieve.Candidate
	c.Document = document.ID{Source: "s", Path: d.path}
	c.ID = document.PassageID(d.path)
	if c.Title = d.title; c.Title == "" {
		c.Title = d.path
	}
	if d.heading != "" {
		c.Heading = []string{d.heading}
	}
	c.Context = strings.TrimSuffix(d.heading+"\n"+d.above, "\n")
	c.Text, c.Span = d.text, document.Span{From: len(preamble), To: len(preamble) + len(d.text)}
	c.Authority, c.Attributes, c.Revision = d.authority, d.attributes, "r-"+d.path
	c.Rank, c.Score = rank, 1-float64(rank-1)/float64(max(2, of))
	c.Exact, c.Identifier.Score = d.exact, d.identifier
	return evidence.Piece{Candidate: c, Matched: []retrieve.Candidate{c}, Span: c.Span, Text: c.Text}
}

// corpus is a view that knows statistics alone: of 1,000 passages those of the
// documents hold their words, so that all terms are rare.
type corpus struct {
	store.View
	docs []doc
}

func (c corpus) Statistics(_ context.Context, list []string) (store.Statistics, error) {
	s := store.Statistics{Passages: 1000, Frequent: map[string]int{}}
	for _, d := range c.docs {
		set := union(termSet(d.text+"\n"+d.heading), termSet(d.title))
		for _, t := range list {
			if set[t] {
				s.Frequent[t]++
			}
		}
	}
	return s, nil
}

// Document gives what a document says of itself.
func (c corpus) Document(_ context.Context, id document.ID, _ bool) (r document.Revision, err error) {
	for _, d := range c.docs {
		if d.path == id.Path && d.effective != "" {
			r.Metadata.Inferred = d.inferred
			r.Metadata.Effective.From, err = document.ParseDay(d.effective)
		}
	}
	return r, err
}

var defaults = Options{Threshold: 0.5, Sentences: 3}

// ask composes the answer to a question from documents, best first, and checks what is
// true of every answer.
func ask(t *testing.T, question string, docs ...doc) Answer {
	t.Helper()
	tr := &trace.Trace{}
	plan, err := query.Understand(question, tr)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]string{}
	for _, d := range docs {
		for key, list := range d.attributes {
			values[key] = append(values[key], list...)
		}
	}
	plan.Named = query.NamedIn(question, values)
	n := len(docs)
	found := evidence.Evidence{Pieces: make([]evidence.Piece, n)}
	for i, d := range docs { // best first and last, as the stage before leaves them
		at := i / 2
		if i%2 == 1 {
			at = n - 1 - i/2
		}
		found.Pieces[at] = d.piece(i+1, n)
	}
	q, err := Quote(t.Context(), corpus{docs: docs}, plan, rankedOf(found), found, defaults)
	if err != nil {
		t.Fatal(err)
	}
	a := q.Take(tr)
	checkAnswer(t, a, plan, docs)
	return a
}

// rankedOf are the candidates that evidence is of, best first.
func rankedOf(found evidence.Evidence) []retrieve.Candidate {
	var out []retrieve.Candidate
	for _, p := range found.ByRank() {
		out = append(out, p.Candidate)
	}
	return out
}

var cited = regexp.MustCompile(`\[(\d+)\]`)

// checkAnswer holds the invariants: every quote is the text of its span, every
// citation number exists, every line of the text is one quote without its markup, and
// status, requirements and what is missing agree.
func checkAnswer(t *testing.T, a Answer, plan query.Plan, docs []doc) {
	t.Helper()
	texts := map[string]string{}
	for _, d := range docs {
		texts[d.path] = d.canonical()
	}
	for i, c := range a.Citations {
		if c.N != i+1 {
			t.Errorf("citation %d has the number %d", i+1, c.N)
		}
		if c.Span.Of(texts[c.Document.Path]) != c.Quote || c.Quote == "" {
			t.Errorf("the quote %q is not the text of %v in %s", c.Quote, c.Span, c.Document.Path)
		}
		if isQuestion(c.Quote) {
			t.Errorf("a question was quoted: %q", c.Quote)
		}
		if c.Revision != "r-"+c.Document.Path {
			t.Errorf("citation %d is of revision %q", c.N, c.Revision)
		}
	}
	inRange := func(where string, numbers []int) {
		for _, n := range numbers {
			if n < 1 || n > len(a.Citations) {
				t.Errorf("%s cites [%d] of %d", where, n, len(a.Citations))
			}
		}
	}
	for _, m := range cited.FindAllStringSubmatch(a.Text, -1) {
		n, _ := strconv.Atoi(m[1])
		inRange("the text", []int{n})
	}
	open := 0
	for _, r := range a.Requirements {
		inRange("requirement "+r.Text, r.Citations)
		if (r.Status == Open) != (len(r.Citations) == 0) {
			t.Errorf("requirement %q is %s with %d citations", r.Text, r.Status, len(r.Citations))
		}
		if r.Status == Open {
			open++
		}
	}
	for _, c := range a.Conflicts {
		inRange("a conflict", c.Citations)
		if c.SettledBy == "" && len(c.Citations) < 2 || c.SettledBy != "" && (len(c.Citations) != 1 || len(c.Overruled) == 0) {
			t.Errorf("a conflict settled by %q of %d sides and %d", c.SettledBy, len(c.Citations), len(c.Overruled))
		}
		for _, o := range c.Overruled {
			if o.N != 0 || o.Span.Of(texts[o.Document.Path]) != o.Quote || o.Quote == "" {
				t.Errorf("overruled is %+v", o)
			}
			if strings.Contains(a.Text, o.Quote) {
				t.Errorf("the answer says what is overruled: %q", o.Quote)
			}
		}
	}
	if len(a.Requirements) != len(plan.Requirements) {
		t.Errorf("%d requirements of %d", len(a.Requirements), len(plan.Requirements))
	}
	if len(a.Citations) > 0 {
		rest := a.Text
		for _, c := range a.Citations {
			mark := fmt.Sprintf(" [%d]", c.N)
			at := strings.Index(rest, mark)
			if at < 0 {
				t.Errorf("%s is missing in:\n%s", mark, a.Text)
				break
			}
			checkPart(t, rest[:at], c)
			rest = strings.TrimPrefix(rest[at+len(mark):], "\n")
		}
		if rest != "" {
			t.Errorf("%q has no citation", rest)
		}
	}
	if a.Status == Answered && (open > 0 || len(a.Missing) > 0) || a.Status == Partial && (open == 0 || open == len(a.Requirements)) ||
		(a.Status == Insufficient || a.Status == NeedsInformation) && (open != len(a.Requirements) || len(a.Missing) == 0 || len(a.Citations) > 0) {
		t.Errorf("status %s with %d of %d requirements open and missing %q", a.Status, open, len(a.Requirements), a.Missing)
	}
}

// checkPart checks that a part of an answer says no word that its quote does not; a
// table's row says also the names of its columns.
func checkPart(t *testing.T, text string, c Citation) {
	t.Helper()
	if strings.Contains(c.Quote, "|") {
		return
	}
	said := termSet(c.Quote)
	for _, w := range analyze.Words(text) {
		if !said[w.Term] {
			t.Errorf("%q says %q, and its quote %q does not", text, w.Folded, c.Quote)
		}
	}
}

// quotes lists what an answer quotes, without line ends.
func quotes(a Answer) []string {
	var out []string
	for _, c := range a.Citations {
		out = append(out, strings.ReplaceAll(c.Quote, "\n", " "))
	}
	return out
}

// termSet is the terms of a text.
func termSet(text string) map[string]bool {
	return (&cutter{words: analyze.NewReader()}).terms(text)
}
