package extract

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

func extractMarkdown(text string) (Extracted, error) {
	yaml, body, err := cutFrontMatter(text)
	if err != nil {
		return Extracted{}, err
	}
	m := newMarkdown(text)
	m.parse(body)
	return Extracted{
		Format: formatMarkdown, Text: text, Title: m.title, FrontMatter: yaml,
		Blocks: m.blocks, Notes: m.notes(),
	}, nil
}

const (
	// The parser is given a window of the text at a time and goes on at the last
	// block that it began, so that its tree, many times the size of the text, is
	// that of a window. A block larger than maxWindow is cut in two.
	minWindow = 256 << 10
	maxWindow = 1 << 20
)

// markdown collects the top-level blocks of a text.
type markdown struct {
	text   string
	blocks []Block
	title  string
	refs   map[string]parser.Reference
	// raw are the headings whose markup is taken off when all references of the
	// text are known: index of the block, its raw text.
	raw      map[int]string
	comments int
	scripts  int

	least, most int // minWindow and maxWindow, except in tests
}

func newMarkdown(text string) *markdown {
	return &markdown{text: text, refs: map[string]parser.Reference{}, raw: map[int]string{}, least: minWindow, most: maxWindow}
}

// blockParser finds blocks only. Tables are found in paragraphs (see table.go),
// because the parser's extension makes a node per cell and fills short rows, so
// that a small file can ask for any amount of memory.
var blockParser = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithParagraphTransformers(util.Prioritized(parser.LinkReferenceParagraphTransformer, 100)),
)

func (m *markdown) parse(at int) {
	size := m.least
	for at < len(m.text) {
		end := min(at+size, len(m.text))
		end = min(lineEnd(m.text, end, len(m.text))+1, len(m.text))
		next := m.window(at, end, size >= m.most)
		if next == at {
			size *= 2
			continue
		}
		at, size = next, min(size, m.most)
	}
	m.finishHeadings()
	m.captions()
}

// window takes the blocks of text[at:end] and gives where to go on: at the last
// block, which may go on beyond the window; at at when there is but one and the
// window may still grow.
func (m *markdown) window(at, end int, largest bool) int {
	root := blockParser.Parse(gmtext.NewReader(masked(m.text[at:end])))
	var nodes []ast.Node
	var starts []int
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		pos := at
		if p := n.Pos(); p >= 0 {
			pos = lineStart(m.text, min(at+p, end))
		}
		if len(starts) > 0 {
			pos = max(pos, starts[len(starts)-1])
		}
		nodes, starts = append(nodes, n), append(starts, max(pos, at))
	}
	starts = append(starts, end)
	last := len(nodes)
	if end < len(m.text) && last > 0 {
		last = m.settled(nodes, starts)
		if last == 0 || starts[last] == at {
			if !largest || !divisible(nodes[0]) {
				return at
			}
			// A block as large as the largest window is cut: a list at its last item, a
			// run of link definitions before its last, so that every window goes on by
			// about its size.
			last = max(1, len(nodes)-1)
			if next := m.cutList(nodes[0], at, end); next > at {
				last, starts[1] = 1, next
			}
		}
	}
	for i := range last {
		m.block(nodes[i], at, starts[i], starts[i+1])
	}
	return starts[last]
}

// settled is how many of the nodes stay what they are whatever follows the
// window: all but the last. Link definitions right before it began the same
// paragraph, and what is left of that would be read anew.
func (m *markdown) settled(nodes []ast.Node, starts []int) int {
	n := len(nodes) - 1
	for n > 0 {
		_, isRef := nodes[n-1].(*ast.LinkReferenceDefinition)
		if !isRef || strings.Contains(m.text[starts[n-1]:starts[n]], "\n\n") {
			break
		}
		n--
	}
	return n
}

// divisible is whether a block may be cut at a line: not where an end far below
// gives the lines their meaning.
func divisible(n ast.Node) bool {
	switch n.(type) {
	case *ast.FencedCodeBlock, *ast.HTMLBlock:
		return false
	}
	return true
}

// cutList is where the last item of a list begins.
func (m *markdown) cutList(n ast.Node, at, end int) int {
	list, ok := n.(*ast.List)
	if !ok || list.LastChild() == nil || list.LastChild().Pos() < 0 {
		return at
	}
	return lineStart(m.text, min(at+list.LastChild().Pos(), end))
}

// block takes over the block of a node that begins at the line from and ends
// before the line to; base is where the window begins.
func (m *markdown) block(n ast.Node, base, from, to int) {
	span, ok := trimLines(m.text, from, to)
	if !ok {
		return
	}
	switch n := n.(type) {
	case *ast.ThematicBreak:
	case *ast.LinkReferenceDefinition:
		if strings.HasPrefix(string(n.Label), "^") { // a footnote of one word
			m.paragraph(span)
			return
		}
		ref := parser.NewReference(n.Label, n.Destination, n.Title)
		if key := util.ToLinkReference(n.Label); m.refs[key] == nil {
			m.refs[key] = ref
		}
	case *ast.Heading:
		m.heading(n, base, span)
	case *ast.List:
		m.add(Block{Kind: List, Span: span, Items: m.items(n, base, span)})
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		m.add(Block{Kind: Code, Span: span})
	case *ast.Blockquote:
		m.add(Block{Kind: Quote, Span: span})
	case *ast.HTMLBlock:
		m.html(span)
	default:
		if !m.goesOn(span) {
			m.paragraph(span)
		}
	}
}

// goesOn takes a paragraph that follows a table without a blank line as more of
// its rows: the window ended within the table.
func (m *markdown) goesOn(span document.Span) bool {
	last := len(m.blocks) - 1
	if last < 0 || m.blocks[last].Kind != Table || m.blocks[last].Span.To+1 != span.From {
		return false
	}
	t := &m.blocks[last]
	t.Span.To = span.To
	t.Rows = append(t.Rows, lineSpans(m.text, span.From, span.To)...)
	return true
}

func (m *markdown) add(b Block) { m.blocks = append(m.blocks, b) }

// items are the spans of a list's own items; what is nested in one belongs to it.
func (m *markdown) items(list *ast.List, base int, span document.Span) []document.Span {
	var out []document.Span
	start := span.From
	for c := list.FirstChild(); c != nil; c = c.NextSibling() {
		end := span.To
		if next := c.NextSibling(); next != nil && next.Pos() >= 0 {
			end = min(lineStart(m.text, min(base+next.Pos(), len(m.text))), span.To)
		}
		if s, ok := trimLines(m.text, start, end); ok {
			out = append(out, s)
		}
		start = max(start, end)
	}
	return out
}

// paragraph adds a paragraph, or the table that it is.
func (m *markdown) paragraph(span document.Span) {
	if before, table, ok := findTable(m.text, span); ok {
		if before.Len() > 0 {
			m.paragraph(before)
		}
		m.add(table)
		return
	}
	m.add(Block{Kind: Paragraph, Span: span, Number: clauseNumber(span.Of(m.text))})
}
