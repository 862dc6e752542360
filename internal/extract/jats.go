package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isJATS recognises an article of the Journal Article Tag Suite (ANSI/NISO Z39.96).
func isJATS(root *html.Node) bool { return root.Data == "article" && child(root, "front") != nil }

// extractJATS makes the page that a reader of the article sees, for the renderer of
// pages: title, who wrote it where, abstract, sections, notes, and references last.
func extractJATS(root *html.Node) (Extracted, error) {
	j := &jats{}
	page := element(atom.Body)
	meta := first(root, "front", "article-meta")
	title := spaced(first(meta, "title-group", "article-title"))
	page.add(heading(1, title))
	page.add(paragraph(j.authors(meta)))
	page.add(paragraph(affiliations(meta)))
	page.add(paragraph(j.published(root, meta)))
	for _, a := range children(meta, "abstract", "trans-abstract") {
		j.titled(page, a, 2, "Abstract")
	}
	for _, k := range children(meta, "kwd-group") {
		page.add(paragraph(listed("Keywords: ", children(k, "kwd"))))
	}
	j.below(page, child(root, "body"), 2)
	j.below(page, child(root, "floats-group"), 2)
	for _, s := range children(root, "sub-article", "response") {
		t := spaced(first(s, "front-stub", "title-group", "article-title"))
		page.add(heading(2, t))
		j.below(page, child(s, "body"), 3)
	}
	back := child(root, "back")
	for c := firstElement(back); c != nil; c = nextElement(c) {
		if c.Data != "ref-list" {
			j.block(page, c, 2)
		}
	}
	for _, r := range children(back, "ref-list") {
		j.references(page, r)
	}
	r := &renderer{}
	x := fromMarkdown(formatJATS, r.page(page.Node, nil))
	if title != "" {
		x.Title = title
	}
	x.Notes = r.notes()
	return x, nil
}

// jats makes the page.
type jats struct{}

// node is a node of the page that is made.
type node struct{ *html.Node }

func element(a atom.Atom) node {
	return node{&html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}}
}

func (n node) add(c node) {
	if c.Node != nil {
		n.AppendChild(c.Node)
	}
}

func (n node) text(s string) node {
	n.AppendChild(&html.Node{Type: html.TextNode, Data: s})
	return n
}

func heading(level int, s string) node {
	if s == "" {
		return node{}
	}
	return element([]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}[min(level, maxLevel)-1]).text(s)
}

func paragraph(s string) node {
	if s == "" {
		return node{}
	}
	return element(atom.P).text(s)
}

func firstElement(n *html.Node) *html.Node {
	if n == nil {
		return nil
	}
	if c := n.FirstChild; c == nil || c.Type == html.ElementNode {
		return c
	}
	return nextElement(n.FirstChild)
}

func nextElement(n *html.Node) *html.Node {
	for n = n.NextSibling; n != nil && n.Type != html.ElementNode; n = n.NextSibling {
	}
	return n
}

func children(n *html.Node, names ...string) []*html.Node {
	var out []*html.Node
	for c := firstElement(n); c != nil; c = nextElement(c) {
		for _, name := range names {
			if c.Data == name {
				out = append(out, c)
			}
		}
	}
	return out
}

func child(n *html.Node, name string) *html.Node {
	for c := firstElement(n); c != nil; c = nextElement(c) {
		if c.Data == name {
			return c
		}
	}
	return nil
}

// first goes down from child to child.
func first(n *html.Node, names ...string) *html.Node {
	for _, name := range names {
		n = child(n, name)
	}
	return n
}

// spaced is the text of an element on one line.
func spaced(n *html.Node) string {
	if n == nil {
		return ""
	}
	return oneLine(textOf(n))
}

