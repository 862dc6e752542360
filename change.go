package quarry

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/answer"
	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store"
)

// A question about a change is put to both of its days, and answered only where there is
// evidence of both.

// oneDay is what is found on one of the days.
type oneDay struct {
	view  store.View
	plan  query.Plan
	found retrieve.Found
}

// findBoth finds the passages of both days, and notes in s where not all of one is kept. The
// caller closes the views.
func (c *Corpus) findBoth(ctx context.Context, s *settled, t *trace.Trace) ([2]oneDay, error) {
	var out [2]oneDay
	for i, day := range []document.Day{s.asOf.Day, s.asOf.Then} {
		var err error
		if out[i].view, out[i].plan, out[i].found, err = c.find(ctx, s.on(day), t); err == nil {
			err = s.asOf.noteForgotten(ctx, out[i].view)
		}
		if err != nil {
			closeViews(out)
			return out, err
		}
	}
	first, then := pages(out[0].found.Ranked), pages(out[1].found.Ranked)
	supportPages(out[0].found.Ranked, then)
	supportPages(out[1].found.Ranked, first)
	return out, nil
}

func closeViews(days [2]oneDay) {
	for _, d := range days {
		if d.view != nil {
			d.view.Close()
		}
	}
}

// pages gives the best score of each page.
func pages(ranked []Candidate) map[string]float64 {
	out := map[string]float64{}
	for _, c := range ranked {
		out[pageOf(c.Document)] = max(out[pageOf(c.Document)], c.Score)
	}
	return out
}

// pageOf is equal for the documents of a series.
func pageOf(id document.ID) string {
	if key, ok := keyOf(id.Path); ok {
		return id.Source + ":" + key
	}
	return id.String()
}

// supportPages ranks passages of one day anew by what was found on the other: what changed
// stands in the same page on both days, so a page that fits on both goes before one that
// fits on this day by chance.
func supportPages(ranked []Candidate, other map[string]float64) {
	for i := range ranked {
		ranked[i].Score = (ranked[i].Score + other[pageOf(ranked[i].Document)]) / 2
	}
	slices.SortStableFunc(ranked, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	for i := range ranked {
		ranked[i].Rank = i + 1
	}
}

// searchChange finds the passages of both days, by turns.
func (c *Corpus) searchChange(ctx context.Context, question string, s settled, t *trace.Trace) (Result, error) {
	days, err := c.findBoth(ctx, &s, t)
	if err != nil {
		return Result{}, err
	}
	closeViews(days)
	return Result{Question: question, AsOf: s.asOf, Trace: t,
		Candidates: byTurns(days[0].found.Ranked, days[1].found.Ranked), Beyond: byTurns(days[0].found.Beyond, days[1].found.Beyond)}, nil
}

// askChange answers for each of the days and says what holds on which.
func (c *Corpus) askChange(ctx context.Context, question string, s settled, t *trace.Trace) (Asked, error) {
	days, err := c.findBoth(ctx, &s, t)
	if err != nil {
		return Asked{}, err
	}
	defer closeViews(days)
	out := Asked{Question: question, AsOf: s.asOf, Trace: t,
		Candidates: byTurns(days[0].found.Ranked, days[1].found.Ranked), Beyond: byTurns(days[0].found.Beyond, days[1].found.Beyond)}
	var pieces [2][]Piece
	var answers [2]Answer
	for i, d := range days {
		o := c.options.evidence(d.plan)
		o.Passages, o.Budget = max(1, o.Passages/len(days)), max(1, o.Budget/len(days))
		gathered, err := evidence.Gather(ctx, d.view, d.found.Ranked, o, t)
		if err != nil {
			return Asked{}, err
		}
		quoted, err := answer.Quote(ctx, d.view, d.plan, d.found.Ranked, gathered, c.options.answering())
		if err != nil {
			return Asked{}, err
		}
		answers[i] = quoted.Take(t)
		pieces[i] = gathered.ByRank()
	}
	for i := range max(len(pieces[0]), len(pieces[1])) {
		for _, list := range pieces {
			if i < len(list) {
				p := list[i]
				p.Rank = len(out.Evidence) + 1
				out.Evidence = append(out.Evidence, p)
			}
		}
	}
	out.Answer = both([2]document.Day{s.asOf.Day, s.asOf.Then}, answers)
	return out, nil
}

// byTurns takes the best of each list, then the second of each; what both have counts once.
func byTurns(lists ...[]Candidate) []Candidate {
	type place struct {
		document.ID
		passage document.PassageID
	}
	var out []Candidate
	seen := map[place]bool{}
	for i, more := 0, true; more; i++ {
		more = false
		for _, list := range lists {
			if i >= len(list) {
				continue
			}
			more = true
			at := place{list[i].Document, list[i].ID}
			if !seen[at] {
				seen[at] = true
				candidate := list[i]
				candidate.Rank = len(out) + 1
				out = append(out, candidate)
			}
		}
	}
	return out
}

// both joins the answers for two days into one.
func both(days [2]document.Day, answers [2]Answer) Answer {
	var out Answer
	var texts []string
	answered, open := 0, 0
	for i, a := range answers {
		switch a.Status {
		case answer.NotDocumentQuestion, answer.NeedsInformation:
			return a
		}
		shift := len(out.Citations)
		for _, c := range a.Citations {
			c.N += shift
			out.Citations = append(out.Citations, c)
		}
		for _, r := range a.Requirements {
			r.Text, r.Citations = onDay(days[i], r.Text), shifted(r.Citations, shift)
			out.Requirements = append(out.Requirements, r)
		}
		for _, m := range a.Missing {
			out.Missing = append(out.Missing, onDay(days[i], m))
		}
		for _, x := range a.Conflicts {
			x.Text, x.Citations = onDay(days[i], x.Text), shifted(x.Citations, shift)
			out.Conflicts = append(out.Conflicts, x)
		}
		switch a.Status {
		case answer.Insufficient:
			open++
		case answer.Answered:
			answered++
			fallthrough
		default:
			texts = append(texts, onDay(days[i], answer.Shift(a, shift)))
		}
	}
	out.Text = strings.Join(texts, "\n")
	switch {
	case slices.ContainsFunc(out.Conflicts, func(c answer.Conflict) bool { return c.SettledBy == "" }):
		out.Status = answer.Conflicting
	case answered == len(answers):
		out.Status = answer.Answered
	case open == len(answers):
		out.Status, out.Text = answer.Insufficient, answers[0].Text
	default:
		out.Status = answer.Partial
	}
	return out
}

func onDay(day document.Day, text string) string { return fmt.Sprintf("As of %s: %s", day, text) }

func shifted(numbers []int, by int) []int {
	out := make([]int, len(numbers))
	for i, n := range numbers {
		out[i] = n + by
	}
	return out
}
