package extract

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxSpan     = 1000 // what HTML allows a cell to span
	maxRepeated = 1000 // bytes of a cell that is repeated in what it spans
	maxSpread   = 1 << 20
)

// row is a row of a table with spans spread out.
type row struct {
	cells  []string
	header bool
	whole  bool // one cell across the table
}

// table renders a table of data as one of pipes: cells that span rows or columns
// are repeated in each, several header rows become one. A table that only lays
// out the page is rendered as what its cells hold.
func (r *renderer) table(n *html.Node, depth int) []string {
	var caption string
	var trs []*html.Node
	heads := map[*html.Node]bool{}
	nested, inner := false, 0
	var walk func(*html.Node, bool)
	walk = func(n *html.Node, head bool) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Caption:
				w := inlineWriter{}
				w.below(c)
				caption = w.line()
			case atom.Thead:
				walk(c, true)
			case atom.Tbody, atom.Tfoot:
				walk(c, false)
			case atom.Tr:
				trs = append(trs, c)
				heads[c] = head
				if t := find(c, func(n *html.Node) bool { return n.DataAtom == atom.Table }); t != nil {
					nested, inner = true, inner+len(textOf(t))
				}
			}
		}
	}
	walk(n, false)
	// Tables that hold most of what a table holds are laid out by it.
	nested = nested && inner*2 > len(textOf(n))
	rows := r.spread(trs, heads)
	if layout(n, rows, nested) {
		var out []string
		if caption != "" {
			out = append(out, escapeStart(caption))
		}
		for _, tr := range trs {
			for td := tr.FirstChild; td != nil; td = td.NextSibling {
				out = append(out, r.children(td, depth)...)
			}
		}
		return out
	}
	header, body := joinHeaders(rows)
	if len(header) == 0 && len(body) == 0 {
		return nil
	}
	var out []string
	if caption != "" {
		if !captionLike.MatchString(caption) {
			caption = "Table: " + caption
		}
		out = append(out, caption)
	}
	return append(out, inParts(header, body)...)
}

// maxTable bounds the bytes of a table: a longer one continues in another with
// the same header. The Markdown parser cuts a block beyond maxWindow, and the rest
// of a table is none without its header.
const maxTable = 256 << 10

func inParts(header []string, body []row) []string {
	var out []string
	from, size := 0, 0
	for i, r := range body {
		for _, c := range r.cells {
			size += len(c) + 3
		}
		if size > maxTable && i > from {
			out = append(out, pipes(header, body[from:i]))
			from, size = i, 0
		}
	}
	return append(out, pipes(header, body[from:]))
}

// layout is whether a table has no data: it says so, or it holds tables, or it
// is one column or one row without a header.
func layout(n *html.Node, rows []row, nested bool) bool {
	if role := attr(n, "role"); role == "presentation" || role == "none" {
		return true
	}
	widest, header := 0, false
	for _, r := range rows {
		widest = max(widest, len(r.cells))
		header = header || r.header
	}
	return nested && !header || !header && (widest < 2 || len(rows) < 2)
}

// spread lays the cells out on a grid.
func (r *renderer) spread(trs []*html.Node, heads map[*html.Node]bool) []row {
	type pending struct {
		text string
		rows int
	}
	var rows []row
	down := map[int]pending{} // column: what reaches down into it
	budget := maxSpread
	for i, tr := range trs {
		var cur row
		allTH, any := true, false
		reach := func() {
			for {
				p, ok := down[len(cur.cells)]
				if !ok {
					return
				}
				col := len(cur.cells)
				cur.cells = append(cur.cells, p.text)
				if p.rows--; p.rows == 0 {
					delete(down, col)
				} else {
					down[col] = p
				}
			}
		}
		for td := tr.FirstChild; td != nil; td = td.NextSibling {
			if td.DataAtom != atom.Td && td.DataAtom != atom.Th {
				continue
			}
			any = true
			allTH = allTH && td.DataAtom == atom.Th
			reach()
			w := inlineWriter{cell: true}
			w.below(td)
			text := strings.ReplaceAll(w.line(), "|", `\|`)
			cols, deep := span(td, "colspan"), min(span(td, "rowspan"), len(trs)-i)
			again := text
			whole := cols > 1 && only(td) && len(cur.cells)+len(down) == 0 // a title across the table
			cur.whole = whole
			if len(text) > maxRepeated || whole {
				again = ""
			}
			if budget -= (cols * deep) - 1; budget < 0 {
				cols, deep, r.unspread = 1, 1, true
			}
			for c := range cols {
				if c > 0 {
					text = again
				}
				if deep > 1 {
					down[len(cur.cells)] = pending{again, deep - 1}
				}
				cur.cells = append(cur.cells, text)
			}
		}
		reach()
		cur.header = heads[tr] || any && allTH
		if strings.Join(cur.cells, "") != "" {
			rows = append(rows, cur)
		}
	}
	return rows
}

func span(td *html.Node, key string) int {
	v, err := strconv.Atoi(strings.TrimSpace(attr(td, key)))
	switch {
	case err != nil || v < 0:
		return 1
	case v == 0 && key == "rowspan": // to the end of the table
		return maxSpan
	}
	return max(1, min(v, maxSpan))
}

// only is whether a cell is alone in its row.
func only(td *html.Node) bool {
	for _, dir := range []func(*html.Node) *html.Node{
		func(n *html.Node) *html.Node { return n.PrevSibling }, func(n *html.Node) *html.Node { return n.NextSibling }} {
		for s := dir(td); s != nil; s = dir(s) {
			if s.Type == html.ElementNode {
				return false
			}
		}
	}
	return true
}

// joinHeaders makes the header rows at the top into one: "2026 / Q1". A header
// row further down is a row like others.
func joinHeaders(rows []row) (header []string, body []row) {
	n := 0
	// A narrower row is a row whose only cells so far are its own headings.
	for n < len(rows) && rows[n].header && len(rows[n].cells) >= len(rows[0].cells) && n < 8 {
		n++
	}
	if n == len(rows) && n > 1 { // all of them: the first heads the others
		n = 1
	}
	for _, r := range rows[:n] {
		for i, c := range r.cells {
			if r.whole && n == 1 { // it names every column, as no other row does
				c = r.cells[0]
			}
			switch {
			case i >= len(header):
				header = append(header, c)
			case c == "" || header[i] == c || strings.HasSuffix(header[i], " / "+c):
			case header[i] == "":
				header[i] = c
			default:
				header[i] += " / " + c
			}
		}
	}
	return header, rows[n:]
}

// pipes writes the rows. Markdown has no table without a header row: an absent
// one is written as a row of empty cells, never invented.
func pipes(header []string, body []row) string {
	width := len(header)
	for _, r := range body {
		width = max(width, len(r.cells))
	}
	var b strings.Builder
	b.WriteString("|")
	for i := range width {
		c := ""
		if i < len(header) {
			c = header[i]
		}
		b.WriteString(" " + c + " |")
	}
	b.WriteString("\n|" + strings.Repeat(" --- |", width))
	for _, r := range body {
		b.WriteString("\n|")
		for _, c := range r.cells {
			b.WriteString(" " + c + " |")
		}
	}
	return b.String()
}
