package evidence

import (
	"fmt"

	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// always is how many passages an adaptive cut lets go on whatever they score.
const always = 3

// cut takes the best, at most o.Passages of those that stand out, that one of the
// first speaks of or that an exception for what is asked modifies, and the same text once
// where it means the same.
func cut(ranked []retrieve.Candidate, o Options, t *trace.Trace) []Piece {
	record := trace.Record{Stage: trace.Cut, In: len(ranked)}
	lead, places := leads(ranked), placesOf(ranked)
	var out []Piece
	byText := map[string]int{}
	var spoken introductions
	read, kept := readingOf(ranked, o.Asked), map[int]bool{}
	for _, i := range read.order {
		c := ranked[i]
		special, rule := read.rules[i]
		drop := func(format string, args ...any) {
			record.Drops = append(record.Drops, trace.Drop{Passage: string(c.ID), Reason: fmt.Sprintf(format, args...)})
		}
		p := Piece{Candidate: c, Matched: []retrieve.Candidate{c}, Span: c.Span, Text: c.Text, Tokens: c.Tokens + contextTokens(c)}
		asked := o.Lead * places.asks(c, p.Tokens)
		adaptive := o.Lead > 0 && lead != nil && len(out) >= always
		introduced := spoken.introduce(c)
		key := meaning(c)
		at, same := byText[key]
		switch {
		case same:
			out[at].Also = also(out[at].Also, out[at].Candidate, c)
			drop("the same text as rank %d", out[at].Rank)
		case len(out) == o.Passages:
			drop("rank %d, and %d passages go on", c.Rank, o.Passages)
		case adaptive && lead[i] < asked && !introduced && !(rule && kept[special]):
			drop("rank %d, and only what stands out goes on: its score has %.0f %% of the best one's lead, and its place and length ask for %.0f %%",
				c.Rank, 100*max(0, lead[i]), 100*asked)
		default:
			if len(out) < always {
				spoken.hear(c)
			}
			byText[key], kept[i] = len(out), true
			out = append(out, p)
		}
	}
	record.Out = len(out)
	t.Add(record)
	return out
}
