// Package generate has a chat model write an answer from the evidence, and holds what it wrote
// against the evidence, claim by claim: what does not hold is asked for once more with the
// fault named, and else removed. No sentence of a model's answer leaves the package unchecked; what it says
// that it misses or needs to know cannot be held against evidence, and is kept apart, in short lines.
package generate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/chat"
	"github.com/seed-d3156d19/quarry/internal/claims"
	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// Options of the stage; the root package documents and checks them.
type Options struct {
	Model chat.Model // one that is a chat.Streamer is streamed
	// Verifier scores what held by the rules; nil: nobody does.
	Verifier Verifier
	// Words bounds one answer of the model, in its tokens.
	Words int
	// Tokens bounds what all calls for a question take, in and out.
	Tokens int
	// Time bounds how long all of them take.
	Time time.Duration
	// Price is the model's; nil: no cost is told.
	Price *Price
}

// Price is what a million tokens cost that a model reads, and that it writes.
type Price struct {
	Input, Output float64
	Currency      string
}

// Draft is an answer of a model after it was held against the evidence. Passages are numbered
// from 1 in the order of the evidence.
type Draft struct {
	Claims    []claims.Verdict // that hold, in the order of the answer
	Missing   []string         // what the model says the evidence lacks
	Needed    []string         // what it says the asker must tell
	Conflicts []Conflict
	Repaired  []Repair
	Removed   []Removal
	Scores    []Scored // of the claims, in their order; empty without a verifier
	// Broken says why the model's text ends before its end; "" where it does not.
	Broken string
}

// Conflict is what two passages are said to differ on.
type Conflict struct {
	Text  string
	Cites []int
}

// Repair is a sentence that did not hold and what the model made of it.
type Repair struct{ Text, Fault, Instead string }

// Removal is a sentence that did not hold and is no part of the answer.
type Removal struct{ Text, Fault string }

// Empty reports whether the draft says nothing at all.
func (d Draft) Empty() bool {
	return len(d.Claims)+len(d.Missing)+len(d.Needed)+len(d.Conflicts) == 0
}

// Write runs the stage. tell, if it is not nil, is given each claim once it holds, while the
// model still writes; an error of it ends the stage and is returned as it is. Other errors are
// of ctx, or a NothingError; then nothing was told.
func Write(ctx context.Context, question string, found evidence.Evidence, o Options, tell func(claims.Verdict) error, t *trace.Trace) (Draft, error) {
	start := time.Now()
	w := &writer{caller: ctx, question: question, pieces: found.Pieces, options: o, tell: tell, checker: claims.New(passages(found.Pieces))}
	within, cancel := context.WithTimeoutCause(ctx, o.Time, lateError(o.Time))
	err := w.write(within)
	if err == nil && w.tellErr == nil {
		w.repair(within)
	}
	defer cancel()
	if w.tellErr != nil {
		err = w.tellErr
	}
	record := trace.Record{Stage: trace.Generate, Took: time.Since(start), In: len(found.Pieces), Out: len(w.draft.Claims), Notes: w.notes(),
		Calls: w.calls, Tokens: w.used.Input + w.used.Output, Model: w.options.use(PromptVersion, w.used)}
	if err != nil && ctx.Err() == nil && w.tellErr == nil {
		record.Error = fmt.Sprintf("%s wrote nothing that can be used, and the documents are quoted: %v", o.Model.Name(), err)
		err = NothingError{err}
	}
	t.Add(record)
	if err == nil {
		w.verify(within, t)
	}
	return w.draft, err
}

// NothingError says in a sentence why a model gave nothing that can be used.
type NothingError struct{ Err error }

func (e NothingError) Error() string { return e.Err.Error() }
func (e NothingError) Unwrap() error { return e.Err }

// lateError says that the time for a question is over.
type lateError time.Duration

func (e lateError) Error() string {
	return fmt.Sprintf("it took longer than %s: raise generate.time, or use a faster model", time.Duration(e))
}

func passages(pieces []evidence.Piece) []claims.Passage {
	out := make([]claims.Passage, len(pieces))
	for i, p := range pieces {
		out[i] = claims.Passage{N: i + 1, Text: p.Text, Around: around(p)}
	}
	return out
}

// writer holds one answer while it is made.
type writer struct {
	caller   context.Context // without the stage's own limit
	question string
	pieces   []evidence.Piece
	options  Options
	checker  *claims.Checker
	tell     func(claims.Verdict) error
	tellErr  error

	conversation []chat.Message
	text         string // what the model wrote
	verdicts     []claims.Verdict
	draft        Draft
	used         chat.Usage
	calls        int
	skipped      string // why nothing was asked for once more
}

// write asks for the answer and holds its claims against the evidence as they come.
func (w *writer) write(ctx context.Context) error {
	w.conversation = prompt(w.question, w.pieces, newNonce())
	if err := w.affords(w.conversation, w.options.Words); err != nil {
		return err
	}
	parts := &reader{each: w.take}
	r, err := w.ask(ctx, w.conversation, parts.add)
	w.text = parts.text()
	if w.tellErr != nil {
		return nil
	}
	if err != nil {
		if w.caller.Err() != nil {
			return w.caller.Err()
		}
		parts.end(true)
		if late := lateError(0); ctx.Err() != nil && errors.As(context.Cause(ctx), &late) {
			err = late
		}
		if len(w.kept()) == 0 {
			w.verdicts, w.draft = nil, Draft{}
			return err
		}
		w.draft.Broken = err.Error()
		w.lines()
		return nil
	}
	w.lines()
	switch parts.end(r.Cut || parts.over); {
	case parts.over:
		w.draft.Broken = fmt.Sprintf("the model wrote more than %d bytes", maxText)
	case r.Cut:
		w.draft.Broken = "the model reached the length that one answer may have: raise generate.words"
	}
	if w.tellErr == nil && len(w.verdicts) == 0 && w.draft.Empty() {
		return errors.New("its answer holds no sentence")
	}
	return nil
}

