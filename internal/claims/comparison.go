package claims

import (
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/analyze"
)

// opposites are pairs of words that turn a comparison round, each side by its terms.
var opposites = func() [][2]map[string]bool {
	var out [][2]map[string]bool
	for _, line := range []string{
		"more greater / less fewer smaller",
		"higher / lower",
		"highest largest biggest greatest most maximum / lowest smallest fewest least minimum",
		"above / below",
		"before prior preceding / after following",
		"earlier / later",
		"increase increased increases increasing rose risen rises grew grown gained / decrease decreased decreases decreasing fell fallen falls declined decline dropped reduced",
		"exceed exceeds exceeded / below under",
		"include included includes including / exclude excluded excludes excluding",
		"permitted allowed / prohibited forbidden",
		"always / never",
		"inside / outside",
		"won win wins / lost lose loses",
		"oldest / youngest newest",
		"northern north / southern south",
		"eastern east / western west",
		"upper / lower",
		"first / last",
		"positive / negative",
		"profit / loss",
	} {
		a, b, _ := strings.Cut(line, "/")
		out = append(out, [2]map[string]bool{foldedSet(a), foldedSet(b)})
	}
	return out
}()

func foldedSet(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range analyze.Words(list) {
		m[w.Folded] = true
	}
	return m
}

// boundary is the side that words such as "no later than" take, whatever they say by
// themselves: "at most" or "at least"; "" where none begins at a word.
func (r *reading) boundary(i int) string {
	at := func(n int) string {
		if i+n < len(r.words) {
			return r.words[i+n].folded
		}
		return ""
	}
	negated := at(0) == "no" || at(0) == "not"
	switch {
	case negated && (at(1) == "more" || at(1) == "later" || at(1) == "longer" || at(1) == "greater" || at(1) == "higher") && at(2) == "than",
		negated && (at(1) == "exceed" || at(1) == "exceeding"), at(0) == "at" && at(1) == "most", at(0) == "up" && at(1) == "to", at(0) == "maximum":
		return "at most"
	case negated && (at(1) == "less" || at(1) == "fewer" || at(1) == "earlier" || at(1) == "lower" || at(1) == "sooner") && at(2) == "than",
		at(0) == "at" && at(1) == "least", at(0) == "minimum":
		return "at least"
	}
	return ""
}

// sides counts on which side of each pair a text stands, and of boundaries in the last place.
func (r *reading) sides() [][2]int {
	out := make([][2]int, len(opposites)+1)
	skip := 0
	for i, w := range r.words {
		switch r.boundary(i) {
		case "at least":
			out[len(opposites)][0]++
			skip = i + 3
		case "at most":
			out[len(opposites)][1]++
			skip = i + 3
		}
		if i < skip {
			continue
		}
		for n, pair := range opposites {
			for side := range pair {
				if pair[side][w.folded] {
					out[n][side]++
				}
			}
		}
	}
	return out
}

// comparisonFaults reports a claim that stands on one side where the sentence it retells
// stands on the other.
func comparisonFaults(r reading, aligned []part) []Fault {
	if len(aligned) == 0 {
		return nil
	}
	own := r.sides()
	for _, p := range aligned {
		if !turned(own, p.sides()) {
			return nil
		}
	}
	return []Fault{{Comparison, fmt.Sprintf("it turns a comparison round that stands in what it cites (%s)", quoted(r.comparing()))}}
}

// turned reports whether one text has only one side of a pair and the other has more of
// the other side than of that.
func turned(own, other [][2]int) bool {
	for n := range own {
		for side := range own[n] {
			if own[n][side] > 0 && own[n][1-side] == 0 && other[n][1-side] > 0 && other[n][side] == 0 {
				return true
			}
		}
	}
	return false
}

// comparing lists the words of a text that compare.
func (r *reading) comparing() []string {
	var out []string
	for i, w := range r.words {
		if b := r.boundary(i); b != "" {
			out = append(out, b)
			continue
		}
		for _, pair := range opposites {
			if pair[0][w.folded] || pair[1][w.folded] {
				out = append(out, w.raw)
				break
			}
		}
	}
	return out
}