func listed(lead string, nodes []*html.Node) string {
	var parts []string
	for _, n := range nodes {
		if s := spaced(n); s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return lead + strings.Join(parts, ", ")
}

func (j *jats) authors(meta *html.Node) string {
	var names []string
	for _, c := range authorsOf(meta) {
		name := strings.TrimSpace(spaced(first(c, "name", "given-names")) + " " + spaced(first(c, "name", "surname")))
		if name == "" {
			name = spaced(child(c, "collab"))
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func authorsOf(meta *html.Node) []*html.Node {
	var out []*html.Node
	for _, g := range children(meta, "contrib-group") {
		for _, c := range children(g, "contrib") {
			if t := attr(c, "contrib-type"); t == "" || t == "author" {
				out = append(out, c)
			}
		}
	}
	return out
}

// affiliations says where the authors work: what they refer to, or what stands with them.
func affiliations(meta *html.Node) string {
	byID := map[string]*html.Node{}
	for _, in := range append(children(meta, "contrib-group"), meta) {
		for _, a := range children(in, "aff") {
			byID[attr(a, "id")] = a
		}
	}
	var said []string
	seen := map[*html.Node]bool{nil: true}
	add := func(a *html.Node) {
		if seen[a] {
			return
		}
		seen[a] = true
		var parts []string
		for c := a.FirstChild; c != nil; c = c.NextSibling {
			if s := strings.Trim(oneLine(textOf(c)), " ,;"); s != "" && c.Data != "label" {
				parts = append(parts, s)
			}
		}
		if len(parts) > 0 {
			said = append(said, strings.Join(parts, ", "))
		}
	}
	for _, c := range authorsOf(meta) {
		for _, a := range children(c, "aff") {
			add(a)
		}
		for _, x := range children(c, "xref") {
			if attr(x, "ref-type") == "aff" {
				add(byID[attr(x, "rid")])
			}
		}
	}
	return strings.Join(said, "; ")
}

// published says where and when, and the DOI.
func (j *jats) published(root, meta *html.Node) string {
	journal := spaced(first(root, "front", "journal-meta", "journal-title-group", "journal-title"))
	if journal == "" {
		journal = spaced(first(root, "front", "journal-meta", "journal-title"))
	}
	parts := []string{journal, spaced(first(meta, "pub-date", "year"))}
	for _, id := range children(meta, "article-id") {
		if attr(id, "pub-id-type") == "doi" {
			parts = append(parts, "doi:"+spaced(id))
		}
	}
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, ", ")
}

// references lists what is cited, an item each.
func (j *jats) references(page node, list *html.Node) {
	title := spaced(child(list, "title"))
	if title == "" {
		title = "References"
	}
	page.add(heading(2, title))
	ul := element(atom.Ul)
	for _, ref := range children(list, "ref") {
		label := spaced(child(ref, "label"))
		for c := firstElement(ref); c != nil; c = nextElement(c) {
			if c.Data == "label" {
				continue
			}
			if s := strings.TrimSpace(label + " " + citation(c)); s != "" {
				ul.add(element(atom.Li).text(s))
			}
			label = ""
		}
	}
	page.add(ul)
	for _, inner := range children(list, "ref-list") {
		j.references(page, inner)
	}
}

// citation is the text of a reference: mixed ones are punctuated, of others the
// elements are listed.
func citation(n *html.Node) string {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && !blank(c.Data) {
			return oneLine(cited(n))
		}
	}
	var parts []string
	for c := firstElement(n); c != nil; c = nextElement(c) {
		if s := oneLine(cited(c)); s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return spaced(n)
	}
	return strings.Join(parts, ". ")
}

// cited is the text below n with the parts of names apart, which have often nothing
// between them.
func cited(n *html.Node) string {
	switch n.Data {
	case "name", "string-name":
		return joinText(n)
	case "person-group":
		if n.FirstChild != nil && n.FirstChild.Type == html.ElementNode {
			var names []string
			for c := firstElement(n); c != nil; c = nextElement(c) {
				names = append(names, strings.TrimSpace(cited(c)))
			}
			return strings.Join(names, ", ")
		}
	}
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(cited(c))
	}
	return b.String()
}

// joinText is the text of elements with a space between them.
func joinText(n *html.Node) string {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && !blank(c.Data) {
			return spaced(n)
		}
	}
	var parts []string
	for c := firstElement(n); c != nil; c = nextElement(c) {
		parts = append(parts, spaced(c))
	}
	return strings.Join(parts, " ")
}
