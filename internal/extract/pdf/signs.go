package pdf

import (
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

var (
	before = lazyregexp.New(`^[$€£¥(]+$`)
	after  = lazyregexp.New(`^[%)*]+$`)
)

// withoutSigns joins columns that hold nothing but the sign of a currency or of a
// percentage to the numbers that they belong to.
func withoutSigns(rows [][]cell, lefts []float64) ([][]cell, []float64) {
	only := func(at int, sign *lazyregexp.Regexp) bool {
		any := false
		for _, r := range rows {
			for _, c := range r {
				if c.at != at || c.cols > 1 || len(c.lines) == 0 {
					continue
				}
				if any = true; !sign.MatchString(c.String()) {
					return false
				}
			}
		}
		return any
	}
	for at := len(lefts) - 1; at > 0; at-- {
		switch {
		case at+1 < len(lefts) && only(at, before):
			rows, lefts = mergeColumns(rows, at), slices.Delete(slices.Clone(lefts), at+1, at+2)
		case only(at, after):
			rows, lefts = mergeColumns(rows, at-1), slices.Delete(slices.Clone(lefts), at, at+1)
		}
	}
	return rows, lefts
}

// mergeColumns joins a column and the next.
func mergeColumns(rows [][]cell, at int) [][]cell {
	out := make([][]cell, 0, len(rows))
	for _, r := range rows {
		var cells []cell
		for _, c := range r {
			switch n := len(cells); {
			case c.at <= at && c.at+c.cols > at+1: // spans both
				c.cols--
				cells = append(cells, c)
			case c.at == at+1 && n > 0:
				cells[n-1].lines = joinLine(cells[n-1].lines, c.lines)
				cells[n-1].cols = max(cells[n-1].cols, at+c.cols-cells[n-1].at)
			case c.at > at:
				c.at--
				cells = append(cells, c)
			default:
				cells = append(cells, c)
			}
		}
		out = append(out, cells)
	}
	return out
}

func joinLine(a, b []string) []string {
	if s := strings.Join(append(slices.Clone(a), b...), ""); s != "" {
		return []string{s}
	}
	return nil
}
