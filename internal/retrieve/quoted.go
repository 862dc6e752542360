package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/store"
)

// lookedAt is how many of the passages that hold the words of a quote are looked at for
// how closely they do.
const lookedAt = 2000

// Quoted is how a passage holds the quoted text of a question. Quotes that no passage of the
// view holds as they stand do not count, so that one that is not quoted word by word leaves the
// ranking alone.
type Quoted struct {
	Whole     int     // quotes that it holds as they stand
	Closeness float64 // of the words of each quote (see store.Closeness), summed
}

// Compare is positive where q ranks before p: more quotes as they stand, then closer.
func (q Quoted) Compare(p Quoted) int {
	return cmp.Or(cmp.Compare(q.Whole, p.Whole), cmp.Compare(q.Closeness, p.Closeness))
}

// Lift gives ranked candidates that hold quoted text no less than the score of those
// behind them, so that no later stage, which goes by the score, holds their place against
// them.
func Lift(ranked []Candidate) {
	for i := len(ranked) - 2; i >= 0; i-- {
		if ranked[i].Quoted.Closeness > 0 {
			ranked[i].Score = max(ranked[i].Score, ranked[i+1].Score)
		}
	}
}

// quotations are what a view holds of quoted text.
type quotations struct {
	of    map[document.PassageID]Quoted
	best  []store.PhraseHits // of each quote that a passage holds as it stands
	notes []string
}

// lookUp looks for quoted text. A failure is noted, and the question is then one
// without quotes.
func lookUp(ctx context.Context, view store.View, quotes []query.Quote) quotations {
	out := quotations{of: map[document.PassageID]Quoted{}}
	for _, q := range quotes {
		found, err := view.Phrase(ctx, q.Phrase, lookedAt)
		if err != nil {
			out.notes = append(out.notes, fmt.Sprintf("%s was not looked for: %v", shown(q.Text), err))
			continue
		}
		whole := 0
		for whole < len(found.Hits) && found.Hits[whole].Score == 1 {
			whole++
		}
		out.notes = append(out.notes, standing(q.Text, whole, found.Matched))
		if whole == 0 {
			continue
		}
		out.best = append(out.best, found)
		for i, h := range found.Hits {
			held := out.of[h.Passage]
			if i < whole {
				held.Whole++
			}
			held.Closeness += h.Score
			out.of[h.Passage] = held
		}
	}
	return out
}

// standing says how many passages hold a quote as it stands.
func standing(text string, whole, matched int) string {
	note := fmt.Sprintf("%d passages hold %s as it stands", whole, shown(text))
	switch whole {
	case 0:
		note = fmt.Sprintf("no passage holds %s as it stands", shown(text))
	case 1:
		note = fmt.Sprintf("1 passage holds %s as it stands", shown(text))
	}
	if matched > lookedAt {
		note += fmt.Sprintf(", of the %d looked at among %d with its words", lookedAt, matched)
	}
	return note
}

// shown is a quote as notes say it.
func shown(text string) string {
	const most = 60
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most]) + "…"
	}
	return "“" + text + "”"
}

// among adds to the hits of the keyword lane, behind them, the n that hold each quote
// closest. Their scores are asked for with those of all candidates.
func (q quotations) among(hits []store.Hit, n int) []store.Hit {
	have := make(map[document.PassageID]bool, len(hits))
	for _, h := range hits {
		have[h.Passage] = true
	}
	hits = slices.Clip(hits)
	for _, found := range q.best {
		for _, h := range found.Hits[:min(n, len(found.Hits))] {
			if !have[h.Passage] {
				have[h.Passage] = true
				hits = append(hits, store.Hit{Passage: h.Passage})
			}
		}
	}
	return hits
}
