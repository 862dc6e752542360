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

// leastDirect is the share of a requirement that a unit must say itself: what
// stands around it makes it understood, and no answer.
const leastDirect = 0.15

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
	where   map[string]bool // attributes that the scope asks for
	cases   map[string]bool // terms of the values of attributes that are asked for
}

func weigh(ctx context.Context, view store.View, plan query.Plan) (terms, error) {
	known := terms{weight: map[string]float64{}, common: map[string]bool{}, general: map[string]bool{}, where: map[string]bool{}, cases: map[string]bool{}}
	for _, values := range plan.Asked() {
		for _, w := range analyze.Words(strings.Join(values, "\n")) {
			known.cases[w.Term] = true
		}
	}
	for key := range plan.Where {
		known.where[key] = true
	}
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
	// rule is the support but for the terms of the case that is asked for: of a rule for
	// all cases, which need not name it.
	rule float64
	// direct is the share that it covers by itself.
	direct float64
	score  float64
}

// rankUnits ranks units for a requirement, best first; their support and score say
// how well they answer it.
func rankUnits(r query.Requirement, units []unit, known terms, threshold float64) []scored {
	return rankScored(scoreUnits(r, units, known), threshold)
}

func rankScored(units []scored, threshold float64) []scored {
	out := heard(units, threshold)
	sortByScore(out)
	return out
}

// scoreUnits scores the units that say something of a requirement, in the order of the units.
func scoreUnits(r query.Requirement, units []unit, known terms) []scored {
	m := newMeasure(r, units, known)
	if m.total == 0 {
		return nil
	}
	out := make([]scored, 0, len(units))
	for i, u := range units {
		if s := m.of(u); s.direct >= leastDirect || u.source.Exact && m.aboutIdentifier(u) {
			s.at = i
			out = append(out, s)
		}
	}
	return out
}

// measure scores units for one requirement.
type measure struct {
	requirement query.Requirement
	form        form
	known       terms
	total       float64         // weight of all terms
	hard        []string        // terms that must be held
	named       map[string]bool // terms of identifiers
	strongest   float64         // score of the identifier lane among passages that hold one asked for
	greatest    int             // authority
	lowest      float64         // of the scores of retrieval
	highest     float64
}

func newMeasure(r query.Requirement, units []unit, known terms) measure {
	m := measure{requirement: r, form: formOf(r.Text), known: known, named: identifierTerms(r.Text), highest: 1}
	m.hard = hardTerms(r.Text, func(t string) bool { return known.common[t] })
	for _, t := range r.Terms {
		m.total += known.weight[t.Term]
	}
	for _, u := range units {
		m.greatest = max(m.greatest, u.source.Authority)
		m.lowest, m.highest = min(m.lowest, u.from.Score), max(m.highest, u.from.Score)
		if len(m.named) > 0 && u.source.Exact {
			m.strongest = max(m.strongest, u.from.Identifier.Score)
		}
	}
	return m
}

// aboutIdentifier reports whether a unit's passage is about the identifier asked
// for, if any is, and does not merely mention it.
func (m measure) aboutIdentifier(u unit) bool {
	return m.strongest == 0 || u.from.Identifier.Score >= aboutIt*m.strongest
}

// of scores a unit; one that says nothing of the requirement itself has no direct
// share.
func (m measure) of(u unit) scored {
	s := scored{unit: u}
	if !m.aboutIdentifier(u) {
		return s
	}
	about := 0.0 // the share that its title and heading name
	for _, t := range m.requirement.Terms {
		credit, direct := m.credit(t.Term, u)
		w := m.known.weight[t.Term] / m.total
		if u.context[t.Term] {
			about += w
		}
		s.support += credit * w
		if direct {
			s.direct += w
		}
	}
	if s.direct < leastDirect && !u.source.Exact {
		return s // it is left out, whatever its form, which takes longest to look at
	}
	if !m.form.answeredBy(u) {
		s.support = 0
	}
	s.rule = m.ruleOf(s)
	if !m.holdsHard(u, nil) {
		s.support = 0
	}
	s.score = (shareSupport*s.support + shareDirect*s.direct + shareRank*m.rank(u) + shareAbout*about) *
		(1 + weightAuthority*float64(max(0, u.source.Authority))/float64(max(1, m.greatest)))
	if m.isSpecial(u) {
		s.score *= specialShare
	}
	if u.fragment || pointer.MatchString(u.text) {
		s.score *= pointerShare
		s.support *= pointerShare
	}
	return s
}

