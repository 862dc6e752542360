package pdf

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

const (
	// margin is the part of a page's height at its top and bottom that headers and
	// footers stand in.
	margin = 0.13
	// maxFurniture is how many lines at the top and at the bottom may be such.
	maxFurniture = 4
)

var (
	digits = lazyregexp.New(`\d+`)
	roman  = lazyregexp.New(`^[ivxlc]{1,7}$`)
	// counted is the number of a page alone: "3", "- 3 -", "Page 3 of 12".
	counted = lazyregexp.New(`(?i)^(?:[-–—|]\s*)?(?:(?:page|seite|página|pagina|p\.)\s*)?\d{1,4}(?:\s*(?:of|von|de|di|sur|/)\s*\d{1,4})?(?:\s*[-–—|])?$`)
)

// furniture is a line at the edge of a page.
type furniture struct {
	page, row int
	key       string
	at        float64 // its distance from the edge
	distance  int     // in lines from the edge
	offsets   []int   // its first and last number, less the number of the page
}

// withoutFurniture takes away the lines that repeat at the same place of several
// pages, whatever numbers they hold. It gives how many were taken.
func withoutFurniture(pages []page, rows [][]row) int {
	taken := 0
	for _, top := range []bool{true, false} {
		var all []furniture
		for i, p := range pages {
			all = append(all, candidates(i, p, rows[i], top)...)
		}
		drop := repeated(all, len(pages))
		for i := range rows {
			rows[i] = dropRows(rows[i], drop[i])
			taken += len(drop[i])
		}
	}
	return taken
}

func candidates(number int, p page, rows []row, top bool) []furniture {
	var out []furniture
	for n := range setOff(rows, top) {
		i := n
		if !top {
			i = len(rows) - 1 - n
		}
		r := rows[i]
		at := r.base - p.box.top
		if !top {
			at = p.box.bottom - r.base
		}
		if at > margin*p.box.height() && !(counted.MatchString(r.String()) && at < 1.3*margin*p.box.height()) {
			break
		}
		if top && tabularRows(rows, i, i+1) || !top && tabularRows(rows, i, i-1) {
			break // the head of a table that continues stands at the same place as well
		}
		key := digits.ReplaceAllString(r.String(), "#")
		if roman.MatchString(key) {
			key = "#"
		}
		out = append(out, furniture{number, i, key, at, n, offsets(r.String(), number)})
	}
	return out
}

// setOff is how many lines at the edge of a page stand apart from its text.
func setOff(rows []row, top bool) int {
	if len(rows) < 2 {
		return len(rows)
	}
	apart := 0
	for n := range min(maxFurniture, len(rows)-1) {
		a, b := rows[n], rows[n+1]
		if !top {
			a, b = rows[len(rows)-2-n], rows[len(rows)-1-n]
		}
		if b.top-a.bottom > 0.7*min(a.size, b.size) {
			apart = n + 1
		}
	}
	return apart
}

func tabularRows(rows []row, i, inner int) bool {
	return inner >= 0 && inner < len(rows) && len(rows[i].segments) > 2 && len(rows[inner].segments) > 2
}

// offsets are how far the numbers at the ends of a line are ahead of the page.
func offsets(s string, page int) []int {
	var out []int
	at := digits.FindAllStringIndex(s, -1)
	for i, m := range at {
		if n, err := strconv.Atoi(s[m[0]:m[1]]); err == nil && (i == 0 && m[0] == 0 || i == len(at)-1 && m[1] == len(s)) {
			out = append(out, n-page)
		}
	}
	return out
}

// repeated are the rows of each page that stand on others as well, or that begin or
// end with a number that counts the pages. Odd and even pages may differ, and a
// first page may have none.
func repeated(all []furniture, pages int) map[int][]int {
	drop := map[int][]int{}
	kept := map[[2]int]bool{} // page and distance of a line that stays: what is further in stays too
	byKey := map[string][]furniture{}
	byOffset := map[int][]furniture{}
	for _, f := range all {
		byKey[f.key] = append(byKey[f.key], f)
		for _, o := range f.offsets {
			byOffset[o] = append(byOffset[o], f)
		}
	}
	slices.SortStableFunc(all, func(a, b furniture) int { return a.distance - b.distance })
	for _, f := range all {
		same := f.others(byKey[f.key])
		counts := slices.ContainsFunc(f.offsets, func(o int) bool { return f.others(byOffset[o]) >= 2 })
		number := counted.MatchString(strings.ReplaceAll(f.key, "#", "1"))
		enough := same >= 2 || counts || same >= 1 && pages <= 3 || number && (same >= 1 || pages == 1 && strings.ContainsAny(f.key, "PpSs"))
		if enough && !kept[[2]int{f.page, f.distance - 1}] {
			drop[f.page] = append(drop[f.page], f.row)
			continue
		}
		kept[[2]int{f.page, f.distance}] = true
	}
	return drop
}

// others counts the lines at the same place of other pages, up to two.
func (f furniture) others(of []furniture) int {
	n := 0
	for _, o := range of {
		if o.page != f.page && math.Abs(o.at-f.at) < 6 {
			if n++; n == 2 {
				break
			}
		}
	}
	return n
}

func dropRows(rows []row, drop []int) []row {
	if len(drop) == 0 {
		return rows
	}
	var out []row
	for i, r := range rows {
		if !slices.Contains(drop, i) {
			out = append(out, r)
		}
	}
	return out
}
