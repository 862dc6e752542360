package answer

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
)

// unit is what an answer quotes: a sentence, a list item, a table's row.
type unit struct {
	piece     int
	source    *evidence.Piece
	from      retrieve.Candidate // the passage it stands in, or the piece's best
	span      document.Span      // in the canonical text
	text      string
	row       bool
	header    string          // of a table's row: its header row
	own       map[string]bool // terms of the text itself, a row's header included
	near      map[string]bool // terms of the sentences around it and of what stands above a table
	context   map[string]bool // terms of title and heading path, and of a list's lead-in
	numbered  map[string]bool // terms of the heading path with its numbers
	begins    bool            // a paragraph begins with it
	fragment  bool            // no sentence, and nothing follows that it leads in: a title, a date line
	continues bool            // it says the condition of the one before, or belongs to a list that one leads in
}

// cutUnits cuts the pieces of the evidence into units, in the order of the pieces and
// within each of the text.
func cutUnits(pieces []evidence.Piece) []unit {
	var out []unit
	words := analyze.NewReader()
	for i := range pieces {
		c := newCutter(i, &pieces[i], words)
		for _, l := range lines(c.source.Text) {
			c.take(l)
		}
		c.neighbours()
		out = append(out, c.units...)
	}
	return out
}

// cutter cuts one piece; it knows what stands above the line that it takes.
type cutter struct {
	words   *analyze.Reader
	piece   int
	source  *evidence.Piece
	context map[string]bool // terms of title and heading path
	numbers map[string]bool // terms of the heading path with its numbers
	above   string          // a table's caption and header, which the passage's context carries

	header string // of the table that the line may belong to
	lead   string // the sentence that may lead in a list
	last   int    // where the unit before ends, in the piece's text
	units  []unit
}

func newCutter(piece int, source *evidence.Piece, words *analyze.Reader) *cutter {
	c := &cutter{words: words, piece: piece, source: source}
	c.context, c.numbers = c.terms(source.Title), c.terms(strings.Join(source.Heading, "\n"))
	for _, h := range source.Heading {
		// The number of a section is not a number that it speaks of.
		c.context = union(c.context, c.terms(numbering.ReplaceAllString(h, "")))
	}
	_, c.above, _ = strings.Cut(source.Context, "\n") // behind the heading path
	c.header = tableHeader(c.above)
	return c
}

// take makes a unit of a line, unless it only tells what those after it are about.
func (c *cutter) take(l line) {
	text := l.span.Of(c.source.Text)
	switch {
	case isHeading(text) || isRule(text):
		c.lead = ""
	case isQuestion(text):
		c.lead = text
	case c.names(l, text):
		c.header, _, _ = strings.Cut(text, "\n")
	case l.row:
		u := c.unit(l.span, text)
		u.row, u.header = true, c.header
		u.own = union(u.own, c.terms(u.header))
		c.add(u)
	case isItem(text):
		u := c.unit(l.span, text)
		if c.header = ""; c.lead != "" {
			u.context = union(c.context, c.terms(c.lead))
			u.continues = true
		}
		u.begins = len(c.units) == 0
		c.add(u)
	default:
		c.header, c.lead = "", ""
		if !isComplete(text) {
			c.lead = text
		}
		c.add(c.unit(l.span, text))
	}
}

// names reports whether a line names the columns of a table. A header that the
// passage's context carries is surer than a row that only looks like one.
func (c *cutter) names(l line, text string) bool {
	return l.ruled || l.header && c.header == "" || l.row && text == c.header
}

func (c *cutter) unit(s document.Span, text string) unit {
	u := unit{piece: c.piece, source: c.source, text: text, own: c.terms(text), context: c.context, numbered: c.numbers,
		span:   document.Span{From: c.source.Span.From + s.From, To: c.source.Span.From + s.To},
		begins: len(c.units) == 0 || strings.Contains(c.source.Text[c.last:s.From], "\n\n")}
	u.from = passageOf(c.source, u.span)
	c.last = s.To
	return u
}

// add appends a unit; one that qualifies the one before belongs to it.
func (c *cutter) add(u unit) {
	announced := len(c.units) > 0 && announces(c.units[len(c.units)-1].text) && !u.begins
	u.continues = u.continues || announced || continues(u.text)
	c.units = append(c.units, u)
}

// neighbours gives each unit the terms around it: a sentence is understood
// together with those beside it, a row with what stands above its table.
func (c *cutter) neighbours() {
	above := c.terms(c.above)
	for at := range c.units {
		u := &c.units[at]
		u.near = above
		leadsIn := at+1 < len(c.units) && c.units[at+1].continues
		u.fragment = !u.row && !isItem(u.text) && !isComplete(u.text) && !leadsIn
		if u.header != "" {
			continue
		}
		for _, next := range []int{at - 1, at + 1} {
			if next >= 0 && next < len(c.units) && c.units[next].header == "" {
				u.near = union(u.near, c.units[next].own)
			}
		}
	}
}

// isComplete reports whether a text ends as a sentence does; "if" before a list,
// a title or "Date: 5 May" do not.
func isComplete(text string) bool {
	t := strings.TrimRight(text, " \t*_\"'”’»)]`")
	for _, end := range []string{".", "!", "?", ";", "。", "！", "？"} {
		if strings.HasSuffix(t, end) {
			return true
		}
	}
	return false
}

// numbering is a heading's visible number.
var numbering = lazyregexp.New(`^(?:\d+(?:\.\d+)*\.?|\([a-z0-9]+\)|[A-Z]\.\d+)\s+`)

// passageOf is the candidate that holds a span of the piece, or the piece's best.
func passageOf(p *evidence.Piece, s document.Span) retrieve.Candidate {
	for _, m := range p.Matched {
		if m.Span.Overlaps(s) {
			return m
		}
	}
	return p.Candidate
}

func union(a, b map[string]bool) map[string]bool {
	out := make(map[string]bool, len(a)+len(b))
	for t := range a {
		out[t] = true
	}
	for t := range b {
		out[t] = true
	}
	return out
}

func (c *cutter) terms(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range c.words.Words(text) {
		set[w.Term] = true
	}
	return set
}
