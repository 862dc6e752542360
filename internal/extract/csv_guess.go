package extract

import (
	"errors"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// delimiters in the order of how little else they are used for in a cell.
var delimiters = []rune{'\t', '|', ';', ','}

// errEnough ends the reading of records whose first are all that is wanted.
var errEnough = errors.New("enough")

// delimiterOf gives the character that parts the first records into the same
// number of cells most often, and the text below a line "sep=;" that names it.
func delimiterOf(text string) (rune, string) {
	first := text[:lineEnd(text, 0, len(text))]
	if sep, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(first)), "sep="); ok && len(sep) == 1 && strings.Contains("\t|;,", sep) {
		return rune(sep[0]), strings.TrimPrefix(text[len(first):], "\n")
	}
	best, top := ',', 0.0
	for _, d := range delimiters {
		if s := agreement(text, d); s > top {
			best, top = d, s
		}
	}
	return best, text
}

// agreement is the share of the first records that have as many cells, more than
// one, as most of them.
func agreement(text string, comma rune) float64 {
	head := text
	if len(head) > 1<<16 {
		head = text[:lineStart(text, 1<<16)]
	}
	widths := map[int]int{}
	n := 0
	count := func(rec []string) error {
		widths[len(rec)]++
		if n++; n == headRecords {
			return errEnough
		}
		return nil
	}
	if err := records(head, comma, count); err != nil && !errors.Is(err, errEnough) {
		clear(widths)
		n = 0
		_ = lineRecords(head, comma, count) // ends early at most
	}
	most := 0
	for w, k := range widths {
		if w > 1 {
			most = max(most, k)
		}
	}
	if n == 0 {
		return 0
	}
	return float64(most) / float64(n)
}

// figure is a number, an amount, a share, a date or a time.
var figure = lazyregexp.New(`^[^\pL]*[0-9][^\pL]*(?:[eE][+-]?[0-9]+|%|\pL{1,3})?$`)

// isHeader is whether the first of some records names the columns: words of which
// each stands once, or figures above columns that have none. Of a table of words
// alone nothing tells, and the first row is taken as what it mostly is.
func isHeader(recs [][]string) bool {
	if len(recs) < 2 {
		return false
	}
	seen := map[string]bool{}
	figures, odd, named := 0, 0, 0
	for col, cell := range recs[0] {
		cell = oneLine(cell)
		if cell == "" {
			continue
		}
		if seen[cell] || len(cell) > maxName {
			return false
		}
		seen[cell] = true
		named++
		if figure.MatchString(cell) {
			figures++
			if !anyFigure(recs[1:], col) {
				odd++
			}
		}
	}
	width := 0
	for _, r := range recs[1:] {
		width = max(width, filled(r))
	}
	return named*2 >= width && (figures == 0 || odd == figures)
}

const maxName = 200 // bytes of a column's name

func anyFigure(recs [][]string, col int) bool {
	for _, r := range recs {
		if col < len(r) && figure.MatchString(oneLine(r[col])) {
			return true
		}
	}
	return false
}