// ask asks the model. What it says is passed on as it comes, or in one piece.
func (w *writer) ask(ctx context.Context, conversation []chat.Message, pass func(string) error) (chat.Response, error) {
	request := chat.Request{Messages: conversation, MaxTokens: w.options.Words}
	w.calls++
	var r chat.Response
	var err error
	if s, ok := w.options.Model.(chat.Streamer); ok {
		r, err = s.Stream(ctx, request, pass)
	} else if r, err = w.options.Model.Complete(ctx, request); err == nil {
		err = pass(r.Text)
	}
	w.used.Input += r.Usage.Input
	w.used.Output += r.Usage.Output
	if r.Usage == (chat.Usage{}) { // the service does not say
		w.used.Input += tokensOf(conversation)
		w.used.Output += wordpiece.Count(r.Text)
	}
	return r, err
}

// affords reports, before a call that may write so many tokens, whether it may take more than a
// question is given.
func (w *writer) affords(conversation []chat.Message, words int) error {
	asks := tokensOf(conversation) + words
	if left := w.options.Tokens - w.used.Input - w.used.Output; asks > left {
		return fmt.Errorf("the question would take up to %d tokens and %d are left of generate.tokens (%d): raise it, or lower evidence.tokens", asks, max(0, left), w.options.Tokens)
	}
	return nil
}

func tokensOf(conversation []chat.Message) int {
	n := 0
	for _, m := range conversation {
		n += wordpiece.Count(m.Text)
	}
	return n
}

// take holds one claim against the evidence.
func (w *writer) take(c claims.Claim) error {
	v := w.checker.Check(c)
	w.verdicts = append(w.verdicts, v)
	return w.told(v)
}

func (w *writer) told(v claims.Verdict) error {
	if w.tell != nil && v.OK() && w.tellErr == nil {
		w.tellErr = w.tell(v)
	}
	return w.tellErr
}

func (w *writer) kept() []claims.Verdict {
	var out []claims.Verdict
	for _, v := range w.verdicts {
		if v.OK() {
			out = append(out, v)
		}
	}
	return out
}

// lines takes in the lines that are none of the answer's sentences.
func (w *writer) lines() {
	for line := range strings.SplitSeq(w.text, "\n") {
		line = strings.TrimLeft(strings.TrimSpace(line), "-*• ")
		switch {
		case strings.HasPrefix(line, missingLine):
			w.draft.Missing = appendText(w.draft.Missing, line[len(missingLine):])
		case strings.HasPrefix(line, neededLine):
			w.draft.Needed = appendText(w.draft.Needed, line[len(neededLine):])
		case strings.HasPrefix(line, conflictLine):
			if c, fault := w.conflict(line[len(conflictLine):]); fault == "" {
				w.draft.Conflicts = append(w.draft.Conflicts, c)
			} else {
				w.draft.Removed = append(w.draft.Removed, Removal{c.Text, fault})
			}
		}
	}
}

// conflict reads what two passages are said to differ on, and says what is wrong with it. What it
// states has to stand in one of them; how it is put together from both is not looked at.
func (w *writer) conflict(text string) (c Conflict, fault string) {
	var whole claims.Claim
	for _, claim := range claims.Split(text) {
		whole.Text = strings.TrimSpace(whole.Text + " " + claim.Text)
		whole.Broken = whole.Broken || claim.Broken
		for _, n := range claim.Cites {
			if !slices.Contains(whole.Cites, n) {
				whole.Cites = append(whole.Cites, n)
			}
		}
	}
	c = Conflict{bounded(whole.Text), whole.Cites}
	if !w.exist(c.Cites) || len(c.Cites) < 2 {
		return c, "a conflict takes two passages that there are"
	}
	for _, f := range w.checker.Check(whole).Faults {
		switch f.Kind {
		case claims.Unsupported, claims.Negation, claims.Modality, claims.Comparison: // of one passage, and the other says otherwise
		default:
			return c, f.Detail
		}
	}
	return c, ""
}

func (w *writer) exist(cites []int) bool {
	for _, n := range cites {
		if n < 1 || n > len(w.pieces) {
			return false
		}
	}
	return true
}

// maxLine bounds what is kept of a line that a model adds, in bytes.
const maxLine = 500

func appendText(list []string, text string) []string {
	if text = bounded(text); text == "" {
		return list
	}
	return append(list, text)
}

func bounded(text string) string {
	text = claims.Neutral(oneLine(text))
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "…"
	}
	return text
}

func (w *writer) notes() []string {
	notes := []string{"prompt version " + PromptVersion}
	if n := len(w.draft.Repaired); n > 0 {
		notes = append(notes, fmt.Sprintf("%d sentences were asked for again and then held", n))
	}
	if n := len(w.draft.Removed); n > 0 {
		notes = append(notes, fmt.Sprintf("%d sentences did not hold and were removed", n))
	}
	if w.skipped != "" {
		notes = append(notes, "nothing was asked for again: "+w.skipped)
	}
	if w.draft.Broken != "" {
		notes = append(notes, "the text breaks off: "+w.draft.Broken)
	}
	return notes
}

// use is what the model was asked with and what it took, for the trace.
func (o Options) use(prompt string, used chat.Usage) *trace.ModelUse {
	u := &trace.ModelUse{Name: o.Model.Name(), Prompt: prompt, Input: used.Input, Output: used.Output}
	if p := o.Price; p != nil {
		cost := (float64(u.Input)*p.Input + float64(u.Output)*p.Output) / 1e6
		u.Cost, u.Currency = &cost, p.Currency
	}
	return u
}