// credit is how much of a term's weight a unit earns, and whether it holds the
// term itself.
func (m measure) credit(term string, u unit) (credit float64, direct bool) {
	switch {
	case m.named[term] && u.source.Exact, u.own[term]:
		return creditOwn, u.own[term]
	case u.near[term]:
		return creditNear, false
	case u.context[term]:
		return creditContext, false
	}
	return 0, false
}

// rank is the score of retrieval from 0 to 1. Fused scores lie there; a
// reranker's may have any scale, and then the evidence's least and greatest bound it.
func (m measure) rank(u unit) float64 {
	return (u.from.Score - m.lowest) / (m.highest - m.lowest)
}

// specialShare is what a document for one region or customer counts where the
// question names neither and the scope asks for none: the general rule goes first.
const specialShare = 0.8

// isSpecial reports whether a unit's document applies to some only, whom neither
// the question nor its scope names.
func (m measure) isSpecial(u unit) bool {
	for _, key := range [...]string{"region", "country", "customer"} {
		values := u.source.Attributes[key]
		if len(values) == 0 || m.known.where[key] {
			continue
		}
		named := slices.ContainsFunc(values, func(v string) bool {
			return slices.ContainsFunc(analyze.Words(v), func(w analyze.Word) bool { _, asked := m.known.weight[w.Term]; return asked })
		})
		if !named {
			return true
		}
	}
	return false
}

// hearing is the share of the threshold from which a document has a say: enough
// to silence one of far less authority, if not to answer.
const hearing = 0.6

// secondVoice is how much more authority another document must have to be heard
// alone.
const secondVoice = 2

// heard leaves out documents of less than half the authority of one that supports
// the requirement enough: a mail about the policy uses the words of the
// question, and the policy is what holds. Authority below 0 silences nobody.
func heard(units []scored, threshold float64) []scored {
	highest := 0
	for _, s := range units {
		if s.support >= hearing*threshold {
			highest = max(highest, s.source.Authority)
		}
	}
	return slices.DeleteFunc(units, func(s scored) bool { return highest > 0 && s.source.Authority*secondVoice < highest })
}

// sortByScore puts the best first; among those that are about as good as the best,
// the higher authority.
func sortByScore(units []scored) {
	best := 0.0
	for _, s := range units {
		best = max(best, s.score)
	}
	sort.SliceStable(units, func(a, b int) bool {
		closeA, closeB := units[a].score >= closeScore*best, units[b].score >= closeScore*best
		if closeA != closeB {
			return closeA
		}
		if x, y := units[a].source.Authority, units[b].source.Authority; closeA && x != y {
			return x > y
		}
		return units[a].score > units[b].score
	})
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

// holdsHard reports whether a unit, or what it stands in, holds all hard terms. The
// number of its section counts where the question names the section by it:
// clause 7.2 does not repeat its number in every sentence. Terms of but need not be held.
func (m measure) holdsHard(u unit, but map[string]bool) bool {
	for _, t := range m.hard {
		if !but[t] && !u.own[t] && !u.near[t] && !u.context[t] && !(m.named[t] && u.numbered[t]) {
			return false
		}
	}
	return true
}

// ruleOf is the support of a unit that need not name the case that is asked for.
func (m measure) ruleOf(s scored) float64 {
	if len(m.known.cases) == 0 || !m.holdsHard(s.unit, m.known.cases) {
		return s.support
	}
	rest := 1.0
	for _, t := range m.requirement.Terms {
		if m.known.cases[t.Term] {
			rest -= m.known.weight[t.Term] / m.total
		}
	}
	if rest <= 0 {
		return 0
	}
	return min(1, max(s.support, s.support/rest))
}

// missing says what was not found, and which of its words stand nowhere in the
// evidence.
func missing(r query.Requirement, units []unit) string {
	var words []string
	for _, w := range analyze.Words(r.Text) {
		if analyze.IsFunctionWord(w.Folded) || analyze.IsGeneralWord(w.Folded) {
			continue
		}
		stands := func(u unit) bool { return u.own[w.Term] || u.near[w.Term] || u.context[w.Term] || u.numbered[w.Term] }
		if word := r.Text[w.From:w.To]; !slices.Contains(words, word) && !slices.ContainsFunc(units, stands) {
			words = append(words, word)
		}
	}
	text := strings.TrimSpace(r.Text)
	if len(words) > 0 {
		return text + " (no passage that was found says: " + strings.Join(words, ", ") + ")"
	}
	return text + " (its words were found, but no sentence that surely answers it)"
}
