package answer

import (
	"context"
	"sort"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/store"
)

// How much of a term's weight counts by where the term stands.
const (
	creditOwn     = 1.0
	creditNear    = 0.9  // in a neighbouring sentence, a list's lead-in, a table's caption
	creditContext = 0.85 // in the title or heading path
)

// termWeights are the idf of the question's terms, by term.
type termWeights map[string]float64

func weigh(ctx context.Context, view store.View, plan query.Plan) (termWeights, error) {
	var terms []string
	for _, t := range plan.Terms {
		terms = append(terms, t.Term)
	}
	for _, r := range plan.Requirements {
		for _, t := range r.Terms {
			terms = append(terms, t.Term)
		}
	}
	stats, err := view.Statistics(ctx, terms)
	if err != nil {
		return nil, err
	}
	weights := termWeights{}
	for _, t := range terms {
		weights[t] = store.IDF(stats.Passages, stats.Frequent[t])
	}
	return weights, nil
}

// scored is a unit with what it does for one requirement.
type scored struct {
	unit
	at int // index among all units
	// support is the share of the requirement's term weight that the unit
	// covers, by itself and by what it stands in, 0 to 1.
	support float64
	// direct is the share that it covers by itself.
	direct float64
	score  float64
}

// rankUnits ranks units for a requirement: authority first among those that
// support it about as well as the best, then support, then the passage's rank.
func rankUnits(r query.Requirement, units []unit, weights termWeights) []scored {
	var total float64
	for _, t := range r.Terms {
		total += weights[t.Term]
	}
	if total == 0 {
		return nil
	}
	out := make([]scored, 0, len(units))
	best := 0.0
	for i, u := range units {
		s := scored{unit: u, at: i}
		for _, t := range r.Terms {
			w := weights[t.Term] / total
			switch {
			case u.own[t.Term]:
				s.support += creditOwn * w
				s.direct += w
			case u.near[t.Term]:
				s.support += creditNear * w
			case u.context[t.Term]:
				s.support += creditContext * w
			}
		}
		if s.direct == 0 && !u.source.Exact {
			continue
		}
		if u.source.Exact {
			s.support = max(s.support, 0.5*s.support+0.5)
		}
		s.score = 0.55*s.support + 0.45*s.direct + 0.25*u.from.Score/float64(1+u.piece)
		best = max(best, s.support)
		out = append(out, s)
	}
	sort.SliceStable(out, func(a, b int) bool {
		closeA, closeB := out[a].support >= 0.85*best, out[b].support >= 0.85*best
		if closeA != closeB {
			return closeA
		}
		if x, y := out[a].source.Authority, out[b].source.Authority; closeA && x != y {
			return x > y
		}
		return out[a].score > out[b].score
	})
	return out
}

// missing says which words of a requirement the best unit does not cover.
func missing(r query.Requirement, ranked []scored, weights termWeights) string {
	var words []string
	for _, w := range analyze.Words(r.Text) {
		if analyze.IsFunctionWord(w.Folded) {
			continue
		}
		if len(ranked) > 0 && (ranked[0].own[w.Term] || ranked[0].near[w.Term] || ranked[0].context[w.Term]) {
			continue
		}
		words = append(words, w.Folded)
	}
	text := "not found: " + strings.TrimSpace(r.Text)
	if len(words) > 0 {
		text += " (no passage was found that also says: " + strings.Join(words, ", ") + ")"
	}
	return text
}
