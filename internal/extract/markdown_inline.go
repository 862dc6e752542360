package extract

import (
	"html"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxHeading is the longest heading whose markup is taken off; a longer one is
// no heading that anyone reads.
const maxHeading = 1 << 10

// headingMark is an anchor at the end of a heading, as several generators have
// it: {#limits}, {: .no_toc }.
var headingMark = lazyregexp.New(`\s*\{[#:.][^{}]*\}\s*$`)

func (m *markdown) heading(n *ast.Heading, base int, span document.Span) {
	var raw []string
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		raw = append(raw, strings.TrimSpace(m.text[min(base+seg.Start, len(m.text)):min(base+seg.Stop, len(m.text))]))
	}
	text := strings.Join(raw, " ")
	if blank(text) {
		// "##" alone: nothing to read, and no section of its own.
		return
	}
	m.raw[len(m.blocks)] = text
	m.add(Block{Kind: Heading, Span: span, Level: n.Level})
}

// finishHeadings takes the markup and the numbers off the headings, now that
// every link reference of the text is known.
func (m *markdown) finishHeadings() {
	inline := newInline(m.refs)
	for i := range m.blocks {
		b := &m.blocks[i]
		if b.Kind != Heading {
			continue
		}
		whole := inline.plain(headingMark.ReplaceAllString(m.raw[i], ""))
		if whole == "" {
			whole = strings.TrimSpace(m.raw[i])
		}
		b.Number, b.Text = splitNumber(whole)
		if m.title == "" && b.Level == 1 {
			m.title = whole
		}
	}
}

// inlineParser finds the markup within a line.
var inlineParser = parser.NewParser(
	parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 100)),
	parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(parser.NewLinkParser(), 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(parser.NewRawHTMLParser(), 400),
		util.Prioritized(parser.NewEmphasisParser(), 500),
	),
)

type inline struct{ refs map[string]parser.Reference }

func newInline(refs map[string]parser.Reference) inline { return inline{refs} }

// refContext lets the parser look up references that were defined elsewhere.
type refContext struct {
	parser.Context
	refs map[string]parser.Reference
}

func (c refContext) Reference(label string) (parser.Reference, bool) {
	r, ok := c.refs[label]
	return r, ok
}

// plain is a line of Markdown as it reads: without emphasis, links, tags and
// escapes.
func (in inline) plain(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > maxHeading || !strings.ContainsAny(line, "\\`*_[]<>&!~") {
		return strings.Join(strings.Fields(line), " ")
	}
	src := []byte(line)
	root := inlineParser.Parse(gmtext.NewReader(src), parser.WithContext(refContext{parser.NewContext(), in.refs}))
	var b strings.Builder
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					b.Write(t.Segment.Value(src))
				}
			}
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			b.WriteString(html.UnescapeString(string(util.UnescapePunctuations(n.Segment.Value(src)))))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(src))
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(strings.ReplaceAll(b.String(), "~~", "")), " ")
}
