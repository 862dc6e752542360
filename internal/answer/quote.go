package answer

import (
	"fmt"
	"sort"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/claims"
	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/grid"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/store"
)

// composer gathers citations; the same text is cited once.
type composer struct {
	view      store.View
	since     map[document.ID]document.Day // as effective has found
	asked     map[string][]string          // attributes, see query.Plan.Asked
	options   Options
	answer    Answer
	quoted    [][]unit     // by citation
	numbers   map[int]int  // unit -> citation
	left      int          // units that answer as well and were not quoted
	said      map[int]said // by piece
	promise   float64
	refrained bool // from answering, as that is too little
}

// quote takes the best unit of a requirement, the sentences that carry its
// conditions, and others of the same piece that answer as well, and returns
// their citations. Neighbours in the text are one citation.
func (c *composer) quote(r query.Requirement, ranked []scored, units []unit) []int {
	best := ranked[0]
	taken := map[int]bool{}
	from, to := belongings(units, best.at)
	if asksWhatItSays(r.Text) {
		from, to = wholePassage(units, best.at)
	}
	for at := from; at <= to; at++ {
		taken[at] = true
	}
	for _, s := range ranked[1:] {
		if taken[s.at] || s.piece != best.piece || !c.alsoAnswers(s, best) {
			continue
		}
		if len(taken) >= c.room(best) {
			c.left++
			continue
		}
		taken[s.at] = true
	}
	for at := range taken {
		for _, note := range notesOf(units, at) {
			taken[note] = true
		}
	}
	var numbers []int
	for _, run := range runs(taken, units) {
		numbers = append(numbers, c.cite(run, units))
	}
	return numbers
}

// alsoAnswers reports whether a unit beside the best says the answer too. A row does only if the
// question tells it from the best in nothing: the others of the table are about
// other things.
func (c *composer) alsoAnswers(s, best scored) bool {
	if best.row || s.row {
		return best.row && s.row && s.direct >= best.direct && s.support >= 0.99*best.support
	}
	return s.direct >= 0.6*best.direct && s.support >= 0.8*best.support
}

// maxRows bounds the rows that are quoted where the question does not tell them
// apart.
const maxRows = 8

func (c *composer) room(best scored) int {
	if best.row {
		return maxRows
	}
	return c.options.Sentences
}

// runs cuts the taken units into runs of neighbours, in the order of the text.
// A row is a run of its own.
func runs(taken map[int]bool, units []unit) [][]int {
	order := make([]int, 0, len(taken))
	for at := range taken {
		order = append(order, at)
	}
	sort.Ints(order)
	var out [][]int
	for _, at := range order {
		if n := len(out); n > 0 {
			before := out[n-1][len(out[n-1])-1]
			if before == at-1 && units[before].piece == units[at].piece && !units[before].row && !units[at].row {
				out[n-1] = append(out[n-1], at)
				continue
			}
		}
		out = append(out, []int{at})
	}
	return out
}

// maxContinuations bounds the units, on each side, that are quoted because they
// belong to another.
const maxContinuations = 8

// belongings gives the range of units, of the same piece, that must be quoted with
// a unit: what it refers back to, the conditions, restrictions and items that
// follow, and, where it is one of them itself, what it qualifies, with its
// paragraph.
func belongings(units []unit, at int) (from, to int) {
	from, to = at, at
	same := func(i int) bool { return i >= 0 && i < len(units) && units[i].piece == units[at].piece }
	for same(from-1) && !units[from].begins && refersBack(units[from-1], units[from]) && at-from < maxContinuations {
		from--
	}
	for same(to+1) && !units[to+1].begins && restricts(units[at], units[to+1]) && to-at < maxContinuations {
		to++
	}
	for same(to+1) && units[to+1].continues && to-at < maxContinuations {
		to++
	}
	for same(from-1) && units[from].continues && at-from < maxContinuations {
		paragraph := units[from].begins
		from--
		for paragraph && !units[from].begins && same(from-1) && at-from < maxContinuations {
			from--
		}
	}
	return from, to
}

// back begins a sentence that speaks of what the one before named.
var back = lazyregexp.New(`(?i)^[ \t>*_]*(?:(?:it|they|this|these|those|such|both|then|here|there|he|she)\b|the (\pL+))`)

// refersBack reports whether a sentence is understood only with the one before.
func refersBack(before, u unit) bool {
	m := back.FindStringSubmatch(u.text)
	if m == nil || u.row || before.row || isItem(u.text) {
		return false
	}
	if m[1] == "" {
		return true
	}
	words := analyze.Words(m[1]) // "A refund may be asked for. The refund is ..."
	return len(words) == 1 && before.own[words[0].Term]
}

// restriction are words that take something away from a rule.
var restriction = lazyregexp.New(`(?i)\b(?:not|only|never|except|unless|excluded|rejected|refused|without)\b`)

// restricts reports whether a sentence takes something away from one before it:
// "The fee is not charged to students."
func restricts(rule, u unit) bool {
	if u.row || isItem(u.text) || !restriction.MatchString(u.text) {
		return false
	}
	for _, w := range analyze.Words(u.text) {
		if rule.own[w.Term] && !analyze.IsFunctionWord(w.Folded) && !analyze.IsGeneralWord(w.Folded) {
			return true
		}
	}
	return false
}

// whatItSays recognises a question for what a place says, whatever that is.
var whatItSays = lazyregexp.New(`(?i)\bwhat\b.*\b(?:says?|states?|about|means?|regulates?|provides?|requires?|contains?|content)\b`)

