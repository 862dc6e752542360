package chunk

import "strings"

// maxRows bounds the rows of a passage that are told apart; of 512 tokens hardly
// more have two cells that say something.
const maxRows = 64

// Rows says each row of a passage's tables as a sentence of its own, "Edition:
// Team; Hours: Monday to Friday": a grid of many rows has one vector that is near to
// none of them. The header is the row above a rule of dashes, or the one that the
// passage's context repeats for the later parts of a table. Passages without a
// table, or with one row, have none.
func Rows(context, text string) []string {
	path, repeated, _ := strings.Cut(context, "\n")
	var header, rows []string
	for l := range strings.SplitSeq(repeated, "\n") {
		if isRow(l) {
			header = under(header, cells(l))
		}
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		switch {
		case !isRow(l) || isRule(l):
			continue
		case i+1 < len(lines) && isRule(lines[i+1]):
			header = cells(l)
			continue
		case len(rows) == maxRows:
			return rows
		}
		if said := inWords(header, cells(l)); said != "" {
			rows = append(rows, strings.TrimPrefix(path+"\n"+said, "\n"))
		}
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

// isRule recognises the line of dashes under a header.
func isRule(line string) bool {
	line = strings.TrimSpace(line)
	return strings.Contains(line, "--") && strings.Trim(line, "|-:+ ") == ""
}

func cells(line string) []string {
	line = strings.Trim(strings.TrimSpace(line), "|")
	list := strings.Split(line, "|")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
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
			said = append(said, header[i]+": "+c)
		default:
			said = append(said, c)
		}
	}
	if len(said) < 2 {
		return ""
	}
	return strings.Join(said, "; ")
}
