package office

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxNodes bounds the nodes of a page, of about 112 bytes each: a table of
// 500,000 cells takes two for each.
const maxNodes = 2_500_000

// maxText bounds the bytes of a page's text, of which several copies are held on
// the way to passages: as much as a text file may have.
const maxText = 32 << 20

// Page is what a reader makes of a document: the tree that a web page of the
// same content has. Renderers of pages then give all formats the same shape.
type Page struct {
	Title string
	Body  *html.Node
	// Slides is how many slides or pages were read, and EmptySlides the numbers of those without text.
	Slides      int
	EmptySlides []int

	// Lines are those of a document with pages, page by page, in reading order.
	Lines []Line

	notes  []string
	doubts []string
	nodes  int
	text   int
}

// Line is one that stands on a page.
type Line struct {
	Text string
	Page int
	Box  [4]int // left, top, right, bottom in points
}

// NewPage is an empty one.
func NewPage() *Page {
	return &Page{Body: &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}}
}

// Add puts a new element at the end of another one. attrs are keys and values.
func (p *Page) Add(to *html.Node, a atom.Atom, attrs ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
	for i := 0; i+1 < len(attrs); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: attrs[i], Val: attrs[i+1]})
	}
	p.nodes++
	to.AppendChild(n)
	return n
}

// Text puts text at the end of an element.
func (p *Page) Text(to *html.Node, s string) {
	if s == "" {
		return
	}
	p.nodes++
	p.text += len(s)
	to.AppendChild(&html.Node{Type: html.TextNode, Data: s})
}

// Slide counts the slide of a number whose shapes read adds to the page, and whether it
// has text: a title or what is in its shapes.
func (p *Page) Slide(number int, title string, read func() error) error {
	before := p.text
	err := read()
	p.Slides++
	if title == "" && p.text == before {
		p.EmptySlides = append(p.EmptySlides, number)
	}
	return err
}

// Heading adds a heading of a level, 1 and up; a page knows six.
func (p *Page) Heading(to *html.Node, level int) *html.Node {
	return p.Add(to, []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}[max(0, min(level, 6)-1)])
}

// Mark puts the mark of a note before the first paragraph of its text.
func (p *Page) Mark(note *html.Node, mark string) {
	text := &html.Node{Type: html.TextNode, Data: "[^" + mark + "]: "}
	first := note.FirstChild
	if first == nil || first.DataAtom != atom.P {
		first = p.Add(note, atom.P)
		note.RemoveChild(first)
		note.InsertBefore(first, note.FirstChild)
	}
	first.InsertBefore(text, first.FirstChild)
}

// Full is an error when the page has grown too large to be held in memory.
func (p *Page) Full() error {
	if p.nodes > maxNodes || p.text > maxText {
		return ErrTooLarge
	}
	return nil
}

// Note says what was left out, a sentence.
func (p *Page) Note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// Doubt says why a person should compare the text with the original, a sentence.
func (p *Page) Doubt(format string, args ...any) {
	p.doubts = append(p.doubts, fmt.Sprintf(format, args...))
}

// Doubts are the sentences in their order.
func (p *Page) Doubts() []string { return p.doubts }

// Count notes how many of something were left out, if any.
func (p *Page) Count(n int, what string) {
	if n > 0 {
		p.Note("%s: %d.", what, n)
	}
}

// Notes are the sentences in their order.
func (p *Page) Notes() []string { return p.notes }

// Move gives the children of one node to another.
func Move(from, to *html.Node) {
	for c := from.FirstChild; c != nil; c = from.FirstChild {
		from.RemoveChild(c)
		to.AppendChild(c)
	}
}

// Plain is the text below a node, with line breaks.
func Plain(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case n.DataAtom == atom.Br:
			b.WriteByte('\n')
		case n.DataAtom == atom.Img:
			for _, a := range n.Attr {
				b.WriteString(a.Val)
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return b.String()
}
