package sheet

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// Write puts the tables of a sheet below a node. Lines that stand alone over a
// table are its title.
func Write(page *office.Page, to *html.Node, g *Grid) error {
	var titles []string
	parts := regions(g.cells)
	for i, cells := range parts {
		if i+1 < len(parts) && heads(cells, parts[i+1]) {
			for _, c := range cells {
				titles = append(titles, c.Text)
			}
			continue
		}
		if err := write(page, to, titles, rowsOf(cells)); err != nil {
			return err
		}
		titles = nil
	}
	return page.Full()
}

// heads is whether cells are a title: a few lines of words right above a table, or
// above other lines over it.
func heads(upper, lower []Cell) bool {
	a, b := extentOf(upper), extentOf(lower)
	table := b.toRow-b.row > 1 && b.toCol-b.col > 1
	return isLines(upper) && (table || isLines(lower)) && b.row-a.toRow <= 2 && b.row >= a.toRow && a.col < b.toCol && a.toCol > b.col
}

func isLines(cells []Cell) bool {
	for _, c := range cells {
		if c.Figure || c.col != cells[0].col || len(c.Text) > 200 {
			return false
		}
	}
	return len(cells) <= 3
}

// rowsOf groups cells that are in order of place.
func rowsOf(cells []Cell) [][]Cell {
	var rows [][]Cell
	from := 0
	for i := range cells {
		if i+1 == len(cells) || cells[i+1].row != cells[i].row {
			rows = append(rows, cells[from:i+1])
			from = i + 1
		}
	}
	return rows
}

func write(page *office.Page, to *html.Node, titles []string, rows [][]Cell) error {
	n := titleRows(rows)
	for _, row := range rows[:n] {
		titles = append(titles, row[0].Text)
	}
	if n == len(rows) {
		for _, s := range titles {
			page.Text(page.Add(to, atom.P), s)
		}
		return nil
	}
	table := page.Add(to, atom.Table)
	if len(titles) > 0 {
		page.Text(page.Add(table, atom.Caption), strings.Join(titles, "; "))
	}
	rows = rows[n:]
	w := tableWriter{page: page, rows: rows, columns: columnsOf(rows), reached: map[int]int32{}}
	header := headerRows(rows)
	part := page.Add(table, atom.Thead)
	for i := range rows {
		if i == header {
			part = page.Add(table, atom.Tbody)
		}
		if err := page.Full(); err != nil {
			return err
		}
		w.row(page.Add(part, atom.Tr), i, i < header)
	}
	return nil
}

// columnsOf numbers the columns in which something begins: what only spaces is
// no column of the table.
func columnsOf(rows [][]Cell) map[int32]int {
	used := map[int32]bool{}
	least, most := rows[0][0].col, int32(0)
	for _, row := range rows {
		for _, c := range row {
			used[c.col] = true
			least, most = min(least, c.col), max(most, c.col)
		}
	}
	columns := map[int32]int{}
	for col := least; col <= most; col++ {
		if used[col] {
			columns[col] = len(columns)
		}
	}
	return columns
}

// tableWriter writes the rows of a table from the top.
type tableWriter struct {
	page    *office.Page
	rows    [][]Cell
	columns map[int32]int
	reached map[int]int32 // the row before which a column is taken by a cell above
}

func (w *tableWriter) row(tr *html.Node, i int, header bool) {
	kind := atom.Td
	if header {
		kind = atom.Th
	}
	row := w.rows[i]
	taken := func(at int) bool { return w.reached[at] > row[0].row }
	at := 0
	for _, c := range row {
		for ; at < w.columns[c.col]; at++ {
			if !taken(at) {
				w.page.Add(tr, kind)
			}
		}
		if at > w.columns[c.col] || taken(at) { // two cells at one place: a damaged sheet
			continue
		}
		wide, deep := 1, 1
		for col := c.col + 1; col < c.col+c.cols; col++ {
			if _, ok := w.columns[col]; ok && !taken(at+wide) {
				wide++
			}
		}
		for i+deep < len(w.rows) && w.rows[i+deep][0].row < c.row+c.rows {
			deep++
		}
		var attrs []string
		if wide > 1 {
			attrs = append(attrs, "colspan", strconv.Itoa(wide))
		}
		if deep > 1 {
			attrs = append(attrs, "rowspan", strconv.Itoa(deep))
			for n := range wide {
				w.reached[at+n] = c.row + c.rows
			}
		}
		w.page.Text(w.page.Add(tr, kind, attrs...), c.Text)
		at += wide
	}
}
