package pdf

import (
	"cmp"
	"slices"
)

// maxColumns bounds the columns of a table without lines: each word is compared with
// each of them.
const maxColumns = 200

// columnsOf are the columns that the narrow segments stand in. What reaches over
// several of them spans them, unless most rows do so. There are none where there would
// be more than maxColumns.
func columnsOf(rows []row) []box {
	var all []segment
	for _, r := range rows {
		if len(r.segments) > 1 {
			all = append(all, r.segments...)
		}
	}
	slices.SortStableFunc(all, func(a, b segment) int { return cmp.Compare(a.width(), b.width()) })
	var cols []box
	bridges := map[int]int{} // by the number of columns to the left
	for _, s := range all {
		var over []int
		for i, c := range cols {
			if c.across(s.box) > 0 {
				over = append(over, i)
			}
		}
		switch len(over) {
		case 0:
			if len(cols) == maxColumns {
				return nil
			}
			cols = append(cols, s.box)
			slices.SortFunc(cols, func(a, b box) int { return cmp.Compare(a.left, b.left) })
		case 1:
			cols[over[0]] = cols[over[0]].union(s.box)
		}
	}
	for _, s := range all {
		for i := 1; i < len(cols); i++ {
			if s.left < cols[i-1].right-1 && s.right > cols[i].left+1 {
				bridges[i]++
			}
		}
	}
	out := cols[:0:0]
	for i, c := range cols {
		if i > 0 && i+1 < len(cols) && len(rows) > 3 && onlyAbove(rows, c) {
			continue // the name of several columns, between them
		}
		if i > 0 && 3*bridges[i] > len(rows) {
			out[len(out)-1] = out[len(out)-1].union(c)
			continue
		}
		out = append(out, c)
	}
	return out
}

// onlyAbove is whether a column has nothing below its first two rows.
func onlyAbove(rows []row, c box) bool {
	for _, r := range rows[2:] {
		for _, s := range r.segments {
			if s.across(c) > 0 {
				return false
			}
		}
	}
	return true
}

// cellsOf puts the segments of a row into columns; one that reaches over several
// is divided where its words leave room, and spans them otherwise.
func cellsOf(r row, cols []box) []cell {
	type piece struct {
		from, to int
		words    []word
	}
	var pieces []piece
	for _, s := range r.segments {
		from := 0
		for i := range s.words {
			if i+1 < len(s.words) && columnOf(s.words[i], cols) == columnOf(s.words[i+1], cols) {
				continue
			}
			if i+1 < len(s.words) && !roomBetween(s.words[i], s.words[i+1], cols) {
				continue
			}
			part := bounds(s.words[from:i+1], func(w word) box { return w.box })
			pieces = append(pieces, piece{first(part, cols), last(part, cols), s.words[from : i+1]})
			from = i + 1
		}
	}
	var out []cell
	at := 0
	for _, p := range pieces {
		if n := len(out); n > 0 && p.from < at { // two in one column
			before := out[n-1]
			joined := cellOf(before.at, max(before.cols, p.to+1-before.at), 1, p.words)
			joined.lines = []string{before.String() + " " + joined.String()}
			joined.bold = joined.bold && before.bold
			out[n-1] = joined
			at = joined.at + joined.cols
			continue
		}
		for ; at < p.from; at++ {
			out = append(out, cell{at: at, cols: 1, rows: 1})
		}
		out = append(out, cellOf(p.from, p.to+1-p.from, 1, p.words))
		at = p.to + 1
	}
	for ; at < len(cols); at++ {
		out = append(out, cell{at: at, cols: 1, rows: 1})
	}
	return out
}

// columnOf is the column nearest to the middle of a word.
func columnOf(w word, cols []box) int {
	best, least := 0, 1e9
	for i, c := range cols {
		if d := max(c.left-w.center(), w.center()-c.right, 0); d < least {
			best, least = i, d
		}
	}
	return best
}

func roomBetween(a, b word, cols []box) bool {
	return b.left-a.right >= 0.5*max(a.size, b.size) || b.left >= cols[columnOf(b, cols)].left-1 && a.right <= cols[columnOf(a, cols)].right+1
}

func first(b box, cols []box) int {
	for i, c := range cols {
		if c.across(b) > 0.5 {
			return i
		}
	}
	return columnOf(word{box: b}, cols)
}

func last(b box, cols []box) int {
	for i := len(cols) - 1; i >= 0; i-- {
		if cols[i].across(b) > 0.5 {
			return i
		}
	}
	return columnOf(word{box: b}, cols)
}
