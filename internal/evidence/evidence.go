// Package evidence chooses what goes to the answer: the best candidates, without
// duplicates, grown from passage to section where that fits (small-to-big), and
// within a token budget.
package evidence

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
	"github.com/seed-d3156d19/quarry/store"
)

// Options of the stage; the root package documents and checks them.
type Options struct {
	Passages int                 // most passages that go on from the cut
	Lead     float64             // see leads; 0: always as many as Passages says
	Budget   int                 // tokens
	Section  int                 // a section of at most so many tokens replaces its passage
	Asked    map[string][]string // attributes that are asked for, see readingOf
}

// Evidence is what the answer may use.
type Evidence struct {
	// Pieces are ordered for a reader that attends best to the beginning and
	// the end of its context (Liu et al., "Lost in the Middle", TACL 2024):
	// best first, second best last, the rest between.
	Pieces []Piece
	Tokens int
}

// Piece is a passage of the evidence, perhaps grown to its section.
type Piece struct {
	retrieve.Candidate
	// Matched are the passages within the piece that were candidates, best first.
	Matched []retrieve.Candidate
	// Span and Text replace the passage's where the piece is its whole section.
	Span   document.Span
	Text   string
	Tokens int
	Whole  bool
	// Also are other places in which the same text stands.
	Also []Location
}

// ByRank lists the pieces best first.
func (e Evidence) ByRank() []Piece {
	out := make([]Piece, len(e.Pieces))
	for i := range out {
		out[i] = e.Pieces[position(i, len(out))]
	}
	return out
}

// position is where the piece of rank i (from 0) of n stands.
func position(i, n int) int {
	if i%2 == 0 {
		return i / 2
	}
	return n - 1 - i/2
}

// Gather runs the stages cut and budget.
func Gather(ctx context.Context, view store.View, ranked []retrieve.Candidate, o Options, t *trace.Trace) (Evidence, error) {
	chosen := cut(ranked, o, t)

	start := time.Now()
	record := trace.Record{Stage: trace.Budget, In: len(chosen)}
	texts := outlines{view: view, read: map[document.ID]document.Revision{}}
	var pieces []Piece
	for _, p := range chosen {
		if inside := within(pieces, p); inside >= 0 {
			pieces[inside].join(p)
			continue
		}
		grown, err := texts.grow(ctx, p, o.Section)
		if err != nil {
			return Evidence{}, err
		}
		next := absorb(pieces, grown)
		if tokens(next) > o.Budget {
			next = absorb(pieces, p)
		}
		if tokens(next) > o.Budget {
			record.Drops = append(record.Drops, trace.Drop{Passage: string(p.ID),
				Reason: fmt.Sprintf("%d tokens do not fit into the %d left of %d", p.Tokens, o.Budget-tokens(pieces), o.Budget)})
			continue
		}
		pieces = next
	}
	record.Took, record.Out, record.Tokens = time.Since(start), len(pieces), tokens(pieces)
	t.Add(record)

	ordered := make([]Piece, len(pieces))
	for i, p := range pieces {
		ordered[position(i, len(pieces))] = p.elsewhere()
	}
	return Evidence{Pieces: ordered, Tokens: record.Tokens}, nil
}

func contextTokens(c retrieve.Candidate) int { return wordpiece.Count(c.Context) }

// within finds the piece that already holds a passage.
func within(pieces []Piece, p Piece) int {
	for i, have := range pieces {
		if have.Document == p.Document && have.Span.Contains(p.Span) {
			return i
		}
	}
	return -1
}

// absorb adds a piece to others; those that it holds become part of it, and it
// takes the place of the best of them.
func absorb(pieces []Piece, p Piece) []Piece {
	out := make([]Piece, 0, len(pieces)+1)
	at := -1
	for _, have := range pieces {
		switch {
		case have.Document != p.Document || !p.Span.Contains(have.Span):
			out = append(out, have)
		case at >= 0:
			out[at].join(have)
		default:
			at = len(out)
			have.Tokens = p.Tokens - contextTokens(p.Candidate) + contextTokens(have.Candidate)
			have.Span, have.Text, have.Whole = p.Span, p.Text, p.Whole
			out = append(out, have)
		}
	}
	if at < 0 {
		return append(out, p)
	}
	out[at].join(p)
	return out
}

// join takes in what is known of a piece whose text this one holds.
func (p *Piece) join(inner Piece) {
	p.Matched = append(slices.Clone(p.Matched), inner.Matched...)
	slices.SortStableFunc(p.Matched, func(a, b retrieve.Candidate) int { return a.Rank - b.Rank })
	for _, l := range inner.Also {
		if !slices.ContainsFunc(p.Also, func(have Location) bool { return have.Document == l.Document && have.Span == l.Span }) {
			p.Also = append(slices.Clone(p.Also), l)
		}
	}
}

// elsewhere is the piece without the places of copies that it holds itself.
func (p Piece) elsewhere() Piece {
	p.Also = slices.DeleteFunc(slices.Clone(p.Also), func(l Location) bool { return l.Document == p.Document && p.Span.Contains(l.Span) })
	return p
}

func tokens(pieces []Piece) int {
	sum := 0
	for _, p := range pieces {
		sum += p.Tokens
	}
	return sum
}

// outlines reads each document once.
type outlines struct {
	view store.View
	read map[document.ID]document.Revision
}

// grow replaces a passage by the text of its section, up to the section's first
// subsection, where that has at most limit tokens.
func (o outlines) grow(ctx context.Context, p Piece, limit int) (Piece, error) {
	if limit <= 0 {
		return p, nil
	}
	r, ok := o.read[p.Document]
	if !ok {
		var err error
		if r, err = o.view.Document(ctx, p.Document, false); err != nil {
			return p, fmt.Errorf("reading the section of a passage of %s: %w", p.Document.Path, err)
		}
		o.read[p.Document] = r
	}
	if p.Section <= 0 || p.Section >= len(r.Sections) {
		return p, nil
	}
	body := trim(r.Text, r.Sections[p.Section].Body)
	if !body.Contains(p.Span) || body.Len() > limit*maxBytesPerToken {
		return p, nil
	}
	text := body.Of(r.Text)
	tokens := wordpiece.Count(text)
	if tokens > limit {
		return p, nil
	}
	p.Span, p.Text, p.Whole = body, text, true
	p.Tokens = tokens + contextTokens(p.Candidate)
	return p, nil
}

// maxBytesPerToken bounds what is worth counting, and what a section without
// spaces, which has few tokens however long it is, may add.
const maxBytesPerToken = 16

func trim(text string, s document.Span) document.Span {
	for s.From < s.To && isSpace(text[s.From]) {
		s.From++
	}
	for s.To > s.From && isSpace(text[s.To-1]) {
		s.To--
	}
	return s
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }
