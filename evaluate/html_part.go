package evaluate

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

// part is what an element of the page is made of: attributes, texts and elements.
// The page is a tree of them and never a string put together, so that no text of a
// set can be taken for markup: html.Render escapes all texts and values. (A template
// would do too, but finds methods by their names, for which the linker then keeps
// every exported method of the program, 3 MB of them.)
type part interface {
	addTo(parent *html.Node)
}

// words are shown as it is, but for what clean takes out.
type words string

func (t words) addTo(parent *html.Node) {
	parent.AppendChild(&html.Node{Type: html.TextNode, Data: clean(string(t))})
}

// wordsf are words with figures in it.
func wordsf(format string, args ...any) words { return words(fmt.Sprintf(format, args...)) }

// attribute is one of the element that it stands in. Its key is never a text of a set.
type attribute struct{ key, value string }

func (a attribute) addTo(parent *html.Node) {
	parent.Attr = append(parent.Attr, html.Attribute{Key: a.key, Val: clean(a.value)})
}

// parts follow each other.
type parts []part

func (list parts) addTo(parent *html.Node) {
	for _, p := range list {
		p.addTo(parent)
	}
}

// each makes parts of the items of a list.
func each[T any](list []T, of func(T) part) parts {
	var made parts
	for _, item := range list {
		made = append(made, of(item))
	}
	return made
}

// element is one with its parts. Its name is never a text of a set, nor one of those whose
// text is not escaped (style, script).
type element struct {
	name string
	parts
}

func (e element) addTo(parent *html.Node) { parent.AppendChild(e.node()) }

func (e element) node() *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: e.name}
	e.parts.addTo(n)
	return n
}

// el is an element within a line.
func el(name string, p ...part) part { return element{name, p} }

// block is an element that ends its line in the file.
func block(name string, p ...part) part { return parts{element{name, p}, words("\n")} }

// nothing is what a run does not have.
var nothing = parts{}

func class(name string) part { return attribute{"class", name} }

func h2(name string, p ...part) part { return block("h2", words(name), parts(p)) }

// table makes a table of rows below the heads of its columns, if any; "#" before one
// says that the column holds numbers.
func table(heads ...string) func(rows ...part) part {
	head := nothing
	if len(heads) > 0 {
		head = parts{tr(each(heads, func(h string) part {
			if n, is := strings.CutPrefix(h, "#"); is {
				return el("th", class("n"), words(n))
			}
			return el("th", words(h))
		}))}
	}
	return func(rows ...part) part { return block("table", head, parts(rows)) }
}

func tr(cells ...part) part { return block("tr", cells...) }

func td(p part) part { return el("td", p) }

// numeric is a cell of a column of numbers.
func numeric(format string, args ...any) part { return el("td", class("n"), wordsf(format, args...)) }
