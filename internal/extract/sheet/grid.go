// Package sheet makes tables of the cells of a spreadsheet, whatever its format:
// which cells are one table, which of its rows are its header, what is its title.
package sheet

import (
	"cmp"
	"slices"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// The size of a sheet, as Excel has it.
const (
	MaxRows    = 1 << 20
	MaxColumns = 1 << 14
	// maxCells bounds the cells that hold something: what a page can hold.
	maxCells  = 1_200_000
	maxMerges = 200_000
)

// HeadingLevel is the level of a sheet's name. The level above is the title's,
// which a sheet's name is not.
const HeadingLevel = 2

// Cell is a cell that shows something.
type Cell struct {
	Text   string
	Figure bool // a number, a date or a time
	Bold   bool

	row, col   int32
	rows, cols int32
}

// Grid is a sheet while it is read, then its cells that are shown.
type Grid struct {
	cells   []Cell
	merges  []merge
	hidden  [MaxColumns]bool
	rowsOut []int32 // hidden rows
	columns int     // hidden columns that hold something
}

type merge struct{ row, col, toRow, toCol int32 }

// Set puts a cell at a row and column, from 0.
func (g *Grid) Set(row, col int, c Cell) error {
	if row < 0 || row >= MaxRows || col < 0 || col >= MaxColumns {
		return nil
	}
	if len(g.cells) >= maxCells {
		return office.ErrTooLarge
	}
	c.row, c.col, c.rows, c.cols = int32(row), int32(col), 1, 1
	g.cells = append(g.cells, c)
	return nil
}

// HideRow and HideColumns leave out what lies in them.
func (g *Grid) HideRow(row int) { g.rowsOut = append(g.rowsOut, int32(row)) }

// HideColumns hides a range of columns.
func (g *Grid) HideColumns(from, to int) {
	for i := max(from, 0); i <= min(to, MaxColumns-1); i++ {
		g.hidden[i] = true
	}
}

// Merge makes one cell of a range; the cell at its head shows.
func (g *Grid) Merge(row, col, toRow, toCol int) {
	if len(g.merges) < maxMerges && row <= toRow && col <= toCol {
		g.merges = append(g.merges, merge{int32(row), int32(col), int32(toRow), int32(toCol)})
	}
}

// HiddenColumns is how many of the hidden columns hold something.
func (g *Grid) HiddenColumns() int { return g.columns }

// Finish puts the cells in order and takes the hidden rows and columns out, so
// that what stands beside them is neighbours.
func (g *Grid) Finish() {
	slices.Sort(g.rowsOut)
	g.rowsOut = slices.Compact(g.rowsOut)
	var shownCols [MaxColumns + 1]int32 // shown columns before each
	for i, h := range g.hidden {
		shownCols[i+1] = shownCols[i]
		if !h {
			shownCols[i+1]++
		}
	}
	shownRow := func(row int32) int32 {
		n, _ := slices.BinarySearch(g.rowsOut, row)
		return row - int32(n)
	}
	slices.SortStableFunc(g.cells, byPlace)
	used := map[int32]bool{}
	for _, m := range g.merges {
		if i, ok := slices.BinarySearchFunc(g.cells, m, func(c Cell, m merge) int {
			return cmp.Or(cmp.Compare(c.row, m.row), cmp.Compare(c.col, m.col))
		}); ok {
			c := &g.cells[i]
			c.rows = max(1, shownRow(m.toRow+1)-shownRow(m.row))
			c.cols = max(1, shownCols[m.toCol+1]-shownCols[m.col])
		}
	}
	kept := g.cells[:0]
	for _, c := range g.cells {
		if g.hidden[c.col] {
			used[c.col] = true
			continue
		}
		if n := len(kept); n > 0 && kept[n-1].row == shownRow(c.row) && kept[n-1].col == shownCols[c.col] {
			continue // the same place twice
		}
		c.row, c.col = shownRow(c.row), shownCols[c.col]
		kept = append(kept, c)
	}
	g.cells, g.columns = kept, len(used)
}

func byPlace(a, b Cell) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.col, b.col)) }
