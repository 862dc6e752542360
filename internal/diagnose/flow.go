package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/answer"
	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// candidate finds a passage among all that the lanes gave.
func (d *diagnosis) candidate(id document.PassageID) *retrieve.Candidate {
	for _, l := range [][]retrieve.Candidate{d.Run.Candidates, d.Run.Beyond} {
		for i := range l {
			if l[i].ID == id {
				return &l[i]
			}
		}
	}
	return nil
}

// best is the candidate among the parts that stands first by a rank from 1; 0 is none.
func (d *diagnosis) best(rank func(*retrieve.Candidate) int) (*retrieve.Candidate, int) {
	var best *retrieve.Candidate
	at := math.MaxInt
	for _, p := range d.target.parts {
		if c := d.candidate(p.ID); c != nil {
			if r := rank(c); r > 0 && r < at {
				best, at = c, r
			}
		}
	}
	if best == nil {
		return nil, 0
	}
	return best, at
}

// in reports whether the parts whose rank is from 1 to last hold what is expected.
func (d *diagnosis) in(rank func(*retrieve.Candidate) int, last int) bool {
	return d.target.held(func(p part) bool {
		c := d.candidate(p.ID)
		if c == nil {
			return false
		}
		r := rank(c)
		return r > 0 && r <= last
	})
}

// before names the first of a ranking, up to where the expected stands.
func (d *diagnosis) before(at int, rank func(*retrieve.Candidate) int, score func(*retrieve.Candidate) float64) string {
	const shown = 3
	type ranked struct {
		c *retrieve.Candidate
		r int
	}
	var ahead []ranked
	for _, l := range [][]retrieve.Candidate{d.Run.Candidates, d.Run.Beyond} {
		for i := range l {
			if r := rank(&l[i]); r > 0 && (at == 0 || r < at) {
				ahead = append(ahead, ranked{&l[i], r})
			}
		}
	}
	if len(ahead) == 0 {
		return ""
	}
	slices.SortStableFunc(ahead, func(a, b ranked) int { return cmp.Compare(a.r, b.r) })
	var names []string
	for _, x := range ahead[:min(shown, len(ahead))] {
		if score == nil {
			names = append(names, name(x.c))
			continue
		}
		names = append(names, fmt.Sprintf("%s (%.3f)", name(x.c), score(x.c)))
	}
	return "; before it: " + strings.Join(names, ", ")
}

func name(c *retrieve.Candidate) string {
	if n := len(c.Heading); n > 0 {
		return c.Document.Path + "#" + c.Heading[n-1]
	}
	return c.Document.Path
}

// The ranks that stages give.
func fused(c *retrieve.Candidate) int    { return c.Fused }
func reranked(c *retrieve.Candidate) int { return c.Rank }

func score(c *retrieve.Candidate) float64 { return c.Score }

// fuse says whether fusion let it go on.
func (d *diagnosis) fuse() error {
	c, at := d.best(fused)
	r := d.record(trace.Fuse)
	detail := fmt.Sprintf("rank %d of %d, %s", at, r.In, strings.Join(r.Notes, ", "))
	if d.rerankOff() {
		detail += fmt.Sprintf(", score %.3f%s", c.Score, d.before(at, fused, score))
	} else { // the reranker's scores have replaced those of fusion
		detail += d.before(at, fused, nil)
	}
	detail += d.holdsQuotes(c)
	if d.in(fused, r.Out) {
		d.step(trace.Fuse, Passed, "%s", detail)
		return nil
	}
	d.lose(trace.Fuse, "%s; %d go on (retrieval.candidates)", detail, r.Out)
	d.advise(candidates, "raise retrieval.candidates")
	d.advise(ranking, "look at what outranks it: the weights of the lanes (retrieval.weights), the other fusion")
	d.adviseQuotes(c)
	return nil
}

func (d *diagnosis) rerankOff() bool {
	r := d.record(trace.Rerank)
	return r.Calls == 0
}

// lose is a step that lost it; where the quote is cut across passages and a part
// came this far, it is the cutting that is to blame.
func (d *diagnosis) lose(stage trace.Stage, format string, args ...any) {
	if !d.target.cut {
		d.step(stage, Lost, format, args...)
		return
	}
	for i := range d.report.Steps {
		if s := &d.report.Steps[i]; s.Stage == trace.Chunk {
			s.Outcome = Lost
			s.Detail += fmt.Sprintf("; not all of them go on from %s", stage)
		}
	}
	d.report.LostAt = trace.Chunk
	d.report.Steps = append(d.report.Steps, Step{stage, Missed, fmt.Sprintf(format, args...)})
	d.adviseChunk()
}

