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

// respell replaces the terms of the keyword lane that no passage of the view holds by
// the nearest that one does, and says so. It is for misspelt words, whose first letter
// is most often right: a term with anything but letters names a thing, and another
// thing must not stand for it. What a
// requirement asks for stays as it was asked, so that an answer about another word is
// not taken for one.
func respell(ctx context.Context, view store.View, plan query.Plan) (query.Plan, []string, error) {
	asked := make([]string, len(plan.Terms))
	for i, t := range plan.Terms {
		asked[i] = t.Term
	}
	known, err := view.Statistics(ctx, asked)
	if err != nil {
		return plan, nil, fmt.Errorf("counting terms: %w", err)
	}
	var notes []string
	terms := slices.Clone(plan.Terms)
	for i, t := range plan.Terms {
		letters := utf8.RuneCountInString(t.Term)
		if known.Frequent[t.Term] > 0 || letters < oneEdit || !spelt(t.Term) || isForm(t.Term, asked, known.Frequent) {
			continue
		}
		edits := 1
		if letters >= twoEdits {
			edits = 2
		}
		near, err := view.Near(ctx, t.Term, edits, 5)
		if err != nil {
			return plan, nil, fmt.Errorf("looking for terms near %s: %w", t.Term, err)
		}
		at := slices.IndexFunc(near, func(n store.NearTerm) bool { return n.Edits == 0 || spelt(n.Term) && sameFirst(n.Term, t.Term) })
		if at < 0 || near[at].Edits == 0 || slices.Contains(asked, near[at].Term) {
			continue
		}
		// The farther, the less it says: Lucene's measure of a fuzzy match.
		share := 1 - float64(near[at].Edits)/float64(letters)
		terms[i] = store.QueryTerm{Term: near[at].Term, Weight: t.Weight * share}
		notes = append(notes, fmt.Sprintf("searched for %s instead of %s, which no passage holds", near[at].Term, t.Term))
	}
	plan.Terms = terms
	return plan, notes, nil
}

// isForm reports whether a term is another form of one of the question's that a passage
// holds, whose first half it shares: the stem of another language, a compound beside
// its part. Such a word is found, and not misspelt.
func isForm(term string, asked []string, frequent map[string]int) bool {
	half := []rune(term)
	prefix := string(half[:(len(half)+1)/2])
	return slices.ContainsFunc(asked, func(other string) bool { return frequent[other] > 0 && strings.HasPrefix(other, prefix) })
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
