package office

import (
	"regexp"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Lists are the lists that are open, outermost first.
type Lists struct{ open []list }

type list struct {
	level   int
	ordered bool
	node    *html.Node
}

// decimal is a label that a list of a page can say itself.
var decimal = regexp.MustCompile(`^([0-9]{1,8})\.$`)

// Item adds an item to the list of its level, within the item above it, and gives
// what its text goes to. The label of a bullet is ""; a label that lists of a page
// do not have is written out.
func (l *Lists) Item(p *Page, to *html.Node, level int, label string) *html.Node {
	// A cell of a table is written as one line, which has no lists.
	cell := to.DataAtom == atom.Td || to.DataAtom == atom.Th
	ordered := decimal.MatchString(label) && !cell
	for n := len(l.open); n > 0; n-- {
		if top := l.open[n-1]; top.level < level || top.level == level && top.ordered == ordered {
			break
		}
		l.open = l.open[:n-1]
	}
	if n := len(l.open); n == 0 || l.open[n-1].level < level {
		if n > 0 {
			to = l.open[n-1].node.LastChild
		}
		kind := atom.Ul
		if ordered {
			kind = atom.Ol
		}
		l.open = append(l.open, list{level, ordered, p.Add(to, kind)})
	}
	to = l.open[len(l.open)-1].node
	if ordered {
		return p.Add(to, atom.Li, "value", decimal.FindStringSubmatch(label)[1])
	}
	li := p.Add(to, atom.Li)
	if label != "" {
		p.Text(li, label+" ")
	}
	return li
}

// Last is the item that was added last.
func (l *Lists) Last() *html.Node { return l.open[len(l.open)-1].node.LastChild }

// Close ends all of them.
func (l *Lists) Close() { l.open = nil }

// Open is whether one is.
func (l *Lists) Open() bool { return len(l.open) > 0 }
