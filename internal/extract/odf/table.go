package odf

import (
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// maxRepeats bounds how often a cell or row of a text table is repeated.
const maxRepeats = 200

type tableRow struct {
	cells  []*office.Element
	header bool
}

// table writes a table of a text or a slide.
func (r *reader) table(e *office.Element, f *flow) error {
	rows := tableRows(e, false, nil)
	heads := 0
	for heads < len(rows) && rows[heads].header {
		heads++
	}
	if heads == 0 && len(rows) > 1 && (isTrue(e.Attr("table:use-first-row-styles")) || r.heading(rows[0]) && !r.heading(rows[1])) {
		heads = 1
	}
	t := r.page.Add(f.to, atom.Table)
	part := r.page.Add(t, atom.Thead)
	for i, row := range rows {
		if i == heads {
			part = r.page.Add(t, atom.Tbody)
		}
		tr := r.page.Add(part, atom.Tr)
		kind := atom.Td
		if i < heads {
			kind = atom.Th
		}
		for _, c := range row.cells {
			for range repeats(c, "table:number-columns-repeated", maxRepeats) {
				var attrs []string
				if n := c.Attr("table:number-columns-spanned"); n != "" {
					attrs = append(attrs, "colspan", n)
				}
				if n := c.Attr("table:number-rows-spanned"); n != "" {
					attrs = append(attrs, "rowspan", n)
				}
				own := &flow{to: r.page.Add(tr, kind, attrs...), cell: true}
				if err := r.blocks(c, own); err != nil {
					return err
				}
				f.pending = append(f.pending, own.pending...)
			}
		}
	}
	r.end(f)
	return nil
}

// tableRows collects the rows; covered cells are those that others span.
func tableRows(e *office.Element, header bool, rows []tableRow) []tableRow {
	for _, c := range e.Children {
		switch c.Name {
		case "table:table-header-rows":
			rows = tableRows(c, true, rows)
		case "table:table-rows", "table:table-row-group":
			rows = tableRows(c, header, rows)
		case "table:table-row":
			row := tableRow{cells: c.All("table:table-cell"), header: header}
			for range repeats(c, "table:number-rows-repeated", maxRepeats) {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

func repeats(e *office.Element, attr string, most int) int {
	n, err := strconv.Atoi(e.Attr(attr))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, most)
}

// heading is whether all text of a row is styled as the heading of a table or is
// bold.
func (r *reader) heading(row tableRow) bool {
	any := false
	for _, c := range row.cells {
		for _, p := range c.All("text:p") {
			if strings.TrimSpace(p.String()) == "" {
				continue
			}
			any = true
			style := p.Attr("text:style-name")
			if r.styles.isNamed(style, "Table Heading") || r.styles.isBold("paragraph", style) {
				continue
			}
			for _, part := range p.Children {
				if strings.TrimSpace(part.String()) != "" && !r.styles.isBold("text", part.Attr("text:style-name")) {
					return false
				}
			}
		}
	}
	return any
}
