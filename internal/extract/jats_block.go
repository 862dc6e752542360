package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// below adds what n holds, its sections under headings of the given level.
func (j *jats) below(to node, n *html.Node, level int) {
	if n == nil {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			j.block(to, c, level)
		} else {
			j.inline(to, c)
		}
	}
}

// titled adds a part with a heading: its own title, else the one that it has by its
// nature.
func (j *jats) titled(to node, n *html.Node, level int, otherwise string) {
	title := spaced(child(n, "title"))
	if title == "" {
		title = otherwise
	}
	if l := spaced(child(n, "label")); l != "" {
		title = strings.TrimSpace(l + " " + title)
	}
	to.add(heading(level, title))
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != html.ElementNode:
			j.inline(to, c)
		case c.Data != "title" && c.Data != "label":
			j.block(to, c, level+1)
		}
	}
}

var jatsBlocks = map[string]atom.Atom{
	"p": atom.P, "disp-quote": atom.Blockquote, "verse-group": atom.P, "verse-line": atom.P, "statement": atom.Div, "speech": atom.P,
	"list-item": atom.Li, "def-list": atom.Dl, "def-item": atom.Div, "term": atom.Dt, "def": atom.Dd,
	"preformat": atom.Pre, "code": atom.Pre, "attrib": atom.P, "disp-formula": atom.P, "disp-formula-group": atom.Div,
	"table": atom.Table, "thead": atom.Thead, "tbody": atom.Tbody, "tfoot": atom.Tfoot, "tr": atom.Tr, "td": atom.Td, "th": atom.Th,
	"fn": atom.P, "fn-group": atom.Div, "boxed-text": atom.Div, "fig-group": atom.Div, "table-wrap-group": atom.Div, "table-wrap-foot": atom.Div,
	"supplementary-material": atom.P, "question": atom.Div, "answer": atom.Div,
}

// jatsUnread are elements that a reader of the article does not see as text.
var jatsUnread = map[string]bool{"graphic": true, "media": true, "inline-graphic": true, "object-id": true, "alternatives-id": true, "annotation": true,
	"processing-meta": true, "permissions": true, "custom-meta-group": true, "custom-meta": true}

func (j *jats) block(to node, n *html.Node, level int) {
	switch n.Data {
	case "sec", "app", "ack", "notes", "glossary", "bio":
		j.titled(to, n, level, map[string]string{"app": "Appendix", "ack": "Acknowledgements", "notes": "Notes", "glossary": "Glossary"}[n.Data])
	case "app-group":
		j.below(to, n, level)
	case "fn-group", "boxed-text", "fig-group", "table-wrap-group":
		j.titled(to, n, level, "")
	case "title", "subtitle":
		to.add(heading(level, spaced(n)))
	case "list":
		j.list(to, n, level)
	case "table-wrap":
		j.table(to, n, level)
	case "fig", "supplementary-material":
		to.add(paragraph(caption(n)))
	case "ref-list":
		j.references(to, n)
	default:
		a := jatsBlocks[n.Data]
		if a == 0 {
			j.inline(to, n)
			return
		}
		e := element(a)
		for _, key := range []string{"colspan", "rowspan"} {
			if v := attr(n, key); v != "" {
				e.Attr = append(e.Attr, html.Attribute{Key: key, Val: v})
			}
		}
		j.below(e, n, level)
		to.add(e)
	}
}

func (j *jats) list(to node, n *html.Node, level int) {
	e := element(atom.Ul)
	if t := attr(n, "list-type"); t != "" && t != "bullet" && t != "simple" {
		e = element(atom.Ol)
		if style := map[string]string{"alpha-lower": "a", "alpha-upper": "A", "roman-lower": "i", "roman-upper": "I"}[t]; style != "" {
			e.Attr = append(e.Attr, html.Attribute{Key: "type", Val: style})
		}
	}
	for c := firstElement(n); c != nil; c = nextElement(c) {
		li := element(atom.Li)
		for i := c.FirstChild; i != nil; i = i.NextSibling {
			if i.Type == html.ElementNode && i.Data == "label" { // the number that the list gives it
				continue
			}
			j.block(li, i, level)
		}
		e.add(li)
	}
	to.add(e)
}

// caption is a figure's or table's label and what it says.
func caption(n *html.Node) string {
	label := strings.TrimRight(spaced(child(n, "label")), ".:")
	var parts []string
	for c := firstElement(child(n, "caption")); c != nil; c = nextElement(c) {
		if s := spaced(c); s != "" {
			parts = append(parts, s)
		}
	}
	said := strings.Join(parts, " ")
	if label != "" && said != "" {
		return label + ". " + said
	}
	return label + said
}

// table puts the label and the caption into the table, and its notes below.
func (j *jats) table(to node, n *html.Node, level int) {
	said := caption(n)
	for c := firstElement(n); c != nil; c = nextElement(c) {
		switch c.Data {
		case "label", "caption":
			continue
		case "alternatives":
			j.below(to, c, level)
		default:
			j.block(to, c, level)
		}
		if t := to.LastChild; said != "" && t != nil && t.DataAtom == atom.Table {
			t.InsertBefore(element(atom.Caption).text(said).Node, t.FirstChild)
			said = ""
		}
	}
	to.add(paragraph(said)) // of a table that is a picture
}

var jatsInline = map[string]atom.Atom{"bold": atom.B, "italic": atom.I, "sup": atom.Sup, "sub": atom.Sub, "monospace": atom.Code, "break": atom.Br}

// inline adds text and what is set within a line. Of a formula its TeX counts, where
// it has one.
func (j *jats) inline(to node, n *html.Node) {
	if n.Type == html.TextNode {
		to.text(n.Data)
		return
	}
	if n.Type != html.ElementNode || jatsUnread[n.Data] {
		return
	}
	switch n.Data {
	case "tex-math":
		to.text(texBody(textOf(n)))
		return
	case "math":
		to.text(" " + spaced(n) + " ")
		return
	case "alternatives":
		if t := child(n, "tex-math"); t != nil {
			j.inline(to, t)
			return
		}
	case "ext-link", "uri", "email":
		e := element(atom.A)
		if href := attr(n, "href"); href != "" {
			e.Attr = append(e.Attr, html.Attribute{Key: "href", Val: href})
		}
		j.below(e, n, maxLevel)
		to.add(e)
		return
	}
	e := element(atom.Span)
	if a := jatsInline[n.Data]; a != 0 {
		e = element(a)
	}
	j.below(e, n, maxLevel)
	to.add(e)
}

// texBody is a formula without the document that some publishers wrap it in.
func texBody(s string) string {
	if _, body, ok := strings.Cut(s, `\begin{document}`); ok {
		s, _, _ = strings.Cut(body, `\end{document}`)
	}
	return oneLine(s)
}
