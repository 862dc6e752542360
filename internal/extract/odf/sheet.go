package odf

import (
	"io"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
	"github.com/seed-d3156d19/quarry/internal/extract/sheet"
)

// sheets reads the sheets of a spreadsheet, row by row.
func (r *reader) sheets(xml *office.Reader) error {
	for {
		e, err := xml.NextUnless("table:table")
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if e.Name != "table:table" {
			continue
		}
		g := &sheet.Grid{}
		at := &position{}
		if err := r.rows(xml, g, at); err != nil {
			return err
		}
		if r.styles.find("table", e.Attr("table:style-name"), func(st style) bool { return st.shown == "false" }) {
			r.hiddenSheets++
			continue
		}
		g.Finish()
		r.hiddenRows += at.hiddenRows
		r.hiddenColumns += g.HiddenColumns()
		r.page.Text(r.page.Heading(r.page.Body, sheet.HeadingLevel), e.Attr("table:name"))
		if err := sheet.Write(r.page, r.page.Add(r.page.Body, atom.Div), g); err != nil {
			return err
		}
	}
}

// position is where the reading of a sheet is.
type position struct{ row, column, hiddenRows int }

// rows reads to the end of a table or of a group of its rows.
func (r *reader) rows(xml *office.Reader, g *sheet.Grid, at *position) error {
	groups := []string{"table:table-row-group", "table:table-rows", "table:table-header-rows", "table:table-column-group", "table:table-columns", "table:table-header-columns"}
	for depth := 1; depth > 0; {
		e, err := xml.NextUnless(groups...)
		if err == io.EOF {
			depth--
			continue
		}
		if err != nil {
			return err
		}
		switch e.Name {
		case "table:table-column":
			n := repeats(e, "table:number-columns-repeated", sheet.MaxColumns)
			if v := e.Attr("table:visibility"); v == "collapse" || v == "filter" {
				g.HideColumns(at.column, at.column+n-1)
			}
			at.column = min(at.column+n, sheet.MaxColumns)
		case "table:table-row":
			if err := r.row(e, g, at); err != nil {
				return err
			}
		default:
			for _, name := range groups {
				if e.Name == name {
					depth++
				}
			}
		}
	}
	return nil
}

// row puts the cells of a row, as often as it is repeated.
func (r *reader) row(e *office.Element, g *sheet.Grid, at *position) error {
	times := repeats(e, "table:number-rows-repeated", sheet.MaxRows)
	visibility := e.Attr("table:visibility")
	hidden := visibility == "collapse" || visibility == "filter"
	col := 0
	for _, c := range e.Children {
		if c.Name != "table:table-cell" && c.Name != "table:covered-table-cell" {
			continue
		}
		wide := repeats(c, "table:number-columns-repeated", sheet.MaxColumns)
		cell := r.cell(c)
		if cell.Text != "" {
			r.comments += len(c.All("office:annotation"))
		}
		for n := 0; cell.Text != "" && !hidden && n < times; n++ {
			for i := range wide {
				if err := g.Set(at.row+n, col+i, cell); err != nil {
					return err
				}
			}
		}
		down, across := repeats(c, "table:number-rows-spanned", sheet.MaxRows), repeats(c, "table:number-columns-spanned", sheet.MaxColumns)
		if cell.Text != "" && down*across > 1 {
			g.Merge(at.row, col, min(at.row+down, sheet.MaxRows)-1, min(col+across, sheet.MaxColumns)-1)
		}
		col = min(col+wide, sheet.MaxColumns)
	}
	if hidden && strings.TrimSpace(e.String()) != "" {
		for n := range min(times, 1000) {
			at.hiddenRows++
			g.HideRow(at.row + n)
		}
	}
	at.row = min(at.row+times, sheet.MaxRows)
	return nil
}

// cell is what a cell shows: the file keeps it beside the value.
func (r *reader) cell(e *office.Element) sheet.Cell {
	var lines []string
	bold := r.styles.isBold("table-cell", e.Attr("table:style-name"))
	for _, p := range e.All("text:p") {
		line := &inline{reader: r, to: office.NewPage().Body}
		line.children(p)
		if s := strings.TrimSpace(office.Plain(line.to)); s != "" {
			lines = append(lines, s)
		}
	}
	kind := e.Attr("office:value-type")
	return sheet.Cell{Text: strings.Join(lines, " "), Figure: kind != "" && kind != "string" && kind != "boolean", Bold: bold}
}
