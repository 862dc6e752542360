package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// nestedTable writes a table that stands in a cell of another in brackets, rows apart, and
// before each value what its column is called: "(Size: small, Fee: 5; Size: large, Fee: 7)".
func nestedTable(n *html.Node) string {
	var trs []*html.Node
	heads := map[*html.Node]bool{}
	caption := inlineWriter{}
	var walk func(*html.Node, bool)
	walk = func(n *html.Node, head bool) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Caption:
				caption.below(c)
			case atom.Thead, atom.Tbody, atom.Tfoot:
				walk(c, c.DataAtom == atom.Thead)
			case atom.Tr:
				trs = append(trs, c)
				heads[c] = head
			}
		}
	}
	walk(n, false)
	header, body := joinHeaders((&renderer{}).spread(trs, heads))
	if len(body) == 0 {
		body, header = []row{{cells: header}}, nil
	}
	var rows []string
	for _, r := range body {
		var cells []string
		for i, c := range r.cells {
			if c == "" {
				continue
			}
			if i < len(header) && header[i] != "" {
				c = header[i] + ": " + c
			}
			cells = append(cells, c)
		}
		rows = append(rows, strings.Join(cells, ", "))
	}
	said := strings.ReplaceAll(strings.Join(rows, "; "), `\|`, "|") // the cell around it escapes them
	if name := caption.line(); name != "" && said != "" {
		said = name + ": " + said
	}
	if len(body) == 1 && len(body[0].cells) == 1 || said == "" {
		return said // a box around a text
	}
	return "(" + said + ")"
}
