package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxNesting bounds the nesting of lists and quotes in the Markdown: deeper ones
// stand at that depth. Each level indents every line below it, so that a page
// of a few megabytes could otherwise become gigabytes.
const maxNesting = 10

// renderer writes the nodes of a page as Markdown. It writes what the Markdown
// parser needs to find the same structure again and no more: the result is read
// by people and cut into passages.
type renderer struct {
	flattened bool
	unspread  bool // a table's spans were too large to repeat
	links     []Link
}

func (r *renderer) page(content *html.Node, headings []*html.Node) string {
	var parts []string
	for _, h := range headings {
		parts = append(parts, r.element(h, 0)...)
	}
	parts = append(parts, r.children(content, 0)...)
	return r.takeLinks(strings.Join(parts, "\n\n") + "\n")
}

func (r *renderer) notes() []string {
	var out []string
	if r.flattened {
		out = append(out, "Lists or quotes nested deeper than 10 levels were flattened.")
	}
	if r.unspread {
		out = append(out, "Table cells that span very many rows or columns were not repeated in them.")
	}
	return out
}

// children renders what is below n as a sequence of Markdown blocks. Text and
// inline elements between two blocks make a paragraph.
func (r *renderer) children(n *html.Node, depth int) []string {
	var out []string
	var run inlineWriter
	flush := func() {
		if s := run.paragraph(); s != "" {
			out = append(out, s)
		}
		run = inlineWriter{}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if isBlock(c) || c.Type == html.ElementNode && !isInlineOnly(c) {
			flush()
			out = append(out, r.element(c, depth)...)
			continue
		}
		run.node(c)
	}
	flush()
	return out
}

// element renders one block element.
func (r *renderer) element(n *html.Node, depth int) []string {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w := inlineWriter{heading: true}
		w.below(n)
		if s := w.line(); s != "" {
			return []string{strings.Repeat("#", int(n.Data[1]-'0')) + " " + s}
		}
		return nil
	case atom.Ul, atom.Ol, atom.Dir:
		return r.list(n, depth)
	case atom.Dl:
		return r.definitions(n, depth)
	case atom.Pre, atom.Listing, atom.Xmp:
		return fenced(n)
	case atom.Blockquote:
		return r.quote(n, depth)
	case atom.Table:
		return r.table(n, depth)
	case atom.Hr:
		return []string{"---"}
	case atom.Summary:
		var w inlineWriter
		w.below(n)
		if s := w.line(); s != "" {
			return []string{"**" + s + "**"}
		}
		return nil
	}
	return r.children(n, depth)
}

func (r *renderer) quote(n *html.Node, depth int) []string {
	if depth >= maxNesting {
		r.flattened = true
		return r.children(n, depth)
	}
	parts := r.children(n, depth+1)
	if len(parts) == 0 {
		return nil
	}
	return []string{indent(strings.Join(parts, "\n\n"), "> ", "> ")}
}

// indent puts first before the first line and rest before the others; a blank
// line gets rest without its trailing spaces.
func indent(s, first, rest string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	prefix := first
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		if line == "" {
			b.WriteString(strings.TrimRight(prefix, " "))
		} else {
			b.WriteString(prefix)
			b.WriteString(line)
		}
		prefix = rest
	}
	return b.String()
}

// fenced renders preformatted text behind a fence that it does not contain.
func fenced(n *html.Node) []string {
	code := lineFeeds(textOf(n))
	s, ok := trimLines(code, 0, len(code))
	if !ok {
		return nil
	}
	code = s.Of(code)
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	return []string{fence + language(n) + "\n" + code + "\n" + fence}
}

// language is what highlighters put into a class, on pre or on the code in it.
func language(n *html.Node) string {
	for _, m := range []*html.Node{n, n.FirstChild} {
		if m == nil {
			continue
		}
		for _, c := range strings.Fields(attr(m, "class")) {
			for _, prefix := range []string{"language-", "lang-", "highlight-source-"} {
				if l, ok := strings.CutPrefix(c, prefix); ok && strings.Trim(l, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+#-") == "" {
					return l
				}
			}
		}
	}
	return ""
}

// isBlock is whether an element begins a line of its own.
func isBlock(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.DataAtom {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center, atom.Dd, atom.Details,
		atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer,
		atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr,
		atom.Html, atom.Legend, atom.Li, atom.Listing, atom.Main, atom.Nav, atom.Ol, atom.P, atom.Pre, atom.Search,
		atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr,
		atom.Ul, atom.Xmp:
		return true
	}
	return false
}

// isInlineOnly is whether nothing below an inline element is a block: a link
// around a heading is rendered as what it holds.
func isInlineOnly(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if isBlock(c) || !isInlineOnly(c) {
			return false
		}
	}
	return true
}
