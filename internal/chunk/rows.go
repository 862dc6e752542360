package chunk

import (
	"strings"

	"github.com/seed-d3156d19/quarry/internal/grid"
)

// maxRows bounds the rows of a passage that are told apart; of 512 tokens hardly
// more have two cells that say something.
const maxRows = 64

// RowsVersion is part of the name that vectors are kept under: raise it when Rows gives
// other texts.
const RowsVersion = "rows 2"

// Rows says each row of a passage's tables as a sentence of its own, "Edition:
// Team; Hours: Monday to Friday": a grid of many rows has one vector that is near to
// none of them. The header is the row above a rule of dashes, or the one that the
// passage's context repeats for the later parts of a table. Passages without a
// table, or with one row, have none. Together the rows have some four times the
// bytes of the text at most: each repeats the header.
func Rows(context, text string) []string {
	path, repeated, _ := strings.Cut(context, "\n")
	var header, rows []string
	for l := range strings.SplitSeq(repeated, "\n") {
		if isRow(l) {
			header = under(header, grid.Cells(l))
		}
	}
	left := 4*len(text) + 1024
	lines := strings.Split(text, "\n")
	begins := len(header) == 0 // of a table, where a header can stand
	for i, l := range lines {
		switch {
		case isRule(l):
			continue
		case !isRow(l):
			begins = true
			continue
		case begins && i+1 < len(lines) && isRule(lines[i+1]):
			header, begins = grid.Cells(l), false
			continue
		}
		begins = false
		said := inWords(header, grid.Cells(l))
		if said == "" {
			continue
		}
		row := strings.TrimPrefix(path+"\n"+said, "\n")
		if left -= len(row); left < 0 || len(rows) == maxRows {
			break
		}
		rows = append(rows, row)
	}
	if len(rows) < 2 {
		return nil
	}
	return rows
}

// isRow recognises a row by the bars between its cells.
func isRow(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "|") && len(line) > 1 || strings.Count(line, " | ") > 1
}

// isRule recognises the line of dashes under a header, also that of plain text.
func isRule(line string) bool {
	return grid.Delimiter(line) > 0 || strings.Contains(line, "--") && strings.Trim(line, "|-:+ \t") == ""
}

// under joins a second row of a header to the first, cell by cell.
func under(header, more []string) []string {
	for i, c := range more {
		switch {
		case i >= len(header):
			header = append(header, c)
		case c != "":
			header[i] = strings.TrimSpace(header[i] + " " + c)
		}
	}
	return header
}

// inWords is "" for a row with fewer than two cells that say something.
func inWords(header, row []string) string {
	var said []string
	for i, c := range row {
		switch {
		case c == "" || strings.Trim(c, "-–—") == "":
		case i < len(header) && header[i] != "":
			said = append(said, grid.Unescaped(header[i]+": "+c))
		default:
			said = append(said, grid.Unescaped(c))
		}
	}
	if len(said) < 2 {
		return ""
	}
	return strings.Join(said, "; ")
}
