package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/store"
)

// Terms of so many letters are taken for another at one edit, and at two; shorter ones
// have too many neighbours that are other words (stuff and staff, react and reach).
const (
	oneEdit  = 6
	twoEdits = 8
)

// mostRespelt bounds the terms of one question for which near ones are looked for: each
// goes through a good part of the dictionary. A question with more of them is no
// sentence with a slip of the pen.
const mostRespelt = 8

// respell replaces the terms of the keyword lane that no passage of the view holds by
// the nearest that one does, and says so. It is for misspelt words, whose first letter
// is most often right: a term with anything but letters names a thing, and another
// thing must not stand for it. What a requirement asks for stays as it was asked, so
// that an answer about another word is not taken for one.
func respell(ctx context.Context, view store.View, plan query.Plan) (query.Plan, []string, error) {
	lost, held, err := unheld(ctx, view, plan.Terms)
	if err != nil {
		return plan, nil, err
	}
	var notes []string
	terms := slices.Clone(plan.Terms)
	looked := 0
	for _, i := range lost {
		t := terms[i]
		letters := utf8.RuneCountInString(t.Term)
		if isForm(t.Term, held) {
			continue
		}
		if looked++; looked > mostRespelt {
			notes = append(notes, fmt.Sprintf("of %d words that no passage holds, %d were compared with those that one does", len(lost), mostRespelt))
			break
		}
		edits := 1
		if letters >= twoEdits {
			edits = 2
		}
		near, err := view.Near(ctx, t.Term, edits, nearest)
		if err != nil {
			return plan, nil, fmt.Errorf("looking for terms near %s: %w", t.Term, err)
		}
		at := slices.IndexFunc(near, func(n store.NearTerm) bool { return spelt(n.Term) && sameFirst(n.Term, t.Term) })
		if at < 0 || slices.Contains(held, near[at].Term) {
			continue
		}
		// The farther, the less it says: Lucene's measure of a fuzzy match.
		share := 1 - float64(near[at].Edits)/float64(letters)
		terms[i] = store.QueryTerm{Term: near[at].Term, Weight: t.Weight * share}
		notes = append(notes, fmt.Sprintf("searched for %s instead of %s, which no passage holds", near[at].Term, t.Term))
	}
	plan.Terms = once(terms)
	return plan, notes, nil
}

// nearest is how many near terms are looked at for one that may stand for a word.
const nearest = 5

// unheld gives the places of the terms that could be misspelt words and that no passage of
// the view holds, and the terms of the question that one does.
func unheld(ctx context.Context, view store.View, terms []store.QueryTerm) (lost []int, held []string, err error) {
	asked := make([]string, len(terms))
	for i, t := range terms {
		asked[i] = t.Term
	}
	known, err := view.Statistics(ctx, asked)
	if err != nil {
		return nil, nil, fmt.Errorf("counting terms: %w", err)
	}
	for i, term := range asked {
		word := utf8.RuneCountInString(term) >= oneEdit && spelt(term)
		if !word && known.Frequent[term] > 0 {
			held = append(held, term)
		}
		if !word {
			continue
		}
		// Statistics know neither the day asked for nor attributes; the view's terms do.
		near, err := view.Near(ctx, term, 0, 1)
		switch {
		case err != nil:
			return nil, nil, fmt.Errorf("looking for %s: %w", term, err)
		case len(near) > 0:
			held = append(held, term)
		default:
			lost = append(lost, i)
		}
	}
	return lost, held, nil
}

// once keeps of equal terms, as two forms of a misspelt word become, the weightiest.
func once(terms []store.QueryTerm) []store.QueryTerm {
	var out []store.QueryTerm
	at := map[string]int{}
	for _, t := range terms {
		if i, twice := at[t.Term]; twice {
			out[i].Weight = max(out[i].Weight, t.Weight)
			continue
		}
		at[t.Term] = len(out)
		out = append(out, t)
	}
	return out
}

// isForm reports whether a term is another form of one of the question's that a passage
// holds, whose first half it shares: the stem of another language, a compound beside
// its part. Such a word is found, and not misspelt.
func isForm(term string, held []string) bool {
	runes := []rune(term)
	prefix := string(runes[:(len(runes)+1)/2])
	return slices.ContainsFunc(held, func(other string) bool { return strings.HasPrefix(other, prefix) })
}

// spelt reports whether a term is letters alone.
func spelt(term string) bool {
	return strings.IndexFunc(term, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) }) < 0
}

func sameFirst(a, b string) bool {
	first, _ := utf8.DecodeRuneInString(a)
	other, _ := utf8.DecodeRuneInString(b)
	return first == other
}
