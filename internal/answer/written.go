package answer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/claims"
	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/generate"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// Writing says how a model writes answers; without a model they are quoted.
type Writing struct {
	generate.Options
	// Promise is the least that the evidence must promise for the model to be asked.
	Promise float64
}

// Said is a part of an answer as it is told while the rest is still made.
type Said struct {
	// Text is a sentence that held against the evidence, with its citations, and white space or
	// the mark of an item before it where it is not the first.
	Text string
	// Citations are those of Text that no part before had.
	Citations []Citation
}

// Write has the model write the answer, where there is one, the evidence promises enough and the
// question is one that a passage can answer; else, and where the model gives nothing that
// can be used, the quoted answer is taken. tell, if it is not nil, gets the answer part by part;
// its error ends the stage.
func Write(ctx context.Context, plan query.Plan, found evidence.Evidence, quoted Quoted, o Writing, tell func(Said) error, t *trace.Trace) (Answer, error) {
	take := func() (Answer, error) {
		a := quoted.Take(t)
		if tell != nil && a.Text != "" {
			return a, tell(Said{a.Text, a.Citations})
		}
		return a, nil
	}
	switch {
	case o.Model == nil:
		return take()
	case quoted.Answer.Status == NeedsInformation || quoted.Answer.Status == NotDocumentQuestion:
		t.Add(off(found, o, "the status is "+string(quoted.Answer.Status)))
		return take()
	case len(found.Pieces) == 0 || quoted.Promise < o.Promise:
		t.Add(off(found, o, fmt.Sprintf("the evidence promises %.2f of an answer, below generate.threshold %.2f", quoted.Promise, o.Promise)))
		return take()
	}
	w := &written{pieces: found.Pieces, numbers: map[place]int{}}
	var each func(claims.Verdict) error
	if tell != nil {
		each = func(v claims.Verdict) error {
			from := len(w.citations)
			text := w.render(v, w.told)
			w.told = true
			return tell(Said{text, w.citations[from:]})
		}
	}
	draft, err := generate.Write(ctx, plan.Question, found, o.Options, each, t)
	if err != nil {
		if nothing := (generate.NothingError{}); errors.As(err, &nothing) {
			return take()
		}
		return Answer{}, err
	}
	start := time.Now()
	draft.Conflicts = slices.DeleteFunc(draft.Conflicts, func(c generate.Conflict) bool { return w.settled(c, quoted.Answer) })
	a := w.answer(plan, draft, o)
	if len(draft.Claims)+len(draft.Missing)+len(draft.Needed) == 0 { // nothing held: what the documents say is better than nothing
		a, err = take()
		a.Repaired, a.Removed = draft.Repaired, draft.Removed
		return a, err
	}
	if len(draft.Claims) == 0 && tell != nil {
		err = tell(Said{a.Text, nil})
	}
	// The quoted answer's conflict stands beside what the model makes of it.
	w.keepConflicts(&a, quoted.Answer)
	t.Add(trace.Record{Stage: trace.Cite, Took: time.Since(start), In: len(found.Pieces), Out: len(a.Citations),
		Notes: []string{"status " + string(a.Status)}, Drops: w.uncited()})
	return a, err
}

func off(found evidence.Evidence, o Writing, why string) trace.Record {
	return trace.Record{Stage: trace.Generate, In: len(found.Pieces), Out: 0, Notes: []string{o.Model.Name() + " was not asked: " + why}}
}

// place is what a citation is of.
type place struct {
	piece int // from 0, in the order of the evidence
	span  document.Span
}

// written makes an answer of a draft: citations get their numbers in the order in which they
// are first used.
type written struct {
	pieces    []evidence.Piece
	numbers   map[place]int
	citations []Citation
	told      bool // a part of the answer
}

// render is a claim as the answer says it, with the marks of its citations.
func (w *written) render(v claims.Verdict, follows bool) string {
	var b strings.Builder
	switch {
	case !follows:
	case v.Claim.Line:
		b.WriteByte('\n')
	default:
		b.WriteByte(' ')
	}
	b.WriteString(v.Claim.Bullet)
	b.WriteString(claims.Neutral(v.Claim.Text))
	for i, n := range w.numbersOf(v) {
		if i == 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "[%d]", n)
	}
	return b.String()
}

// numbersOf are the numbers of a claim's citations; a line that leads in a list has none, its
// items have.
func (w *written) numbersOf(v claims.Verdict) []int {
	if strings.HasSuffix(v.Claim.Text, ":") && v.Claim.Line && v.Claim.Bullet == "" && len(v.Claim.Cites) != 1 {
		return nil
	}
	var out []int
	for _, s := range v.Support {
		out = append(out, w.cite(s.N-1, s.Span))
	}
	return out
}

// cite gives the number of the citation of a span within a piece.
func (w *written) cite(piece int, span document.Span) int {
	at := place{piece, span}
	if n, ok := w.numbers[at]; ok {
		return n
	}
	n := len(w.citations) + 1
	p := w.pieces[piece]
	w.numbers[at] = n
	c := citationOf(p, document.Span{From: p.Span.From + span.From, To: p.Span.From + span.To})
	c.N = n
	w.citations = append(w.citations, c)
	return n
}

