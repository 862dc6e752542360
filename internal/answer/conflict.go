package answer

import (
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// statedOtherwise reports whether two units state the same fact with no number in common.
func statedOtherwise(a, b scored) bool {
	mine, theirs := numbersOf(a.text), numbersOf(b.text)
	if len(mine) == 0 || len(theirs) == 0 || slices.ContainsFunc(theirs, func(n string) bool { return slices.Contains(mine, n) }) {
		return false
	}
	return similarity(a.own, b.own) >= similarEnough
}

// similarEnough is the overlap of content terms from which two sentences are taken to
// state the same fact; set on the tuning part of examples/handbook.
const similarEnough = 0.3

// similarity is the Jaccard coefficient of two sets of terms, numbers and
// function words aside.
func similarity(a, b map[string]bool) float64 {
	both, either := 0, 0
	count := func(term string) bool {
		return !analyze.IsFunctionWord(term) && strings.Trim(term, "0123456789.") != ""
	}
	for t := range a {
		if count(t) {
			either++
			if b[t] {
				both++
			}
		}
	}
	for t := range b {
		if count(t) && !a[t] {
			either++
		}
	}
	if either == 0 {
		return 0
	}
	return float64(both) / float64(either)
}

var figures = lazyregexp.New(`(?i)\d+(?:[.,:]\d+)*|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety)\b`)

// spelled are the numbers that texts spell out; "one" is as often a pronoun.
var spelled = map[string]string{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
	"ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90"}

// numbersOf lists the numbers of a text, however they are written.
func numbersOf(s string) []string {
	out := figures.FindAllString(s, -1)
	for i, n := range out {
		if digits, ok := spelled[strings.ToLower(n)]; ok {
			n = digits
		}
		out[i] = strings.ReplaceAll(n, ",", "")
	}
	return out
}

// sameAttributes compares what decides where a document applies. Keys that only one
// of them has differ too.
func sameAttributes(a, b map[string][]string) bool {
	for _, key := range document.ScopeAttributes() {
		if !slices.Equal(a[key], b[key]) {
			return false
		}
	}
	return true
}
