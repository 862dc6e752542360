package answer

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
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

// plain takes the markup out of a unit; a table's row becomes "header: cell; ...".
func plain(u unit) string {
	if u.row {
		return plainRow(u.header, u.text)
	}
	return clean(marker.ReplaceAllString(u.text, ""))
}

var (
	link   = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	marker = regexp.MustCompile(`^[ \t>]*(?:[-*+•–·◦▪] +|#+ +)?`)
	space  = regexp.MustCompile(`\s+`)
	// mark is a document's own reference, which must not pass for a citation.
	mark = regexp.MustCompile(`\[(\d+)\]`)
)

// clean takes out links, emphasis and the fences of code, and leaves what stands in code
// as it is, white space aside.
func clean(s string) string {
	parts := strings.Split(link.ReplaceAllString(s, "$1"), "`")
	for i := range parts {
		if code := i%2 == 1 && i < len(parts)-1; !code {
			parts[i] = withoutEmphasis(parts[i])
		}
	}
	s = mark.ReplaceAllString(strings.Join(parts, ""), "($1)")
	return strings.TrimSpace(space.ReplaceAllString(s, " "))
}

// withoutEmphasis takes out "**" and "__", unless letters or digits stand on both
// sides: 2**10 and MAX__SIZE are names and formulas.
func withoutEmphasis(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if two := s[i:min(i+2, len(s))]; two != "**" && two != "__" {
			b.WriteByte(s[i])
			i++
			continue
		}
		if i > 0 && isAlphanumeric(s[i-1]) && i+2 < len(s) && isAlphanumeric(s[i+2]) {
			b.WriteString(s[i : i+2])
		}
		i += 2
	}
	return b.String()
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
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
