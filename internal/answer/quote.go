package answer

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/analyze"
)

// composer gathers citations; the same quote is cited once.
type composer struct {
	options Options
	answer  Answer
	quoted  []scored
	numbers map[int]int // unit -> citation
}

// quote takes the best unit of a requirement, the sentences that carry its conditions, and others
// of the same piece that answer as well, and returns their citations.
func (c *composer) quote(ranked []scored, units []unit) []int {
	best := ranked[0]
	chosen := []scored{best}
	taken := map[int]bool{best.at: true}
	take := func(s scored) {
		if !taken[s.at] {
			taken[s.at] = true
			chosen = append(chosen, s)
		}
	}
	from, to := belongings(units, best.at)
	for at := from; at <= to; at++ {
		take(scored{unit: units[at], at: at})
	}
	for _, s := range ranked[1:] {
		if len(chosen) >= c.options.Sentences {
			break
		}
		if s.piece == best.piece && s.direct >= 0.6*best.direct && s.support >= 0.8*best.support {
			take(s)
		}
	}
	sort.Slice(chosen, func(a, b int) bool { return chosen[a].at < chosen[b].at })
	var numbers []int
	for _, s := range chosen {
		numbers = append(numbers, c.cite(s))
	}
	return numbers
}

// maxContinuations bounds the sentences, on each side, that are quoted because
// they belong to another.
const maxContinuations = 8

// belongings gives the range of units, of the same piece, that must be quoted with
// a unit: the conditions and items that follow it, and, where it is one of them
// itself, what it qualifies, with its paragraph.
func belongings(units []unit, at int) (from, to int) {
	from, to = at, at
	for to+1 < len(units) && units[to+1].piece == units[at].piece && units[to+1].continues && to-at < maxContinuations {
		to++
	}
	for from > 0 && units[from-1].piece == units[at].piece && units[from].continues && at-from < maxContinuations {
		paragraph := units[from].begins
		from--
		for paragraph && !units[from].begins && from > 0 && units[from-1].piece == units[at].piece && at-from < maxContinuations {
			from--
		}
	}
	return from, to
}

// cite gives the number of a unit's citation, making it if need be.
func (c *composer) cite(s scored) int {
	if n, ok := c.numbers[s.at]; ok {
		return n
	}
	if c.numbers == nil {
		c.numbers = map[int]int{}
	}
	n := len(c.answer.Citations) + 1
	c.numbers[s.at] = n
	p := s.source
	c.answer.Citations = append(c.answer.Citations, Citation{N: n, Document: p.Document, Title: p.Title,
		Heading: p.Heading, Span: s.span, Quote: s.text, Revision: p.Revision})
	c.quoted = append(c.quoted, s)
	return n
}

// text is the answer: each quoted sentence, without its markup, with its
// citation.
func (c *composer) text() string {
	var b strings.Builder
	for i, s := range c.quoted {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s [%d]", plain(s.unit), i+1)
	}
	return b.String()
}

var (
	link   = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	marker = regexp.MustCompile(`^[ \t>]*(?:[-*+] +|#+ +)?`)
	space  = regexp.MustCompile(`\s+`)
)

// plain takes the markup out of a unit; a table's row becomes "header: cell; ...".
func plain(u unit) string {
	if isRow(u.text) {
		return plainRow(u.header, u.text)
	}
	return clean(marker.ReplaceAllString(u.text, ""))
}

func clean(s string) string {
	s = link.ReplaceAllString(s, "$1")
	s = strings.NewReplacer("**", "", "__", "", "`", "").Replace(s)
	return strings.TrimSpace(space.ReplaceAllString(s, " "))
}

func plainRow(header, row string) string {
	names, cells := rowCells(header), rowCells(row)
	parts := make([]string, 0, len(cells))
	for i, cell := range cells {
		if cell == "" {
			continue
		}
		if i < len(names) && names[i] != "" {
			cell = names[i] + ": " + cell
		}
		parts = append(parts, cell)
	}
	return strings.Join(parts, "; ")
}

func rowCells(row string) []string {
	row = strings.TrimSpace(row)
	row = strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|")
	if row == "" {
		return nil
	}
	cells := strings.Split(strings.ReplaceAll(row, `\|`, "\x00"), "|")
	for i, c := range cells {
		cells[i] = clean(strings.ReplaceAll(c, "\x00", "|"))
	}
	return cells
}

// conflicting finds units of other documents, of the same authority as the best,
// that say the same thing with other numbers. Documents for other regions,
// customers or products do not disagree: they apply elsewhere.
func conflicting(ranked []scored, threshold float64) []scored {
	best := ranked[0]
	mine, others := numbersOf(best.text), []scored(nil)
	if len(mine) == 0 {
		return nil
	}
	for _, s := range ranked[1:] {
		if s.support < threshold || s.source.Document == best.source.Document || s.source.Authority != best.source.Authority ||
			!sameAttributes(s.source.Attributes, best.source.Attributes) {
			continue
		}
		theirs := numbersOf(s.text)
		if len(theirs) == 0 || slices.ContainsFunc(theirs, func(n string) bool { return slices.Contains(mine, n) }) {
			continue
		}
		if similarity(best.own, s.own) >= similarEnough {
			others = append(others, s)
		}
	}
	if len(others) == 0 {
		return nil
	}
	return append([]scored{best}, others[0])
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

var figures = regexp.MustCompile(`\d+(?:[.,:]\d+)*`)

func numbersOf(s string) []string {
	out := figures.FindAllString(s, -1)
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], ",", "")
	}
	return out
}

// sameAttributes compares what decides where a document applies. Keys that only one
// of them has differ too.
func sameAttributes(a, b map[string][]string) bool {
	for _, key := range scopeAttributes {
		if !slices.Equal(a[key], b[key]) {
			return false
		}
	}
	return true
}

// scopeAttributes are the attributes that design and documentation name as
// saying where a document applies.
var scopeAttributes = []string{"region", "product", "customer", "country", "department", "edition"}
