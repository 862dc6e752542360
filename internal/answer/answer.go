// Package answer makes an answer of the evidence: the sentences that answer,
// quoted, each with a citation, or what is missing. It adds no word of its own
// to what the documents say. Where a model writes the answer, each of its sentences
// stands in the text only if it held against the passages that it cites.
package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/generate"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store"
)

// Status says what an answer is.
type Status string

// The statuses.
const (
	Answered            Status = "answered"
	Partial             Status = "partial"
	Insufficient        Status = "insufficient"
	Conflicting         Status = "conflict"
	NeedsInformation    Status = "needs_information"
	NotDocumentQuestion Status = "not_a_document_question"
)

// Answer is the result of a question.
type Answer struct {
	Status       Status
	Text         string // what is quoted, each run of sentences ending with its citation "[n]"
	Citations    []Citation
	Requirements []Requirement
	Missing      []string
	Conflicts    []Conflict
	// By names the model that wrote the text; "" where it is quoted.
	By string
	// Repaired are sentences of the model that did not hold against the evidence, with what it
	// wrote instead, and Removed those that are no part of the text for it.
	Repaired []Repair
	Removed  []Removal
	// Scores are what a second model says of the support of the sentences that held; they
	// decide nothing. Empty where none is asked.
	Scores []Score
}

// Score is a sentence of a model with what another says of its support.
type Score = generate.Scored

// Repair is a sentence of a model that did not hold and was written anew.
type Repair = generate.Repair

// Removal is a sentence of a model that did not hold and was taken out.
type Removal = generate.Removal

// Citation is a quote and where it stands.
type Citation struct {
	N        int // from 1
	Document document.ID
	Title    string
	Heading  []string
	Span     document.Span  // of the quote, in the revision's canonical text
	Page     int            // that the quote begins on, from 1; 0 where the original has no pages
	Lines    document.Lines // on the pages of the original that the quote is of, where it is known where they stand
	Quote    string         // exactly the text of the span
	Revision string
	// Also are other places in which what is quoted stands, of documents that the asker
	// may read and that are in force.
	Also []evidence.Location
	// Valid are the days on which the revision holds, and Inferred says what they were
	// inferred from where the document does not state them.
	Valid    document.Interval
	Inferred string
}

// RequirementStatus says whether a fact was established.
type RequirementStatus string

// The statuses of a requirement.
const (
	Open   RequirementStatus = "open"
	Met    RequirementStatus = "met"
	InConf RequirementStatus = "conflicting"
)

// Requirement is one fact that the question asks for.
type Requirement struct {
	Text      string
	Status    RequirementStatus
	Citations []int
	// Support is the greatest support that a sentence of the evidence gave it.
	Support float64
}

// Conflict is two or more documents that disagree.
type Conflict struct {
	Text      string
	Citations []int // of all sides; where it is settled, of the side that prevails
	// SettledBy is what settles it: ByScope, ByAuthority, ByValidity; "" where nothing does
	// and the answer is conflicting.
	SettledBy string
	// Overruled is what the documents say that do not prevail, without numbers: it is no
	// part of the answer.
	Overruled []Citation
}

// Options of the stage; the root package documents and checks them.
type Options struct {
	Threshold float64
	Sentences int
	Promise   float64 // the least that the candidates must promise; 0: anything
}

// Quoted is the answer in the documents' own words, and how far the evidence promises to hold
// one at all.
type Quoted struct {
	Answer Answer
	// Promise is that of Signals.
	Promise float64
	record  trace.Record
}

// Quote finds, in the evidence that was chosen of the ranked candidates, for each requirement the sentences that support it best, if they support it
// enough. The trace is not written to: who takes the answer as it is does that with Take.
func Quote(ctx context.Context, view store.View, plan query.Plan, ranked []retrieve.Candidate, found evidence.Evidence, o Options) (Quoted, error) {
	start := time.Now()
	c, err := compose(ctx, view, plan, ranked, found, o)
	a := c.answer
	if err != nil {
		return Quoted{}, fmt.Errorf("composing the answer: %w", err)
	}
	record := trace.Record{Stage: trace.Cite, Took: time.Since(start), In: len(found.Pieces), Out: len(a.Citations), Notes: notes(a),
		Drops: c.uncited(found.ByRank())}
	if c.left > 0 {
		record.Notes = append(record.Notes, fmt.Sprintf("%d further sentences or rows answer as well and are not quoted", c.left))
	}
	return Quoted{Answer: a, Promise: c.promise, record: record}, nil
}

// Take gives the answer and writes into the trace how it came about.
func (q Quoted) Take(t *trace.Trace) Answer {
	t.Add(q.record)
	return q.Answer
}

