package docx

import (
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// maxColumns is more than Word allows (63).
const maxColumns = 1000

// cell is a cell where it stands on the grid.
type cell struct {
	body   *office.Element
	at     int // its first column
	span   int
	merges string // "restart" begins cells merged downwards, "continue" goes on
}

type tableRow struct {
	cells  []cell
	header bool
}

// table writes a table. A cell that goes on downwards is the one it began with.
func (r *reader) table(e *office.Element, f *flow) error {
	rows := tableRows(e, nil)
	heads := 0
	for heads < len(rows) && rows[heads].header {
		heads++
	}
	if heads == 0 && r.headed(e, rows) {
		heads = 1
	}
	t := r.page.Add(f.to, atom.Table)
	part := t
	deep := depths(rows)
	for i, row := range rows {
		switch {
		case i == 0 && heads > 0:
			part = r.page.Add(t, atom.Thead)
		case i == heads:
			part = r.page.Add(t, atom.Tbody)
		}
		tr := r.page.Add(part, atom.Tr)
		at := 0
		for j, c := range row.cells {
			for ; at < c.at; at++ {
				r.page.Add(tr, atom.Td)
			}
			at = c.at + c.span
			if c.merges == "continue" && deep[i][j] == 0 {
				continue
			}
			if err := r.cell(c, max(deep[i][j], 1), i < heads, tr, f); err != nil {
				return err
			}
		}
	}
	r.end(f) // sets the notes of its cells
	return nil
}

func (r *reader) cell(c cell, deep int, head bool, tr *html.Node, f *flow) error {
	kind := atom.Td
	if head {
		kind = atom.Th
	}
	var attrs []string
	if c.span > 1 {
		attrs = append(attrs, "colspan", strconv.Itoa(c.span))
	}
	if deep > 1 {
		attrs = append(attrs, "rowspan", strconv.Itoa(deep))
	}
	own := &flow{to: r.page.Add(tr, kind, attrs...), cell: true}
	if err := r.blocks(c.body, own); err != nil {
		return err
	}
	f.pending = append(f.pending, own.pending...)
	return nil
}

// tableRows collects the rows, also those within content controls and
// insertions; a deleted row is none.
func tableRows(e *office.Element, rows []tableRow) []tableRow {
	if e == nil {
		return rows
	}
	for _, c := range e.Children {
		switch c.Name {
		case "w:tr":
			trPr := c.Child("w:trPr")
			if trPr.Child("w:del") != nil {
				continue
			}
			head, _ := toggled(trPr, "w:tblHeader")
			row := tableRow{header: head}
			at := number(trPr.Child("w:gridBefore"), 0)
			row.cells, _ = rowCells(c, at, nil)
			rows = append(rows, row)
		case "w:sdt":
			rows = tableRows(c.Child("w:sdtContent"), rows)
		case "w:customXml", "w:ins":
			rows = tableRows(c, rows)
		}
	}
	return rows
}

func rowCells(e *office.Element, at int, cells []cell) ([]cell, int) {
	if e == nil {
		return cells, at
	}
	for _, c := range e.Children {
		switch c.Name {
		case "w:tc":
			tcPr := c.Child("w:tcPr")
			one := cell{body: c, at: at, span: max(1, number(tcPr.Child("w:gridSpan"), 1))}
			if m := tcPr.Child("w:vMerge"); m != nil {
				if one.merges = "continue"; m.Attr("w:val") == "restart" {
					one.merges = "restart"
				}
			}
			cells = append(cells, one)
			at += one.span
		case "w:sdt":
			cells, at = rowCells(c.Child("w:sdtContent"), at, cells)
		case "w:customXml":
			cells, at = rowCells(c, at, cells)
		}
	}
	return cells, at
}

func number(e *office.Element, absent int) int {
	v, err := strconv.Atoi(e.Attr("w:val"))
	if err != nil || v < 0 {
		return absent
	}
	return min(v, maxColumns)
}

// depths gives for each cell over how many rows it reaches; 0 for one that is
// part of a cell above. A cell that goes on where none began begins one.
func depths(rows []tableRow) [][]int {
	type origin struct{ row, cell int }
	out := make([][]int, len(rows))
	open := map[int]origin{} // by column
	for i, row := range rows {
		out[i] = make([]int, len(row.cells))
		next := map[int]origin{}
		for j, c := range row.cells {
			from, ok := open[c.at]
			if c.merges == "continue" && ok {
				out[from.row][from.cell]++
				next[c.at] = from
				continue
			}
			out[i][j] = 1
			if c.merges != "" {
				next[c.at] = origin{i, j}
			}
		}
		open = next
	}
	return out
}
