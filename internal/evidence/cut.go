package evidence

import (
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// Of an adaptive cut: the first always go on, and what stands behind noise is taken
// for what the question does not ask for.
const (
	always = 3
	noise  = 20
)

// cut takes the best, at most o.Passages of those that stand out, and the same text
// once where it means the same.
func cut(ranked []retrieve.Candidate, o Options, t *trace.Trace) []Piece {
	record := trace.Record{Stage: trace.Cut, In: len(ranked)}
	lead := leads(ranked)
	var out []Piece
	byText := map[string]int{}
	ended := false
	for i, c := range ranked {
		drop := func(format string, args ...any) {
			record.Drops = append(record.Drops, trace.Drop{Passage: string(c.ID), Reason: fmt.Sprintf(format, args...)})
		}
		key := meaning(c)
		at, same := byText[key]
		ended = ended || o.Lead > 0 && len(out) >= always && lead != nil && lead[i] < o.Lead
		switch {
		case same:
			out[at].alsoIn(c.Document)
			drop("the same text as rank %d", out[at].Rank)
		case len(out) == o.Passages:
			drop("rank %d, and %d passages go on", c.Rank, o.Passages)
		case ended:
			drop("rank %d, and only what stands out goes on: its score has %.0f %% of the best one's lead", c.Rank, 100*max(0, lead[i]))
		default:
			byText[key] = len(out)
			out = append(out, Piece{Candidate: c, Matched: []retrieve.Candidate{c}, Span: c.Span, Text: c.Text, Tokens: c.Tokens + contextTokens(c)})
		}
	}
	record.Out = len(out)
	t.Add(record)
	return out
}

// leads gives each candidate's lead over the background, as a share of the best
// one's: 1 for the best, 0 for one that scores as the mean of those behind noise. It
// depends on the shape of the scores alone, not on their scale. nil where there is
// no background to compare with.
func leads(ranked []retrieve.Candidate) []float64 {
	if len(ranked) <= noise {
		return nil
	}
	background := 0.0
	for _, c := range ranked[noise:] {
		background += c.Score / float64(len(ranked)-noise)
	}
	best := ranked[0].Score - background
	if !(best > 0) {
		return nil
	}
	out := make([]float64, len(ranked))
	for i, c := range ranked {
		out[i] = (c.Score - background) / best
	}
	return out
}

// meaning is the same for passages that say the same, whatever document they stand in: a
// row under other column names, or a sentence under another heading, says
// something else.
func meaning(c retrieve.Candidate) string {
	_, above, _ := strings.Cut(c.Context, "\n")
	heading := ""
	if n := len(c.Heading); n > 0 {
		heading = c.Heading[n-1]
	}
	fold := func(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }
	return fold(heading) + "\n" + fold(above) + "\n" + fold(c.Text)
}
