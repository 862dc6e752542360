// Package evidence chooses what goes to the answer: the best candidates, without
// duplicates, grown from passage to section where that fits (small-to-big), and
// within a token budget.
package evidence

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
	"github.com/seed-d3156d19/quarry/store"
)

// Options of the stage; the root package documents and checks them.
type Options struct {
	Passages int // most passages that go on from the cut
	Budget   int // tokens
	Section  int // a section of at most so many tokens replaces its passage
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
	// Also are other places where the same text stands.
	Also []document.ID
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
	chosen := cut(ranked, o.Passages, t)

	start := time.Now()
	record := trace.Record{Stage: trace.Budget, In: len(chosen)}
	texts := outlines{view: view, read: map[document.ID]document.Revision{}}
	var pieces []Piece
	spent := 0
	for _, p := range chosen {
		if inside := within(pieces, p); inside >= 0 {
			pieces[inside].Matched = append(pieces[inside].Matched, p.Candidate)
			continue
		}
		grown, err := texts.grow(ctx, p, o.Section)
		if err != nil {
			return Evidence{}, err
		}
		if spent+grown.Tokens > o.Budget {
			grown = p
		}
		if spent+grown.Tokens > o.Budget {
			record.Drops = append(record.Drops, trace.Drop{Passage: string(p.ID),
				Reason: fmt.Sprintf("%d tokens do not fit into the %d left of %d", grown.Tokens, o.Budget-spent, o.Budget)})
			continue
		}
		pieces, spent = absorb(pieces, grown, spent)
	}
	record.Took, record.Out, record.Tokens = time.Since(start), len(pieces), spent
	t.Add(record)

	ordered := make([]Piece, len(pieces))
	for i, p := range pieces {
		ordered[position(i, len(pieces))] = p
	}
	return Evidence{Pieces: ordered, Tokens: spent}, nil
}

// cut takes the best n, the same text once.
func cut(ranked []retrieve.Candidate, n int, t *trace.Trace) []Piece {
	record := trace.Record{Stage: trace.Cut, In: len(ranked)}
	var out []Piece
	byText := map[string]int{}
	for _, c := range ranked {
		key := strings.Join(strings.Fields(strings.ToLower(c.Text)), " ")
		if at, ok := byText[key]; ok {
			out[at].Also = append(out[at].Also, c.Document)
			record.Drops = append(record.Drops, trace.Drop{Passage: string(c.ID), Reason: fmt.Sprintf("the same text as rank %d", out[at].Rank)})
			continue
		}
		if len(out) == n {
			record.Drops = append(record.Drops, trace.Drop{Passage: string(c.ID), Reason: fmt.Sprintf("rank %d, and %d passages go on", c.Rank, n)})
			continue
		}
		byText[key] = len(out)
		out = append(out, Piece{Candidate: c, Matched: []retrieve.Candidate{c}, Span: c.Span, Text: c.Text, Tokens: c.Tokens + contextTokens(c)})
	}
	record.Out = len(out)
	t.Add(record)
	return out
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

// absorb appends a piece; smaller ones that it holds become part of it, and it takes
// the place of the best of them.
func absorb(pieces []Piece, grown Piece, spent int) ([]Piece, int) {
	spent += grown.Tokens
	at := -1
	kept := pieces[:0]
	for _, have := range pieces {
		if have.Document == grown.Document && grown.Span.Contains(have.Span) {
			grown.Matched = append(have.Matched, grown.Matched...)
			spent -= have.Tokens
			if at < 0 {
				grown.Candidate = have.Candidate
				at = len(kept)
				kept = append(kept, grown)
			} else {
				kept[at].Matched = grown.Matched
			}
			continue
		}
		kept = append(kept, have)
	}
	if at < 0 {
		return append(kept, grown), spent
	}
	kept[at].Matched = grown.Matched
	return kept, spent
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