func compose(ctx context.Context, view store.View, plan query.Plan, ranked []retrieve.Candidate, found evidence.Evidence, o Options) (*composer, error) {
	c := &composer{view: view, asked: plan.Asked(), options: o, said: map[int]said{}}
	pieces := found.ByRank()
	if plan.Intent != query.Fact {
		c.answer = notForDocuments(plan, pieces)
		return c, nil
	}
	known, err := weigh(ctx, view, plan)
	if err != nil {
		return c, err
	}
	c.promise = signalsOf(plan, ranked, known).Promise()
	units := cutUnits(pieces)
	if options := ambiguous(plan, units, known, o.Threshold); len(options) > 0 {
		c.answer = needsInformation(plan, options)
		return c, nil
	}
	if c.promise < o.Promise {
		c.refrain(plan)
		return c, nil
	}
	for _, r := range plan.Requirements {
		if err := c.establish(ctx, r, units, known); err != nil {
			return c, err
		}
	}
	c.finish()
	return c, nil
}

// establish looks for the fact that a requirement asks for, and quotes what it
// found or says what is missing.
func (c *composer) establish(ctx context.Context, r query.Requirement, units []unit, known terms) error {
	scored := scoreUnits(r, units, known)
	c.note(scored)
	ranked := rankScored(slices.Clone(scored), c.options.Threshold)
	req := Requirement{Text: r.Text, Status: Open}
	if len(ranked) > 0 {
		req.Support = ranked[0].support
	}
	if len(ranked) == 0 || req.Support < c.options.Threshold {
		c.answer.Missing = append(c.answer.Missing, missing(r, units))
		c.answer.Requirements = append(c.answer.Requirements, req)
		return nil
	}
	ranked, err := c.prevailing(ctx, ranked)
	if err != nil {
		return err
	}
	disputes, err := c.disputes(ctx, ranked[0], scored)
	if err != nil {
		return err
	}
	req.Status = Met
	req.Citations = c.quote(r, ranked, units)
	if open := c.settle(r, ranked[0], disputes, units); len(open) > 0 {
		req.Status = InConf
		req.Citations = merge(req.Citations, open)
	}
	c.answer.Requirements = append(c.answer.Requirements, req)
	return nil
}

// refrain answers nothing, as the candidates promise too little.
func (c *composer) refrain(plan query.Plan) {
	c.refrained = true
	for _, r := range plan.Requirements {
		c.answer.Missing = append(c.answer.Missing, strings.TrimSpace(r.Text)+" (what was found is about the matter, and hardly holds the answer)")
		c.answer.Requirements = append(c.answer.Requirements, Requirement{Text: r.Text, Status: Open})
	}
	c.finish()
}

// finish gives the answer its status and text.
func (c *composer) finish() {
	a := &c.answer
	a.Text = c.text()
	switch open := len(a.Missing); {
	case slices.ContainsFunc(a.Conflicts, func(c Conflict) bool { return c.SettledBy == "" }):
		a.Status = Conflicting
	case open == 0:
		a.Status = Answered
	case open < len(a.Requirements):
		a.Status = Partial
	default:
		a.Status = Insufficient
		a.Text = "The documents that were searched do not answer this."
	}
}

func notForDocuments(plan query.Plan, pieces []evidence.Piece) Answer {
	a := Answer{Status: NotDocumentQuestion}
	switch plan.Intent {
	case query.Action:
		a.Text = "This asks for something to be done. Quarry finds what documents say and changes nothing."
	case query.LiveData:
		a.Text = "This asks for the state of something at this moment. Documents do not hold it: look into the system that does."
	case query.WholeDocument:
		a.Text = "This asks for a task over a whole document, and an answer made of a few passages would leave things out."
		if len(pieces) > 0 {
			a.Text += " Read it with: quarry show --text -- " + shellQuoted(pieces[0].Document.String())
		}
	}
	for _, r := range plan.Requirements {
		a.Requirements = append(a.Requirements, Requirement{Text: r.Text, Status: Open})
	}
	return a
}

// shellQuoted makes one word of a name for a shell, whatever it holds.
func shellQuoted(name string) string {
	return "'" + strings.ReplaceAll(strings.Join(strings.Fields(name), " "), "'", `'\''`) + "'"
}

func notes(a Answer) []string {
	out := []string{"status " + string(a.Status)}
	for _, r := range a.Requirements {
		out = append(out, fmt.Sprintf("support %.2f for %q", r.Support, r.Text))
	}
	return out
}

func merge(a, b []int) []int {
	seen := map[int]bool{}
	var out []int
	for _, n := range append(append([]int{}, a...), b...) {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}
