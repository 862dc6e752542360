package extract

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

// markup collects the blocks of a text that keeps its own marks: its lines, and how
// far they are read. What the formats have in common is here, what each mark
// means with the format.
type markup struct {
	text   string
	lines  []document.Span // without their line feeds
	at     int             // the next line to read
	blocks []Block
	title  string
	left   map[string]int // what was left out, and how often
	looked int            // lines that nearby has looked at
}

func newMarkup(text string, from int) *markup {
	return &markup{text: text, lines: lineSpans(text, from, len(text)), left: map[string]int{}}
}

// line is the i-th line, "" beyond the last.
func (m *markup) line(i int) string {
	if i < 0 || i >= len(m.lines) {
		return ""
	}
	return m.lines[i].Of(m.text)
}

func (m *markup) blankAt(i int) bool { return blank(m.line(i)) }

// indent is the number of spaces and tabs that a line begins with.
func (m *markup) indent(i int) int { return indentOf(m.line(i)) }

func indentOf(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// indented is the line after the block that is indented below line i, by more than
// the given number of spaces, blank lines within it included.
func (m *markup) indented(i, more int) int {
	end := i
	for ; i < len(m.lines); i++ {
		if m.blankAt(i) {
			continue
		}
		if m.indent(i) <= more {
			break
		}
		end = i + 1
	}
	return end
}

// paragraphEnd is the line after the run of lines that i begins.
func (m *markup) paragraphEnd(i int) int {
	for i < len(m.lines) && !m.blankAt(i) {
		i++
	}
	return i
}

// nearby is the first line from i on that is found, -1 if there is none within
// maxGroup lines. A text that makes it look ahead of very many lines in vain is
// looked at no further: its time would grow with the square of its size.
func (m *markup) nearby(i int, found func(k int) bool) int {
	for k := i; k < min(len(m.lines), i+maxGroup) && m.looked < 5*len(m.lines); k++ {
		m.looked++
		if found(k) {
			return k
		}
	}
	return -1
}

// add makes a block of the lines [from, to) and goes on behind them.
func (m *markup) add(kind BlockKind, from, to int) *Block {
	m.at = max(to, m.at+1)
	for from < to && m.blankAt(from) {
		from++
	}
	for to > from && m.blankAt(to-1) {
		to--
	}
	if from >= to {
		return nil
	}
	m.blocks = append(m.blocks, Block{Kind: kind, Span: document.Span{From: m.lines[from].From, To: m.lines[to-1].To}})
	return &m.blocks[len(m.blocks)-1]
}

func (m *markup) heading(level int, text string, from, to int) {
	b := m.add(Heading, from, to)
	number, rest := splitNumber(oneLine(text))
	b.Level, b.Text, b.Number = min(level, maxLevel), rest, number
	if m.title == "" {
		m.title = oneLine(text)
	}
}

func (m *markup) paragraph(from, to int) {
	if b := m.add(Paragraph, from, to); b != nil {
		b.Number = clauseNumber(b.Span.Of(m.text))
	}
}

// list makes a list of the lines [from, to), whose items begin where starts says.
func (m *markup) list(from, to int, starts []int) {
	for to > from && m.blankAt(to-1) {
		to--
	}
	b := m.add(List, from, to)
	for k, i := range starts {
		end := to
		if k+1 < len(starts) {
			end = starts[k+1]
		}
		for end > i+1 && m.blankAt(end-1) {
			end--
		}
		b.Items = append(b.Items, document.Span{From: m.lines[i].From, To: m.lines[end-1].To})
	}
}

// skip leaves the lines up to to out; what is "" where nobody misses it.
func (m *markup) skip(to int, what string) {
	if what != "" {
		m.left[what]++
	}
	m.at = max(to, m.at+1)
}

// rows are the lines [from, to) that are not blank.
func (m *markup) rows(from, to int) []document.Span {
	var out []document.Span
	for i := from; i < to; i++ {
		if !m.blankAt(i) {
			out = append(out, m.lines[i])
		}
	}
	return out
}
