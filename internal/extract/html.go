package extract

import (
	"errors"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// errNested: the parser refuses pages that nest deeper than 512 elements, which
// no page made to be read does.
var errNested = errors.New("the page nests its elements too deeply to be read (more than 512 levels)")

// extractHTML makes Markdown of what a reader of the page reads, and blocks of
// that Markdown.
func extractHTML(page string) (Extracted, error) {
	root, err := html.Parse(strings.NewReader(opened(page)))
	if err != nil {
		return Extracted{}, errNested
	}
	title := pageTitle(root)
	body := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Body })
	if body == nil {
		body = root
	}
	p := newPruner(body)
	p.prune(body)
	content := p.content(body)
	r := &renderer{}
	text := r.page(content, p.headings)
	if strings.IndexFunc(text, visible) < 0 {
		return Extracted{}, ErrNoText
	}
	x := fromMarkdown(formatHTML, text)
	if title != "" {
		x.Title = title
	}
	x.Notes = append(p.notes(), r.notes()...)
	x.Links = r.links
	return x, nil
}

// fromMarkdown is Markdown that extraction made, with its blocks.
func fromMarkdown(format, text string) Extracted {
	m := newMarkdown(text)
	m.parse(0)
	return Extracted{Format: format, Text: text, Title: m.title, Blocks: m.blocks}
}

func pageTitle(root *html.Node) string {
	n := find(root, func(n *html.Node) bool {
		return n.DataAtom == atom.Title && n.Parent != nil && n.Parent.DataAtom == atom.Head
	})
	if n == nil {
		return ""
	}
	return strings.Join(strings.Fields(textOf(n)), " ")
}

// find gives the first node in document order that is wanted.
func find(n *html.Node, want func(*html.Node) bool) *html.Node {
	if n.Type == html.ElementNode && want(n) {
		return n
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if f := find(c, want); f != nil {
			return f
		}
	}
	return nil
}

func textOf(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return b.String()
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Namespace == "" && a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}
