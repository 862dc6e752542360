package office

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxPoints is more than a chart shows.
const maxPoints = 10_000

// Chart writes the values that a chart shows as a table (ECMA-376 part 1, 21.2): a
// column for each series, a row for each category, the title as its caption.
func (p *Page) Chart(root *Element, to *html.Node) error {
	var series []*Element
	var collect func(*Element)
	collect = func(e *Element) {
		if e.Name == "c:ser" {
			series = append(series, e)
			return
		}
		for _, c := range e.Children {
			collect(c)
		}
	}
	collect(root)
	title := strings.Join(strings.Fields(root.Find("c:chart").Child("c:title").String()), " ")
	if len(series) == 0 {
		if title != "" {
			p.Text(p.Add(to, atom.P), title)
		}
		return nil
	}
	table := p.Add(to, atom.Table)
	if title != "" {
		p.Text(p.Add(table, atom.Caption), title)
	}
	header := p.Add(p.Add(table, atom.Thead), atom.Tr)
	p.Add(header, atom.Th)
	rows := 0
	var categories map[int]string
	values := make([]map[int]string, len(series))
	for i, s := range series {
		p.Text(p.Add(header, atom.Th), s.Child("c:tx").Find("c:v").String())
		for _, name := range []string{"c:cat", "c:xVal"} {
			if points := pointsOf(s.Child(name)); len(points) > len(categories) {
				categories = points
			}
		}
		if values[i] = pointsOf(s.Child("c:val")); len(values[i]) == 0 {
			values[i] = pointsOf(s.Child("c:yVal"))
		}
		for at := range values[i] {
			rows = max(rows, at+1)
		}
	}
	body := p.Add(table, atom.Tbody)
	for at := range rows {
		tr := p.Add(body, atom.Tr)
		p.Text(p.Add(tr, atom.Td), categories[at])
		for _, v := range values {
			p.Text(p.Add(tr, atom.Td), v[at])
		}
		if err := p.Full(); err != nil {
			return err
		}
	}
	return nil
}

// pointsOf are the values that a file keeps of a series, by their place.
func pointsOf(e *Element) map[int]string {
	out := map[int]string{}
	var walk func(*Element)
	walk = func(e *Element) {
		if e.Name == "c:pt" {
			if at, err := strconv.Atoi(e.Attr("idx")); err == nil && at >= 0 && at < maxPoints {
				s := e.Child("c:v").String()
				if f, err := strconv.ParseFloat(s, 64); err == nil { // of a sheet: 15 figures
					s = strconv.FormatFloat(f, 'g', 15, 64)
				}
				out[at] = s
			}
			return
		}
		for _, c := range e.Children {
			walk(c)
		}
	}
	if e != nil {
		walk(e)
	}
	return out
}
