package pdf

import (
	"slices"
	"strings"
)

// drawnBelow are the numbers of rows that stand above each line that is drawn
// through most of a table, between its rows.
func drawnBelow(rows []row, in box, rules []box) []int {
	var out []int
	for n := 1; n < len(rows); n++ {
		if slices.ContainsFunc(rules, func(l box) bool {
			return l.height() == 0 && l.top > rows[n-1].middle() && l.top < rows[n].middle() && l.across(in) > 0.6*in.width()
		}) {
			out = append(out, n)
		}
	}
	return out
}

// wrapped joins the lines of rows whose cells have several: those between two drawn
// lines, where each row has its own; otherwise those that leave the first column
// empty, or that go on with a small letter.
func wrapped(run []row, lines [][]cell, drawn []int) ([][]cell, []int) {
	byRule := len(drawn) >= 3 && 2*len(drawn) >= len(lines)/2 && hasGroups(lines, drawn)
	if byRule {
		lines = spanLabels(lines, drawn)
	}
	var out [][]cell
	var heads []int
	for i, l := range lines {
		if l == nil { // a label that other rows took
			continue
		}
		ruled := slices.Contains(drawn, i)
		if ruled && i > 0 {
			heads = append(heads, len(out))
		}
		if n := len(out); n > 0 && !ruled && (byRule && 2*numbersIn(l) < filledIn(l) || goesOn(run[i-1], run[i], lines[i-1], l)) {
			if joined, ok := joinCells(out[n-1], l); ok {
				out[n-1] = joined
				continue
			}
		}
		out = append(out, l)
	}
	return out, heads
}

// spanLabels lets a label that stands between the lines of its rows, in a group of
// rows between two drawn lines, span them.
func spanLabels(lines [][]cell, drawn []int) [][]cell {
	out := slices.Clone(lines)
	ends := append(slices.Clone(drawn), len(lines))
	from := 0
	for _, to := range ends {
		var full []int
		for i := from; i < to; i++ {
			if numbersIn(lines[i]) >= 2 {
				full = append(full, i)
			}
		}
		if len(full) >= 2 {
			for i := from; i < to; i++ {
				if l := lines[i]; len(full) < to-from && filledIn(l) == 1 && len(l[0].lines) > 0 {
					first := slices.Clone(out[full[0]])
					if len(first[0].lines) == 0 {
						first[0].lines, first[0].rows = l[0].lines, len(full)
						out[full[0]], out[i] = first, nil
					}
					for _, k := range full[1:] {
						if len(out[k][0].lines) == 0 {
							out[k] = out[k][1:]
						}
					}
				}
			}
		}
		from = to
	}
	return out
}

func filledIn(l []cell) int {
	n := 0
	for _, c := range l {
		if len(c.lines) > 0 {
			n++
		}
	}
	return n
}

func numbersIn(l []cell) int {
	n := 0
	for _, c := range l {
		if numeric(c.String()) {
			n++
		}
	}
	return n
}

// hasGroups is whether drawn lines divide all rows, rather than the head and the
// sums from the rest.
func hasGroups(lines [][]cell, drawn []int) bool {
	widest, last := 0, 0
	for _, n := range append(slices.Clone(drawn), len(lines)) {
		widest, last = max(widest, n-last), n
	}
	return widest <= 6
}

func goesOn(above, r row, before, l []cell) bool {
	if r.top-above.bottom > 0.55*r.size {
		return false
	}
	filled, numbers := 0, 0
	for _, c := range l {
		s := c.String()
		if s == "" {
			continue
		}
		filled++
		if numeric(s) || c.cols > 1 {
			numbers++
		}
	}
	beforeFilled := 0
	for _, c := range before {
		if len(c.lines) > 0 {
			beforeFilled++
		}
	}
	start := label(l)
	switch {
	case numbers > 0 && start == "":
		return false
	case start == "":
		return filled < beforeFilled || filled == 1
	case beforeFilled == 1 && label(before) != "" && lower(start): // the label's first line
		return true
	}
	return filled == 1 && lower(start)
}

// label is what stands in the first column.
func label(l []cell) string {
	if len(l) == 0 || l[0].at > 0 {
		return ""
	}
	return l[0].String()
}

func lower(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 'a' && r <= 'z' || r == '(' }) == 0
}

// joinCells puts the lines of a row behind those of the row above, if their cells
// stand in the same columns.
func joinCells(a, b []cell) ([]cell, bool) {
	out := slices.Clone(a)
	for _, c := range b {
		if len(c.lines) == 0 {
			continue
		}
		i := slices.IndexFunc(out, func(o cell) bool { return o.at <= c.at && o.at+o.cols >= c.at+c.cols })
		if i < 0 {
			return a, false
		}
		out[i].lines = append(slices.Clone(out[i].lines), c.lines...)
		out[i].bold = out[i].bold && c.bold || len(a[i].lines) == 0 && c.bold
	}
	return out, true
}
