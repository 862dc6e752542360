// Package diagnose says stage by stage what became of a document, heading or quote
// that a question should have found, and names the stage that lost it. It decides
// nothing itself: what the stages did it reads from the run of the flow, its
// candidates and its trace, and what they did not keep it asks of the same view,
// by the same functions.
//
// What the asker may not read is reported as what does not exist is: nothing of
// the report, nor of its cost by the text, depends on it.
package diagnose

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/answer"
	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store"
)

// Expected is what a question should have found. Document or Quote is given.
type Expected struct {
	// Document is its path, or "source:path"; it may carry "#heading".
	Document string
	// Heading is one of the document's; of headings that repeat any one counts.
	Heading string
	// Quote is a text that a passage should hold, of the document if one is given.
	Quote string
	// Reader are the principals of one who may be told of it though the scope may
	// not read it. None: it is told to nobody else.
	Reader []string
}

// Outcome is what became of it in one stage.
type Outcome string

// The outcomes.
const (
	Passed     Outcome = "passed"
	Lost       Outcome = "lost"        // here, at one stage at most
	Missed     Outcome = "missed"      // a lane did not give it; another did, or is to blame
	Off        Outcome = "off"         // the stage is not in use
	Failed     Outcome = "failed"      // the stage failed, and the flow went on without it
	NotReached Outcome = "not reached" // it was lost before
)

// Step is what one stage did with it.
type Step struct {
	Stage   trace.Stage
	Outcome Outcome
	Detail  string
}

// Report is the diagnosis.
type Report struct {
	Question string
	Expected []Expected
	Steps    []Step
	// LostAt is the stage that lost it; "" where the answer cites it.
	LostAt trace.Stage
	// Suggestion says what to try.
	Suggestion string
	// Read are the revisions of which the report tells something, beside those that the
	// run gave.
	Read []Read
}

// Read is a revision that a report tells of.
type Read struct {
	Document document.ID
	Hash     string
}

// Stages are all that a report lists, in the order of the two flows.
var Stages = []trace.Stage{trace.Source, trace.Extract, trace.Chunk, trace.Index, trace.Scope, trace.Route, trace.Keyword, trace.Vector,
	trace.Identifier, trace.Fuse, trace.Rerank, trace.Cut, trace.Budget, trace.Cite}

// Run is what the flow made of the question.
type Run struct {
	Plan       query.Plan
	Candidates []retrieve.Candidate // reranked
	Beyond     []retrieve.Candidate // that fusion dropped
	Evidence   []evidence.Piece     // best first
	Answer     answer.Answer
	Trace      *trace.Trace
}

// Case is one question with what it should have found.
type Case struct {
	Expected Expected
	Scope    document.Scope
	Run      Run
	// View is the one that the question was asked of, Open opens others.
	View store.View
	Open func(context.Context, document.Scope) (store.View, error)
	// Sources are the names of all sources.
	Sources []string
	// Lanes runs the lanes alone (see retrieve.Lanes).
	Lanes func(k int, ids []document.PassageID) []retrieve.Said
	// Original looks at what the source of a document holds now.
	Original func(document.ID) Original
	// PerLane and Passages are the limits of the lanes and of the cut.
	PerLane, Passages int
	// Brief leaves out what only a person reads.
	Brief bool
}

// Original is what a source holds of a document now.
type Original struct {
	Known bool // its source could be read
	Gone  bool
	// Hash, Pipeline and Text are of what indexing it now would make; Text is ""
	// where that fails. Tenant and Access say who may read that.
	Hash, Pipeline, Text string
	Tenant               string
	Access               document.Access
}

// Explain makes the report. An error is of the store, or of a name that stands
// for several documents.
func Explain(ctx context.Context, c Case) (Report, error) {
	d := &diagnosis{Case: c, ctx: ctx}
	err := d.run()
	if err != nil {
		return Report{}, err
	}
	d.report.Question, d.report.Expected = c.Run.Plan.Question, []Expected{d.Expected}
	d.report.Suggestion = d.suggestion()
	for _, r := range d.docs {
		d.report.Read = append(d.report.Read, Read{r.Document, r.Hash})
	}
	return d.report, nil
}

// diagnosis is one at work.
type diagnosis struct {
	Case
	ctx    context.Context
	report Report
	advice []advice

	docs    []document.Revision // in which it is expected, with their passages
	hidden  string              // why the scope does not see them; "": it does
	failed  string              // why the document could not be indexed
	lacking bool                // its extracted text has not got what is expected
	view    store.View          // the one that sees them
	target  target
	said    []retrieve.Said
}

// run goes through the stages until one has lost it.
func (d *diagnosis) run() error {
	stages := []func() error{d.source, d.extract, d.chunk, d.index, d.scope, d.route, d.lanes, d.fuse, d.rerank, d.cut, d.budget, d.cite}
	defer func() {
		if d.view != nil && d.view != d.View {
			d.view.Close()
		}
	}()
	for _, stage := range stages {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		if err := stage(); err != nil {
			return err
		}
		if d.report.LostAt != "" {
			break
		}
	}
	for _, name := range Stages[len(d.report.Steps):] {
		d.report.Steps = append(d.report.Steps, Step{Stage: name, Outcome: NotReached})
	}
	return nil
}

// step adds what a stage did.
func (d *diagnosis) step(stage trace.Stage, outcome Outcome, format string, args ...any) {
	d.report.Steps = append(d.report.Steps, Step{stage, outcome, fmt.Sprintf(format, args...)})
	if outcome == Lost {
		d.report.LostAt = stage
	}
}

// part is a passage that holds what is expected, or a stretch of it.
type part struct {
	document.Passage
	doc      document.ID
	from, to int // of the quote's letters
}

// target is the passages that are looked for.
type target struct {
	parts []part
	// cut: no passage alone holds enough of the quote, several together do.
	cut  bool
	need func(letters int) bool
}

// held reports whether the parts that are in hold what is expected.
func (t target) held(in func(part) bool) bool {
	stretches := map[document.ID][][2]int{}
	for _, p := range t.parts {
		if !in(p) {
			continue
		}
		if !t.cut {
			return true
		}
		stretches[p.doc] = append(stretches[p.doc], [2]int{p.from, p.to})
	}
	for _, list := range stretches {
		if t.need(covered(list)) {
			return true
		}
	}
	return false
}

// covered is how much the stretches cover together.
func covered(list [][2]int) int {
	slices.SortFunc(list, func(a, b [2]int) int { return a[0] - b[0] })
	n, end := 0, 0
	for _, s := range list {
		if s[1] > end {
			n += s[1] - max(s[0], end)
			end = s[1]
		}
	}
	return n
}

func (t target) ids() []document.PassageID {
	out := make([]document.PassageID, len(t.parts))
	for i, p := range t.parts {
		out[i] = p.ID
	}
	return out
}

// record is what a stage wrote into the trace.
func (d *diagnosis) record(stage trace.Stage) trace.Record {
	for _, r := range d.Run.Trace.Records {
		if r.Stage == stage {
			return r
		}
	}
	return trace.Record{Stage: stage}
}

// dropped are the passages that a stage took out, with its reasons.
func dropped(r trace.Record) map[document.PassageID]string {
	out := make(map[document.PassageID]string, len(r.Drops))
	for _, d := range r.Drops {
		out[document.PassageID(d.Passage)] = d.Reason
	}
	return out
}
