// Package grid reads the rows of a table as canonical text has them: cells between
// bars, GitHub's form of Markdown. Extraction, cutting, answers and first sets look
// at the same rows and must agree on where a cell ends.
package grid

import "strings"

// Cells splits a row at its bars; \| is no bar, those at the ends are frame. The cells
// are trimmed and otherwise as they are written.
func Cells(row string) []string {
	row = strings.TrimPrefix(strings.TrimSpace(row), "|")
	if strings.HasSuffix(row, "|") && !strings.HasSuffix(row, `\|`) {
		row = row[:len(row)-1]
	}
	var out []string
	from := 0
	for i := 0; i < len(row); i++ {
		switch row[i] {
		case '\\':
			i++
		case '|':
			out = append(out, strings.TrimSpace(row[from:i]))
			from = i + 1
		}
	}
	return append(out, strings.TrimSpace(row[from:]))
}

// Unescaped is a cell without the marks that keep its bars from ending it.
func Unescaped(cell string) string { return strings.ReplaceAll(cell, `\|`, "|") }

// Delimiter counts the cells of the row under a header, such as | --- | :-: |; 0 is no
// such row.
func Delimiter(line string) int {
	if strings.Trim(line, "|-: \t") != "" || !strings.Contains(line, "|") || !strings.Contains(line, "-") {
		return 0
	}
	cells := Cells(line)
	for _, c := range cells {
		dashes := strings.TrimSuffix(strings.TrimPrefix(c, ":"), ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return 0
		}
	}
	return len(cells)
}
