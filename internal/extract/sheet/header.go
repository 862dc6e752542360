package sheet

import "strings"

// titleRows counts the rows at the top that hold one cell over a table of
// several columns.
func titleRows(rows [][]Cell) int {
	wide, first := 0, rows[0][0].col
	for _, r := range rows {
		wide = max(wide, len(r))
		first = min(first, r[0].col)
	}
	n := 0
	for n < len(rows) && len(rows[n]) == 1 && !rows[n][0].Figure && (rows[n][0].col == first || rows[n][0].cols > 1) {
		n++
	}
	if wide < 2 && n < len(rows) {
		return 0
	}
	return n
}

// maxHeader is how many rows a header may have.
const maxHeader = 4

// headerRows counts the rows at the top that name the columns: above columns of
// figures, the rows of words; else one row that is bold alone, or that has
// another name for each column.
func headerRows(rows [][]Cell) int {
	if len(rows) < 2 || len(rows[0]) < 2 {
		return 0
	}
	figures := figureColumns(rows)
	n := 0
	for n < len(rows)-1 && n < maxHeader && len(figures) > 0 && names(rows[n], figures, n == 0) {
		n++
	}
	if n > 0 || len(figures) > 0 {
		return n
	}
	if allBold(rows[0]) && !allBold(rows[1]) {
		return 1
	}
	seen := map[string]bool{}
	for _, c := range rows[0] {
		if len(c.Text) > 80 || seen[strings.ToLower(c.Text)] {
			return 0
		}
		seen[strings.ToLower(c.Text)] = true
	}
	// The corner may be empty.
	if n := len(columnsOf(rows)); len(rows[0]) == n || n > 2 && len(rows[0]) == n-1 && rows[0][0].col > rows[1][0].col {
		return 1
	}
	return 0
}

// figureColumns are the columns most of whose cells are figures.
func figureColumns(rows [][]Cell) map[int32]bool {
	all, figures := map[int32]int{}, map[int32]int{}
	for _, row := range rows {
		for _, c := range row {
			if all[c.col]++; c.Figure {
				figures[c.col]++
			}
		}
	}
	out := map[int32]bool{}
	for col, n := range figures {
		if n*2 >= all[col] {
			out[col] = true
		}
	}
	return out
}

// names is whether a row names columns of figures: it has words over one of
// them, and figures over none but years in the first row.
func names(row []Cell, figures map[int32]bool, first bool) bool {
	words := false
	for _, c := range row {
		if c.Figure && !(first && isYear(c.Text)) {
			return false
		}
		for col := c.col; col < c.col+c.cols; col++ {
			words = words || figures[col]
		}
	}
	return words
}

func isYear(s string) bool {
	return len(s) == 4 && s >= "1900" && s <= "2100" && strings.Trim(s, "0123456789") == ""
}

func hasFigure(row []Cell) bool {
	for _, c := range row {
		if c.Figure {
			return true
		}
	}
	return false
}

func allBold(row []Cell) bool {
	for _, c := range row {
		if !c.Bold {
			return false
		}
	}
	return true
}
