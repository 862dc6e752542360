package docx

import (
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// headed is whether the first row names the columns though no row says so: the
// table's style sets it apart and the table asks for that, or it alone is bold.
func (r *reader) headed(e *office.Element, rows []tableRow) bool {
	if len(rows) < 2 || len(rows[0].cells) < 2 {
		return false
	}
	tblPr := e.Child("w:tblPr")
	look := tblPr.Child("w:tblLook")
	asks := on(look, "w:firstRow")
	if bits, err := strconv.ParseUint(look.Attr("w:val"), 16, 32); err == nil && look.Attr("w:firstRow") == "" {
		asks = bits&0x20 != 0
	}
	styled := false
	r.styles.chain(tblPr.Child("w:tblStyle").Attr("w:val"), func(_ string, st style) bool {
		styled = st.heads
		return styled
	})
	return asks && styled || r.bold(rows[0]) && !r.bold(rows[1]) || shaded(rows[0]) && !shaded(rows[1]) || asks && namesColumns(rows)
}

// shaded is whether all cells of a row have a colour of their own behind them.
func shaded(row tableRow) bool {
	for _, c := range row.cells {
		if fill := c.body.Child("w:tcPr", "w:shd").Attr("w:fill"); fill == "" || fill == "auto" || strings.EqualFold(fill, "FFFFFF") {
			return false
		}
	}
	return len(row.cells) > 0
}

// namesColumns is whether the first row has words only, in every cell, and most
// others figures.
func namesColumns(rows []tableRow) bool {
	for _, c := range rows[0].cells {
		if s := strings.TrimSpace(cellText(c.body)); s == "" || strings.ContainsAny(s, "0123456789") {
			return false
		}
	}
	figures := 0
	for _, row := range rows[1:] {
		for _, c := range row.cells {
			if strings.ContainsAny(cellText(c.body), "0123456789") {
				figures++
				break
			}
		}
	}
	return figures*2 > len(rows)-1
}

// cellText is the text of a cell, roughly: what decides by it needs no more.
func cellText(e *office.Element) string {
	if e.Name == "w:t" {
		return e.String()
	}
	var b strings.Builder
	for _, c := range e.Children {
		b.WriteString(cellText(c))
	}
	return b.String()
}

// bold is whether all text of a row is.
func (r *reader) bold(row tableRow) bool {
	any := false
	for _, c := range row.cells {
		for _, p := range c.body.All("w:p") {
			id := r.styles.paragraphStyle(p.Child("w:pPr"))
			for _, run := range p.All("w:r") {
				if strings.TrimSpace(run.Child("w:t").String()) == "" {
					continue
				}
				if !r.styles.toggle(run.Child("w:rPr"), id, "w:b") {
					return false
				}
				any = true
			}
		}
	}
	return any
}
