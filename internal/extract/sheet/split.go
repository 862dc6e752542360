package sheet

import (
	"cmp"
	"slices"
)

// maxCuts bounds how often a region is cut again, rows and columns in turn.
const maxCuts = 12

// extent is the rectangle that cells take, its ends excluded.
type extent struct{ row, col, toRow, toCol int32 }

func extentOf(cells []Cell) extent {
	e := extent{cells[0].row, cells[0].col, 0, 0}
	for _, c := range cells {
		e.row, e.col = min(e.row, c.row), min(e.col, c.col)
		e.toRow, e.toCol = max(e.toRow, c.row+c.rows), max(e.toCol, c.col+c.cols)
	}
	return e
}

// regions cuts the cells at rows, then columns, then rows again that are empty
// throughout: each region is one table, from the top and the left.
func regions(cells []Cell) [][]Cell {
	if len(cells) == 0 {
		return nil
	}
	var out [][]Cell
	var split func(cells []Cell, byRows, stuck bool, left int)
	split = func(cells []Cell, byRows, stuck bool, left int) {
		parts := cut(cells, byRows)
		switch {
		case len(parts) == 1 && (stuck || left == 0), left == 0:
			out = append(out, cells)
		case len(parts) == 1:
			split(cells, !byRows, true, left-1)
		default:
			for _, p := range parts {
				split(p, !byRows, false, left-1)
			}
		}
	}
	split(cells, true, false, maxCuts)
	return out
}

// cut cuts cells at empty rows or columns. Every part is in order of place.
func cut(cells []Cell, byRows bool) [][]Cell {
	start := func(c Cell) int32 { return c.col }
	end := func(c Cell) int32 { return c.col + c.cols }
	if byRows {
		start = func(c Cell) int32 { return c.row }
		end = func(c Cell) int32 { return c.row + c.rows }
	} else {
		cells = slices.Clone(cells)
		slices.SortStableFunc(cells, func(a, b Cell) int { return cmp.Compare(a.col, b.col) })
	}
	var parts [][]Cell
	from, reached := 0, end(cells[0])
	for i, c := range cells {
		if start(c) > reached {
			parts = append(parts, cells[from:i])
			from = i
		}
		reached = max(reached, end(c))
	}
	parts = append(parts, cells[from:])
	if !byRows {
		for _, p := range parts {
			slices.SortFunc(p, byPlace)
		}
	}
	return join(parts, byRows)
}

// join puts parts together again that an empty row or column only spaces: a
// column of labels with the figures right of it, a table's rows with more of
// them below that have no header of their own.
func join(parts [][]Cell, byRows bool) [][]Cell {
	out := parts[:1]
	for _, p := range parts[1:] {
		last := len(out) - 1
		if byRows && continues(out[last], p) || !byRows && labels(out[last], p) {
			out[last] = append(slices.Clone(out[last]), p...)
			slices.SortFunc(out[last], byPlace)
			continue
		}
		out = append(out, p)
	}
	return out
}

func labels(left, right []Cell) bool {
	a, b := extentOf(left), extentOf(right)
	shared := min(a.toRow, b.toRow) - max(a.row, b.row)
	return a.toCol-a.col == 1 && len(left) > 1 && shared*5 >= (b.toRow-b.row)*4
}

func continues(upper, lower []Cell) bool {
	a, b := extentOf(upper), extentOf(lower)
	if a.col != b.col || a.toCol != b.toCol || a.toCol-a.col < 2 {
		return false
	}
	// A few rows tell whether a part has a header.
	return headerRows(rowsOf(upper[:min(len(upper), 2000)])) > 0 && headerRows(rowsOf(lower[:min(len(lower), 2000)])) == 0 && hasFigure(rowsOf(lower)[0])
}
