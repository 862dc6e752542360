package pdf

import (
	"slices"
	"strings"
	"unicode"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// cell is one of a table; it may span columns and rows.
type cell struct {
	box
	at, cols, rows int // its first column, and how many it spans
	lines          []string
	bold           bool
}

func (c cell) String() string { return strings.Join(c.lines, " ") }

// table is a grid of cells, row by row.
type table struct {
	box
	page   int // that it ends on
	header int // rows
	lefts  []float64
	rows   [][]cell
	parts  []part
	drawn  []segment // the lines of its cells, where they stand
}

// part ends at a row; the rows up to it are on a page.
type part struct{ row, page int }

// pageOf is the page that a row stands on.
func (t *table) pageOf(row int) int {
	page := t.page
	for i := len(t.parts) - 1; i >= 0; i-- {
		if row >= t.parts[i].row {
			return page
		}
		page = t.parts[i].page
	}
	return page
}

func (t *table) columns() int { return len(t.lefts) }

// cellOf makes a cell of lines of words.
func cellOf(at, cols, rows int, words []word) cell {
	c := cell{at: at, cols: cols, rows: rows, bold: len(words) > 0}
	for _, w := range words {
		c.box = c.union(w.box)
		c.bold = c.bold && w.font.bold
	}
	for _, r := range rowsOf(words) {
		c.lines = append(c.lines, r.String())
	}
	return c
}

// number is one as tables have it: with currency, sign, percent, brackets for
// what is negative, the mark of a note, or nothing to say.
var number = lazyregexp.New(`^[(\[]?[-+−–±~<>≤≥]?\s*(?:[$€£¥₹]|[A-Z]{3}\s|US\$)?\s*[(]?[-−–]?\s*\d[\d.,'\x{00A0}\x{202F} ]*(?:[eE][-+]?\d+)?\s*(?:%|‰|[kKmMbBxX]|bn|pp|pts|bps|°C?|[$€£¥]|EUR|USD|GBP)?[)\]]?\s*(?:\^\d[\d,]*|[*†‡a-e]|\(\w\)|\[\w\])?$`)

var nothing = lazyregexp.New(`^(?:[-–—−]+|[nN]/?[aA]\.?|n\.a\.|nil|\.{2,3})\s*%?$`)

// numeric is whether a cell holds a number or says that there is none.
func numeric(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && len(s) < 40 && (number.MatchString(s) || nothing.MatchString(s))
}

// period is a number that heads a column rather than standing in it.
var period = lazyregexp.New(`^(?:FY|CY|Q[1-4]|H[12])?[ ']?(?:19|20)\d\d(?:[-/–]\d{2,4})?(?:\s?[AEF])?$`)

// headed finds how many rows at the top name the columns. drawn is the number of
// rows above the first line that is drawn through the table, 0 if there is none.
func (t *table) headed(drawn int) {
	t.header = 0
	if len(t.rows) < 2 {
		return
	}
	if first := t.firstNumbers(); first > 0 && first <= 5 && first <= len(t.rows)-first {
		t.header = first
		if drawn > 0 && drawn < first { // rows without numbers below the line are titles of groups
			t.header = drawn
		}
		return
	}
	bold := func(r []cell) bool {
		return !slices.ContainsFunc(r, func(c cell) bool { return len(c.lines) > 0 && !c.bold }) &&
			slices.ContainsFunc(r, func(c cell) bool { return len(c.lines) > 0 })
	}
	n := 0
	for n < len(t.rows) && n < 4 && bold(t.rows[n]) {
		n++
	}
	switch {
	case n > 0 && n < len(t.rows):
		t.header = n
	case drawn > 0 && drawn <= 4 && drawn < len(t.rows) && t.named(drawn):
		t.header = drawn
	}
}

// firstNumbers is the first row most of whose cells but the first are numbers, when
// most rows from there on are such; 0 if there is none.
func (t *table) firstNumbers() int {
	first, with := -1, 0
	for i, r := range t.rows {
		numbers, texts := 0, 0
		for _, c := range r {
			switch s := c.String(); {
			case c.at == 0 || s == "":
			case numeric(s) && !period.MatchString(s):
				numbers++
			default:
				texts++
			}
		}
		if numbers > 0 && numbers >= texts {
			if with++; first < 0 {
				first = i
			}
		}
	}
	if first < 0 || 3*with < len(t.rows)-first {
		return 0
	}
	return first
}

// named is whether the first rows have no numbers and fill most columns.
func (t *table) named(rows int) bool {
	filled := map[int]bool{}
	for _, r := range t.rows[:rows] {
		for _, c := range r {
			if s := c.String(); s != "" {
				if numeric(s) && !period.MatchString(s) {
					return false
				}
				for i := range c.cols {
					filled[c.at+i] = true
				}
			}
		}
	}
	return len(filled) >= max(2, t.columns()-1)
}

// continues is whether o is the next part of t, on the page after: the same
// columns at the same places.
func (t *table) continues(o *table) bool {
	if o.page != t.page+1 || o.columns() != t.columns() {
		return false
	}
	near := 0
	for i := range t.lefts {
		if d := t.lefts[i] - o.lefts[i]; d > -12 && d < 12 {
			near++
		}
	}
	return near >= t.columns()-1 && (o.header == 0 || t.sameHeader(o))
}

func (t *table) sameHeader(o *table) bool {
	if t.header != o.header {
		return false
	}
	for i := range t.header {
		if texts(t.rows[i]) != texts(o.rows[i]) {
			return false
		}
	}
	return true
}

func texts(r []cell) string {
	var parts []string
	for _, c := range r {
		parts = append(parts, strings.Join(strings.FieldsFunc(c.String(), unicode.IsSpace), " "))
	}
	return strings.Join(parts, "|")
}

// mirrored turns the columns of a table that is read from right to left.
func (t *table) mirrored() {
	var words []word
	for _, r := range t.rows {
		for _, c := range r {
			for _, s := range strings.Fields(c.String()) {
				words = append(words, word{text: s})
			}
		}
	}
	if !fromRight(words) {
		return
	}
	for _, r := range t.rows {
		for i := range r {
			r[i].at = t.columns() - r[i].at - r[i].cols
		}
		slices.SortFunc(r, func(a, b cell) int { return a.at - b.at })
	}
}

// join takes the rows of the next part, but for its header, which repeats.
func (t *table) join(o *table) {
	t.parts = append(t.parts, part{len(t.rows), t.page}) // the rows before it are on t.page
	t.rows = append(t.rows, o.rows[o.header:]...)
	t.page = o.page
}