// answer puts a draft together.
func (w *written) answer(plan query.Plan, d generate.Draft, o Writing) Answer {
	a := Answer{By: o.Model.Name(), Missing: d.Missing, Repaired: d.Repaired, Removed: d.Removed, Scores: d.Scores}
	var text strings.Builder
	for i, v := range d.Claims {
		text.WriteString(w.render(v, i > 0))
	}
	a.Text = text.String()
	for _, c := range d.Conflicts {
		conflict := Conflict{Text: c.Text}
		for _, n := range c.Cites {
			conflict.Citations = append(conflict.Citations, w.cited(n-1))
		}
		a.Conflicts = append(a.Conflicts, conflict)
	}
	a.Citations = w.citations
	a.Requirements = w.requirements(plan, d)
	switch held := len(d.Claims) > 0; {
	case len(a.Conflicts) > 0:
		a.Status = Conflicting
	case !held && len(d.Needed) > 0:
		a.Status, a.Missing = NeedsInformation, append(d.Needed, d.Missing...)
		a.Text = "The answer depends on something that the question does not say."
	case !held:
		a.Status, a.Text = Insufficient, "The documents that were searched do not answer this."
	case len(d.Missing)+len(d.Needed)+len(d.Removed) > 0 || d.Broken != "":
		a.Status, a.Missing = Partial, append(append([]string{}, d.Missing...), d.Needed...)
		if d.Broken != "" {
			a.Missing = append(a.Missing, "the rest of the answer: "+d.Broken)
		}
	default:
		a.Status = Answered
	}
	return a
}

// cited is the number of a citation of a piece: the first that it has, or else of the whole.
func (w *written) cited(piece int) int {
	if n := w.first(piece); n > 0 {
		return n
	}
	return w.cite(piece, document.Span{From: 0, To: len(w.pieces[piece].Text)})
}

// first is the least number of a citation of a piece, 0 for none.
func (w *written) first(piece int) int {
	least := 0
	for at, n := range w.numbers {
		if at.piece == piece && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

// requirements gives each claim to the requirement whose terms it says most of.
func (w *written) requirements(plan query.Plan, d generate.Draft) []Requirement {
	out := make([]Requirement, len(plan.Requirements))
	for i, r := range plan.Requirements {
		out[i] = Requirement{Text: r.Text, Status: Open}
	}
	for _, v := range d.Claims {
		best, at := -1, 0
		said := termsIn(v.Claim.Text)
		for i, r := range plan.Requirements {
			n := 0
			for _, t := range r.Terms {
				if said[t.Term] {
					n++
				}
			}
			if n > best {
				best, at = n, i
			}
		}
		if len(out) > 0 {
			out[at].Status = Met
			out[at].Citations = merge(out[at].Citations, w.numbersOf(v))
		}
	}
	return out
}

// settled reports whether a conflict that the model sees is between what prevails and what it
// overrules: authority, validity or scope has settled it, of which the model is told nothing.
// keepConflicts says it with what settles it.
func (w *written) settled(c generate.Conflict, quoted Answer) bool {
	for _, q := range quoted.Conflicts {
		if q.SettledBy == "" {
			continue
		}
		sides := slices.Clone(q.Overruled)
		for _, n := range q.Citations {
			sides = append(sides, quoted.Citations[n-1])
		}
		within := func(n int, citations []Citation) bool {
			p := w.pieces[n-1]
			return slices.ContainsFunc(citations, func(c Citation) bool {
				return c.Document == p.Document && c.Span.From < p.Span.To && p.Span.From < c.Span.To
			})
		}
		if !slices.ContainsFunc(c.Cites, func(n int) bool { return !within(n, sides) }) && slices.ContainsFunc(c.Cites, func(n int) bool { return within(n, q.Overruled) }) {
			return true
		}
	}
	return false
}

// keepConflicts adds the conflicts that the rules for quoting saw, with their citations, to an
// answer that says none.
func (w *written) keepConflicts(a *Answer, quoted Answer) {
	if len(a.Conflicts) > 0 || a.Status == Insufficient || a.Status == NeedsInformation {
		return
	}
	for _, c := range quoted.Conflicts {
		kept := Conflict{Text: c.Text, SettledBy: c.SettledBy, Overruled: c.Overruled}
		for _, n := range c.Citations {
			cited := quoted.Citations[n-1]
			cited.N = len(a.Citations) + 1
			a.Citations = append(a.Citations, cited)
			kept.Citations = append(kept.Citations, cited.N)
		}
		a.Conflicts = append(a.Conflicts, kept)
		if c.SettledBy == "" {
			a.Status = Conflicting
		}
	}
}

// uncited lists the pieces that no citation is of.
func (w *written) uncited() []trace.Drop {
	var out []trace.Drop
	for i, p := range w.pieces {
		if w.first(i) == 0 {
			out = append(out, trace.Drop{Passage: string(p.ID), Reason: "the model's answer cites others"})
		}
	}
	return out
}

func termsIn(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range analyze.Words(text) {
		set[w.Term] = true
	}
	return set
}
