package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// pruner takes out of a page what is not its content: what is not shown, and
// what serves to move around in the site. The rules go by what elements mean,
// not by what sites look like.
type pruner struct {
	size  map[*html.Node]int // bytes of text below a node, white space aside
	total int
	left  map[string]bool
	// headings are those of a page header that was taken out, kept when the rest
	// has none of level 1.
	headings []*html.Node
}

func newPruner(body *html.Node) *pruner {
	p := &pruner{size: map[*html.Node]int{}, left: map[string]bool{}}
	p.total = p.measure(body)
	return p
}

func (p *pruner) measure(n *html.Node) int {
	size := 0
	switch {
	case n.Type == html.TextNode:
		size = len(strings.TrimSpace(n.Data))
	case neverShown(n):
		return 0
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		size += p.measure(c)
	}
	if n.Type == html.ElementNode {
		p.size[n] = size
	}
	return size
}

// prune removes nodes below n. A part that holds most of the page's text is
// never removed, whatever it calls itself.
func (p *pruner) prune(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch why := p.why(c); {
		case c.Type == html.CommentNode:
			n.RemoveChild(c)
		case why == "":
			p.prune(c)
		case why == "hidden" || p.size[c]*2 <= p.total:
			if p.size[c] > 0 && why != "hidden" {
				p.left[why] = true
			}
			if why == "page header" {
				p.keepHeadings(c)
			}
			n.RemoveChild(c)
		default:
			p.prune(c)
		}
		c = next
	}
}

// neverShown are elements that a browser does not show, or not as text.
func neverShown(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return n.Type == html.CommentNode
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Object, atom.Canvas, atom.Svg,
		atom.Audio, atom.Video, atom.Input, atom.Select, atom.Textarea, atom.Button, atom.Datalist, atom.Head, atom.Link, atom.Meta:
		return true
	}
	style := strings.ReplaceAll(strings.ToLower(attr(n, "style")), " ", "")
	return hasAttr(n, "hidden") || attr(n, "aria-hidden") == "true" ||
		strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

var (
	consentName = lazyregexp.New(`(?i)cookie|consent|gdpr`)
	bannerName  = lazyregexp.New(`(?i)banner|bar\b|notice|popup|modal|overlay|dialog|bubble|prompt`)
)

// why says what kind of thing is to be left out, "" for content.
func (p *pruner) why(n *html.Node) string {
	if n.Type != html.ElementNode {
		return ""
	}
	if neverShown(n) {
		return "hidden"
	}
	switch attr(n, "role") {
	case "navigation", "search", "menu", "menubar":
		return "navigation"
	case "banner":
		return "page header"
	case "contentinfo":
		return "page footer"
	case "complementary":
		return p.aside(n)
	case "dialog", "alertdialog":
		return "dialogs"
	}
	switch n.DataAtom {
	case atom.Nav, atom.Menu:
		return "navigation"
	case atom.Header:
		if !inContent(n) {
			return "page header"
		}
	case atom.Footer:
		if !inContent(n) {
			return "page footer"
		}
	case atom.Aside:
		return p.aside(n)
	case atom.Form:
		return "forms"
	case atom.Dialog:
		return "dialogs"
	}
	if name := attr(n, "id") + " " + attr(n, "class"); consentName.MatchString(name) && bannerName.MatchString(name) {
		return "cookie notice"
	}
	return ""
}

// aside keeps a footnote and a note beside the content, and leaves out lists of links and what
// stands outside of it.
func (p *pruner) aside(n *html.Node) string {
	switch attr(n, "role") + attr(n, "epub:type") {
	case "doc-footnote", "doc-endnote", "footnote", "endnote", "rearnote", "doc-footnotefootnote", "doc-endnoteendnote":
		return "" // of a book, where it stands
	}
	if inContent(n) && p.linked(n)*2 < p.size[n] {
		return ""
	}
	return "asides"
}

// linked counts the bytes of text within links.
func (p *pruner) linked(n *html.Node) int {
	if n.DataAtom == atom.A {
		return p.size[n]
	}
	sum := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		sum += p.linked(c)
	}
	return sum
}

func inContent(n *html.Node) bool {
	for n = n.Parent; n != nil; n = n.Parent {
		if isMain(n) || n.DataAtom == atom.Article || n.DataAtom == atom.Section || n.DataAtom == atom.Blockquote {
			return true
		}
	}
	return false
}

func isMain(n *html.Node) bool {
	return n.Type == html.ElementNode && (n.DataAtom == atom.Main || attr(n, "role") == "main")
}

func (p *pruner) keepHeadings(header *html.Node) {
	if h := find(header, func(n *html.Node) bool { return n.DataAtom == atom.H1 }); h != nil && p.size[h] > 0 {
		p.headings = append(p.headings, h)
	}
}

// content is the part that holds the page's content: main, or the one article,
// where it has at least half of the text that is left; else the whole body.
func (p *pruner) content(body *html.Node) *html.Node {
	clear(p.size)
	p.total = p.measure(body)
	best := body
	if m := p.largest(body, isMain); m != nil && p.size[m]*2 >= p.total {
		best = m
	} else if a := p.largest(body, func(n *html.Node) bool { return n.DataAtom == atom.Article }); a != nil && p.size[a]*2 >= p.total {
		best = a
	}
	h1 := func(n *html.Node) bool { return n.DataAtom == atom.H1 && p.size[n] > 0 }
	if find(best, h1) != nil {
		p.headings = nil
	} else if h := find(body, h1); h != nil { // the page's heading stands outside
		p.headings = []*html.Node{h}
	}
	if best != body && p.total-p.size[best] > 200 {
		p.left["what stands outside of the main content"] = true
	}
	return best
}

func (p *pruner) largest(n *html.Node, want func(*html.Node) bool) *html.Node {
	var best *html.Node
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode && want(n) && (best == nil || p.size[n] > p.size[best]) {
			best = n
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return best
}

func (p *pruner) notes() []string {
	if len(p.left) == 0 {
		return nil
	}
	var what []string
	for w := range p.left {
		what = append(what, w)
	}
	slices.Sort(what)
	return []string{"Left out of the page: " + strings.Join(what, ", ") + "."}
}
