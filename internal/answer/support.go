package answer

import (
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/store"
)

// How much of a term's weight counts by where the term stands.
const (
	creditOwn     = 1.0
	creditNear    = 0.8 // in a neighbouring sentence, a list's lead-in, a table's caption
	creditContext = 0.7 // in the title or heading path
)

// What ranks units: support, what they say themselves, how well retrieval ranked
// their passage, and how much of the question their title and heading name;
// authority lifts the sum by up to its weight. Set, like the credits, on the
// tuning part of examples/handbook by citation precision.
const (
	shareSupport    = 0.5
	shareDirect     = 0.3
	shareRank       = 0.2
	shareAbout      = 0.15
	weightAuthority = 0.3
)

// weightGeneral is the share of its idf that a word common in any text keeps.
const weightGeneral = 0.25

// commonShare is the share of the passages from which a name is common.
const commonShare = 0.05

// terms is what is known of the question's terms in the corpus that the asker may see.
type terms struct {
	weight  map[string]float64 // idf, less for general words
	common  map[string]bool
	general map[string]bool
}

func weigh(ctx context.Context, view store.View, plan query.Plan) (terms, error) {
	known := terms{weight: map[string]float64{}, common: map[string]bool{}, general: map[string]bool{}}
	var list []string
	for _, w := range analyze.Words(plan.Question) {
		if !analyze.IsFunctionWord(w.Folded) {
			list = append(list, w.Term)
			known.general[w.Term] = analyze.IsGeneralWord(w.Folded)
		}
	}
	for _, t := range plan.Terms { // a question of function words only
		list = append(list, t.Term)
	}
	stats, err := view.Statistics(ctx, list)
	if err != nil {
		return known, err
	}
	for _, t := range list {
		df := stats.Frequent[t]
		known.weight[t] = store.IDF(stats.Passages, df)
		if known.general[t] {
			known.weight[t] *= weightGeneral
		}
		known.common[t] = float64(df) > commonShare*float64(stats.Passages)
	}
	return known, nil
}

// scored is a unit with what it does for one requirement.
type scored struct {
	unit
	at int // index among all units
	// support is the share of the requirement's term weight that the unit
	// covers, by itself and by what it stands in, 0 to 1; 0 where it cannot be the
	// answer by its form.
	support float64
	// direct is the share that it covers by itself.
	direct float64
	score  float64
}

// secondVoice is how much more authority another document must have to be heard
// alone.
const secondVoice = 2

// rankUnits ranks units for a requirement, best first.
//
// Where a document supports the requirement enough, documents of less than
// half its authority are not heard: a mail about the policy uses the words of the
// question, and the policy is what holds. Among those that support it about as
// well as the best, the higher authority goes first.
func rankUnits(r query.Requirement, units []unit, known terms, threshold float64) []scored {
	var total float64
	for _, t := range r.Terms {
		total += known.weight[t.Term]
	}
	if total == 0 {
		return nil
	}
	hard := hardTerms(r.Text, func(t string) bool { return known.common[t] })
	named := identifierTerms(r.Text)
	strongest := 0.0 // of the identifier lane, among passages that hold one asked for
	if len(named) > 0 {
		for _, u := range units {
			if u.source.Exact {
				strongest = max(strongest, u.from.Identifier.Score)
			}
		}
	}
	out := make([]scored, 0, len(units))
	greatest, highest := 0, 0
	for _, u := range units {
		greatest = max(greatest, u.source.Authority)
	}
	for i, u := range units {
		if strongest > 0 && u.from.Identifier.Score < aboutIt*strongest {
			continue
		}
		s := scored{unit: u, at: i}
		for _, t := range r.Terms {
			w := known.weight[t.Term] / total
			switch {
			case named[t.Term] && u.source.Exact:
				s.support += creditOwn * w
				if u.own[t.Term] {
					s.direct += w
				}
			case u.own[t.Term]:
				s.support += creditOwn * w
				s.direct += w
			case u.near[t.Term]:
				s.support += creditNear * w
			case u.context[t.Term]:
				s.support += creditContext * w
			}
		}
		about := 0.0
		for _, t := range r.Terms {
			if u.context[t.Term] {
				about += known.weight[t.Term] / total
			}
		}
		if s.direct == 0 && !u.source.Exact {
			continue
		}
		if !answersForm(r.Text, u) || !holdsAll(u, hard) {
			s.support = 0
		}
		s.score = (shareSupport*s.support + shareDirect*s.direct + shareRank*u.from.Score + shareAbout*about) *
			(1 + weightAuthority*float64(u.source.Authority)/float64(max(1, greatest)))
		if pointer.MatchString(u.text) {
			s.score *= pointerShare
			s.support *= pointerShare
		}
		if s.support >= threshold {
			highest = max(highest, u.source.Authority)
		}
		out = append(out, s)
	}
	heard := out[:0]
	best := 0.0
	for _, s := range out {
		if s.source.Authority*secondVoice >= highest {
			heard = append(heard, s)
			best = max(best, s.score)
		}
	}
	sort.SliceStable(heard, func(a, b int) bool {
		closeA, closeB := heard[a].score >= closeScore*best, heard[b].score >= closeScore*best
		if closeA != closeB {
			return closeA
		}
		if x, y := heard[a].source.Authority, heard[b].source.Authority; closeA && x != y {
			return x > y
		}
		return heard[a].score > heard[b].score
	})
	return heard
}

// pointerShare is what a sentence that only points elsewhere counts.
const pointerShare = 0.6

// aboutIt is the share of the best identifier score from which a passage is
// about the identifier, and does not merely mention it.
const aboutIt = 0.9

// identifierTerms are the terms that the question's whole identifiers are made
// of, with the word for a place ("clause") before it.
func identifierTerms(question string) map[string]bool {
	out := map[string]bool{}
	for _, f := range analyze.QuestionIdentifiers(question) {
		if !f.Part {
			for _, w := range analyze.Words(question[f.From:f.To]) {
				out[w.Term] = true
			}
		}
	}
	return out
}

// closeScore is the share of the best score from which authority decides.
const closeScore = 0.93

func holdsAll(u unit, hard []string) bool {
	for _, t := range hard {
		if !u.own[t] && !u.near[t] && !u.context[t] {
			return false
		}
	}
	return true
}

// missing says which words of a requirement the best unit does not cover.
func missing(r query.Requirement, ranked []scored) string {
	var words []string
	for _, w := range analyze.Words(r.Text) {
		if analyze.IsFunctionWord(w.Folded) || analyze.IsGeneralWord(w.Folded) || slices.Contains(words, w.Folded) {
			continue
		}
		if len(ranked) > 0 && (ranked[0].own[w.Term] || ranked[0].near[w.Term] || ranked[0].context[w.Term]) {
			continue
		}
		words = append(words, w.Folded)
	}
	text := strings.TrimSpace(r.Text)
	if len(words) > 0 {
		text += " (nothing was found that also says: " + strings.Join(words, ", ") + ")"
	}
	return text
}