// rerank says what the reranker did to it: it takes nothing out, but what it puts
// behind the cut is lost by it.
func (d *diagnosis) rerank() error {
	r := d.record(trace.Rerank)
	switch {
	case r.Error != "":
		d.step(trace.Rerank, Failed, "%s", r.Error)
		return nil
	case d.rerankOff():
		d.step(trace.Rerank, Off, "no reranker is configured, the fused order stands")
		return nil
	}
	c, at := d.best(reranked)
	detail := fmt.Sprintf("from rank %d to %d of %d by %s, score %.3f%s", c.Fused, at, r.In, strings.Join(r.Notes, ", "), c.Score, d.before(at, reranked, score))
	n := d.Passages
	if d.in(fused, n) && !d.in(reranked, n) {
		d.lose(trace.Rerank, "%s; %d go on from the cut (evidence.passages)", detail, n)
		d.advise(ranking, "the reranker ranks it down: try another one, or none")
		return nil
	}
	d.step(trace.Rerank, Passed, "%s", detail)
	return nil
}

// cut says whether it is among the passages that go on.
func (d *diagnosis) cut() error {
	r := d.record(trace.Cut)
	drops := dropped(r)
	on := func(c *retrieve.Candidate) int {
		if _, out := drops[c.ID]; out || c.Fused > d.record(trace.Fuse).Out {
			return 0
		}
		return c.Rank
	}
	if d.in(on, math.MaxInt) {
		_, at := d.best(on)
		d.step(trace.Cut, Passed, "rank %d; %d of %d go on", at, r.Out, r.In)
		return nil
	}
	c, at := d.best(reranked)
	d.lose(trace.Cut, "%s%s", drops[c.ID], d.before(at, reranked, score))
	if strings.HasPrefix(drops[c.ID], "rank ") {
		d.advise(ranking, "look at what outranks it: the weights of the lanes (retrieval.weights), a reranker")
		d.adviseQuotes(c)
		if strings.Contains(drops[c.ID], "stands out") {
			d.advise(completeness, "lower evidence.lead")
		} else {
			d.advise(completeness, "raise evidence.passages")
		}
	} else {
		d.advise(completeness, "the same text goes on from another document: expect that one, or take one of the two away")
	}
	return nil
}

// pieceOf finds the piece of the evidence that holds a part.
func (d *diagnosis) pieceOf(p part) (int, *evidence.Piece) {
	for i := range d.Run.Evidence {
		if e := &d.Run.Evidence[i]; e.Document == p.doc && e.Span.Contains(p.Span) {
			return i, e
		}
	}
	return -1, nil
}

// budget says whether it is in the evidence.
func (d *diagnosis) budget() error {
	r := d.record(trace.Budget)
	if d.target.held(func(p part) bool { _, e := d.pieceOf(p); return e != nil }) {
		for _, p := range d.target.parts {
			if i, e := d.pieceOf(p); e != nil {
				whole := ""
				if e.Whole {
					whole = ", grown to its section"
				}
				d.step(trace.Budget, Passed, "piece %d of %d of the evidence, %s%s", i+1, len(d.Run.Evidence), count(e.Tokens, "token"), whole)
				return nil
			}
		}
	}
	drops := dropped(r)
	reason := "it is not in the evidence"
	for _, p := range d.target.parts {
		if why, ok := drops[p.ID]; ok {
			reason = why
			break
		}
	}
	d.lose(trace.Budget, "%s (evidence.tokens)", reason)
	d.advise(completeness, "raise evidence.tokens; lower evidence.section, so that sections of others take less of it; smaller passages (chunk.target)")
	return nil
}

// cite says whether the answer cites it.
func (d *diagnosis) cite() error {
	var cited []string
	for _, c := range d.Run.Answer.Citations {
		if d.cites(c) {
			cited = append(cited, fmt.Sprintf("[%d]", c.N))
		}
	}
	status := "the answer is " + string(d.Run.Answer.Status)
	if len(cited) > 0 {
		d.step(trace.Cite, Passed, "%s and cites it: %s", status, list(cited))
		return nil
	}
	reason := d.uncited()
	if quoted := d.quoted(); quoted != "" {
		status += ", quoting " + quoted
	}
	d.lose(trace.Cite, "in the evidence and not cited: %s; %s", reason, status)
	d.advise(generation, "is there one sentence that answers in the words of the question? Lower answer.threshold, raise answer.sentences, or ask in the words of the document")
	return nil
}

// uncited is why the piece that holds it is not cited.
func (d *diagnosis) uncited() string {
	drops := dropped(d.record(trace.Cite))
	for _, p := range d.target.parts {
		if _, e := d.pieceOf(p); e != nil {
			if why, ok := drops[e.ID]; ok {
				return why
			}
		}
	}
	return "another sentence of it is"
}

func (d *diagnosis) quoted() string {
	var names []string
	for _, c := range d.Run.Answer.Citations {
		n := c.Document.Path
		if len(c.Heading) > 0 {
			n += "#" + c.Heading[len(c.Heading)-1]
		}
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return list(names)
}

// cites reports whether a citation is of what is expected.
func (d *diagnosis) cites(c answer.Citation) bool {
	for _, r := range d.docs {
		if r.Document != c.Document {
			continue
		}
		switch {
		case d.Expected.Quote != "" && !evaluate.NewQuote(d.Expected.Quote).CitedBy(c.Quote):
		case d.Expected.Heading != "" && !slices.ContainsFunc(c.Heading, func(h string) bool { return evaluate.SameHeading(d.Expected.Heading, h) }):
		default:
			return true
		}
	}
	return false
}