func asksWhatItSays(question string) bool {
	if !whatItSays.MatchString(question) {
		return false
	}
	for _, f := range analyze.QuestionIdentifiers(question) {
		if strings.HasPrefix(f.Value, "§") {
			return true
		}
	}
	return false
}

// wholePassage is the range of units of the passage that a unit stands in.
func wholePassage(units []unit, at int) (from, to int) {
	from, to = at, at
	passage := units[at].from.Span
	for from > 0 && units[from-1].piece == units[at].piece && passage.Contains(units[from-1].span) && at-from < 2*maxContinuations {
		from--
	}
	for to+1 < len(units) && units[to+1].piece == units[at].piece && passage.Contains(units[to+1].span) && to-at < 2*maxContinuations {
		to++
	}
	return from, to
}

// noteMark is a footnote's mark behind a word or figure.
var noteMark = lazyregexp.New(`[\pL\pN)%]([*†‡]|[⁰¹²³⁴-⁹]+)`)

// notesOf finds the footnotes, in the same piece, that a unit refers to.
func notesOf(units []unit, at int) []int {
	var out []int
	for _, m := range noteMark.FindAllStringSubmatch(units[at].text, -1) {
		for i := range units {
			if i != at && units[i].piece == units[at].piece && !units[i].row && strings.HasPrefix(strings.TrimSpace(units[i].text), m[1]) {
				out = append(out, i)
			}
		}
	}
	return out
}

// cite gives the number of the citation of a run of neighbours, making it if
// need be.
func (c *composer) cite(run []int, units []unit) int {
	if n, ok := c.numbers[run[0]]; ok && c.numbers[run[len(run)-1]] == n {
		return n
	}
	if c.numbers == nil {
		c.numbers = map[int]int{}
	}
	n := len(c.answer.Citations) + 1
	var quoted []unit
	for _, at := range run {
		c.numbers[at] = n
		quoted = append(quoted, units[at])
	}
	made := citation(quoted)
	made.N = n
	c.answer.Citations = append(c.answer.Citations, made)
	c.quoted = append(c.quoted, quoted)
	return n
}

// standsAlso are the places of copies that hold a span, each as exactly as is known: a copy
// of the same length has the quote where the original has it.
func standsAlso(places []evidence.Location, span document.Span) []evidence.Location {
	var out []evidence.Location
	for _, l := range places {
		if !l.Of.Contains(span) {
			continue
		}
		if l.Span.Len() == l.Of.Len() {
			by := l.Span.From - l.Of.From
			l.Span = document.Span{From: span.From + by, To: span.To + by}
		}
		l.Of = span
		out = append(out, l)
	}
	return out
}

// citation is where a run of neighbours stands, without a number.
func citation(run []unit) Citation {
	p := run[0].source
	span := document.Span{From: run[0].span.From, To: run[len(run)-1].span.To}
	return citationOf(*p, span)
}

// citationOf is the citation of a span of a piece, whoever wrote what cites it.
func citationOf(p evidence.Piece, span document.Span) Citation {
	return Citation{Document: p.Document, Title: p.Title, Heading: p.Heading, Span: span, Page: p.Pages.At(span.From), Lines: p.Lines.Within(span),
		Quote: document.Span{From: span.From - p.Span.From, To: span.To - p.Span.From}.Of(p.Text), Revision: p.Revision,
		Valid: p.Valid, Inferred: p.Inferred, Also: standsAlso(p.Also, span)}
}

// text is the answer: what is quoted, without its markup, with its citation;
// a paragraph, an item and a row each on a line.
func (c *composer) text() string {
	var b strings.Builder
	for n, quoted := range c.quoted {
		if n > 0 {
			b.WriteByte('\n')
		}
		// Two units may make a mark together.
		fmt.Fprintf(&b, "%s [%d]", neutral(run(quoted)), n+1)
	}
	return b.String()
}

// Shift is the text of an answer with so much added to the numbers of its citations.
func Shift(a Answer, by int) string {
	text := a.Text
	for n := len(a.Citations); n > 0; n-- { // the greatest first, as a number that was raised may be that of another
		text = strings.ReplaceAll(text, fmt.Sprintf("[%d]", n), fmt.Sprintf("[%d]", n+by))
	}
	return text
}

// run is the text of the units that one citation stands for.
func run(quoted []unit) string {
	var b strings.Builder
	for i, u := range quoted {
		switch {
		case i == 0:
		case !u.begins && !isItem(u.text):
			b.WriteByte(' ')
		default:
			b.WriteByte('\n')
		}
		if bullet.MatchString(u.text) {
			b.WriteString("- ")
		}
		b.WriteString(plain(u))
	}
	return b.String()
}

// bullet begins an item that has no number of its own.
var bullet = lazyregexp.New(`^[ \t>]*[-*+•–·◦▪] +`)

// plain takes the markup out of a unit; a table's row becomes "header: cell; ...".
func plain(u unit) string {
	if u.row {
		return plainRow(u.header, u.text)
	}
	return clean(marker.ReplaceAllString(u.text, ""))
}

var (
	link   = lazyregexp.New(`!?\[([^\]]*)\]\([^)]*\)`)
	marker = lazyregexp.New(`^[ \t>]*(?:[-*+•–·◦▪] +|#+ +)?`)
	space  = lazyregexp.New(`\s+`)
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
	s = neutral(strings.Join(parts, ""))
	return strings.TrimSpace(space.ReplaceAllString(s, " "))
}

// neutral writes a document's own marks so that they are no citations.
func neutral(s string) string { return claims.Neutral(s) }

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
	if strings.Trim(row, "| \t\n") == "" {
		return nil
	}
	cells := grid.Cells(row)
	for i, c := range cells {
		cells[i] = clean(grid.Unescaped(c))
	}
	return cells
}
