package measure

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/evaluate"
)

// The stages that pass on a list, by the names that traces have.
const (
	keyword    = "keyword"
	vector     = "vector"
	identifier = "identifier"
	fuse       = "fuse"
	rerank     = "rerank"
	cut        = "cut"
	budget     = "budget"
	cite       = "cite"
)

// run is the run of the question that was asked last: what its stages passed on
// is wanted next, and nothing is searched again for it.
type run struct {
	key      string
	asked    quarry.Asked
	answered bool // it went as far as the answer
}

// runOf is the run of a question: the last one, or else one that is made now.
func (c *Corpus) runOf(ctx context.Context, q evaluate.Query) (run, error) {
	key := keyOf(q)
	if c.last.key == key {
		return c.last, nil
	}
	asked, err := c.flows.Ask(ctx, q.Text, c.scope(q.Scope))
	if err != nil {
		return run{}, err
	}
	c.last = run{key, asked, true}
	return c.last, nil
}

// Reader names the principals of the one who is told which stage lost a passage,
// where a question is asked as somebody who may not read it. None are those of
// the base scope.
func (c *Corpus) Reader(principals []string) *Corpus {
	if c.reader = principals; len(principals) == 0 {
		c.reader = c.base.Principals
	}
	return c
}

// Stages implements evaluate.Stager. Without an answer the list ends before the cut.
func (c *Corpus) Stages(ctx context.Context, q evaluate.Query, documents []string) ([]evaluate.Stage, error) {
	made, err := c.runOf(ctx, q)
	if err != nil {
		return nil, err
	}
	asked := made.asked
	if documents != nil {
		asked.Candidates, asked.Beyond = within(documents, asked.Candidates), within(documents, asked.Beyond)
	}
	all := slices.Concat(asked.Candidates, asked.Beyond)
	out := []evaluate.Stage{
		lane(keyword, all, asked.Trace, func(c quarry.Candidate) int { return c.Keyword.Place }),
		lane(vector, all, asked.Trace, func(c quarry.Candidate) int { return c.Vector.Place }),
		lane(identifier, all, asked.Trace, func(c quarry.Candidate) int { return c.Identifier.Place }),
		{Name: fuse, Hits: hitsOf(by(asked.Candidates, func(c quarry.Candidate) int { return c.Fused }))},
		{Name: rerank, Hits: hitsOf(asked.Candidates)},
	}
	if !made.answered {
		return out, nil
	}
	return append(out,
		evaluate.Stage{Name: cut, Hits: hitsOf(kept(asked))},
		evaluate.Stage{Name: budget, Hits: pieces(asked)},
		evaluate.Stage{Name: cite, Citations: append([]evaluate.Citation{}, answerOf(asked).Citations...)}), nil
}

// within gives the candidates in some documents.
func within(documents []string, list []quarry.Candidate) []quarry.Candidate {
	var out []quarry.Candidate
	for _, c := range list {
		if slices.Contains(documents, c.Document.Path) {
			out = append(out, c)
		}
	}
	return out
}

// lane is the list that one lane gave; one that looked at nothing was off.
func lane(name string, all []quarry.Candidate, t *quarry.Trace, place func(quarry.Candidate) int) evaluate.Stage {
	s := evaluate.Stage{Name: name, Off: true}
	for _, r := range t.Records {
		if string(r.Stage) == name {
			s.Off = r.In == 0 && (name != keyword || len(r.Notes) > 0)
		}
	}
	s.Hits = hitsOf(by(all, place))
	return s
}

// by gives the candidates that have a rank, in its order.
func by(all []quarry.Candidate, rank func(quarry.Candidate) int) []quarry.Candidate {
	var out []quarry.Candidate
	for _, c := range all {
		if rank(c) > 0 {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b quarry.Candidate) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// kept are the candidates that the cut let go on.
func kept(asked quarry.Asked) []quarry.Candidate {
	dropped := map[string]bool{}
	for _, r := range asked.Trace.Records {
		if string(r.Stage) == cut {
			for _, d := range r.Drops {
				dropped[d.Passage] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(asked.Candidates), func(c quarry.Candidate) bool { return dropped[string(c.ID)] })
}

// pieces are the evidence, each with the text that it was grown to.
func pieces(asked quarry.Asked) []evaluate.Hit {
	out := make([]evaluate.Hit, len(asked.Evidence))
	for i, p := range asked.Evidence {
		out[i] = hitOf(p.Candidate, p.Span, p.Text, p.Tokens, p.Also)
	}
	return out
}

func hitsOf(candidates []quarry.Candidate) []evaluate.Hit {
	hits := make([]evaluate.Hit, len(candidates))
	for i, h := range candidates {
		hits[i] = hitOf(h, h.Span, h.Text, h.Tokens, nil)
	}
	return hits
}

// LostAt implements evaluate.Stager. A failed question that was only searched is
// answered now: the stages behind the search may have lost it.
func (c *Corpus) LostAt(ctx context.Context, q evaluate.Query, u evaluate.Unit) (string, error) {
	if !c.last.answered {
		c.last = run{}
	}
	made, err := c.runOf(ctx, q)
	if err != nil {
		return "", err
	}
	return c.flows.LostAt(ctx, made.asked, c.scope(q.Scope), quarry.Expected{Document: u.Document, Heading: u.Heading, Quote: u.Quote, Reader: c.reader})
}

// RecallOnly is the Stager that leaves out which stage lost a failed question's
// passage: to know it, the question must be answered, which for a set where answers
// are not asked for costs more than all its searches.
func (c *Corpus) RecallOnly() evaluate.Stager { return recallOnly{c} }

type recallOnly struct{ evaluate.Stager }

func (recallOnly) LostAt(context.Context, evaluate.Query, evaluate.Unit) (string, error) {
	return "", nil
}
