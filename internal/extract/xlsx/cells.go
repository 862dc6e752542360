package xlsx

import (
	"io"
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
	"github.com/seed-d3156d19/quarry/internal/extract/sheet"
)

// sheet reads the cells of a sheet that are shown.
func (r *reader) sheet(part string) (*sheet.Grid, error) {
	xml, err := r.pack.XML(part)
	if err != nil {
		return nil, err
	}
	defer xml.Close()
	g := &sheet.Grid{}
	if _, err := xml.Enter("x:worksheet"); err != nil {
		if err == io.EOF {
			err = office.ErrDamaged
		}
		return nil, err
	}
	rows := 0
	for {
		// The rows are entered one by one, all else is small.
		e, err := xml.NextUnless("x:sheetData")
		switch {
		case err == io.EOF:
			g.Finish()
			r.hiddenColumns += g.HiddenColumns()
			return g, r.countComments(part)
		case err != nil:
			return nil, err
		case e.Name == "x:sheetData":
			if err := r.rows(xml, g, &rows); err != nil {
				return nil, err
			}
		case e.Name == "x:cols":
			for _, c := range e.All("x:col") {
				if isOn(c.Attr("hidden")) {
					from, _ := strconv.Atoi(c.Attr("min"))
					to, _ := strconv.Atoi(c.Attr("max"))
					g.HideColumns(from-1, to-1)
				}
			}
		case e.Name == "x:mergeCells":
			for _, m := range e.All("x:mergeCell") {
				a, b, _ := strings.Cut(m.Attr("ref"), ":")
				row, col, ok := reference(a)
				toRow, toCol, ok2 := reference(b)
				if ok && ok2 {
					g.Merge(row, col, toRow, toCol)
				}
			}
		}
	}
}

func (r *reader) rows(xml *office.Reader, g *sheet.Grid, rows *int) error {
	for {
		row, err := xml.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if n, err := strconv.Atoi(row.Attr("r")); err == nil && n > 0 && n <= sheet.MaxRows {
			*rows = n - 1
		}
		hidden := isOn(row.Attr("hidden"))
		if hidden && len(row.Children) > 0 {
			r.hiddenRows++
			g.HideRow(*rows)
		}
		col := 0
		for _, c := range row.All("x:c") {
			if _, at, ok := reference(c.Attr("r")); ok {
				col = at
			}
			if v := r.value(c); v.Text != "" && !hidden {
				if err := g.Set(*rows, col, v); err != nil {
					return err
				}
			}
			col++
		}
		*rows++
	}
}

// value is what a cell shows.
func (r *reader) value(c *office.Element) sheet.Cell {
	style := cellStyle{}
	if n, err := strconv.Atoi(c.Attr("s")); err == nil && n >= 0 && n < len(r.styles) {
		style = r.styles[n]
	}
	cell := sheet.Cell{Bold: style.bold}
	v := c.Child("x:v").String()
	if v == "" && c.Child("x:f") != nil && c.Attr("t") != "str" {
		r.uncounted++
	}
	switch c.Attr("t") {
	case "s":
		if n, err := strconv.Atoi(strings.TrimSpace(v)); err == nil && n >= 0 && n < len(r.strings) {
			cell.Text = r.strings[n]
		}
	case "inlineStr":
		cell.Text = richText(c.Child("x:is"))
	case "b":
		cell.Text = map[string]string{"1": "TRUE", "0": "FALSE"}[v]
	case "str", "e":
		cell.Text = v
	case "d":
		cell.Text, cell.Figure = v, true
	default:
		if v == "" {
			break
		}
		f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		if err != nil {
			cell.Text = v
			break
		}
		cell.Text, cell.Figure = Format(f, style.format, r.epoch1904), true
	}
	cell.Text = strings.TrimSpace(cell.Text)
	return cell
}

// reference reads "BC12" as row 11, column 54.
func reference(s string) (row, col int, ok bool) {
	i := 0
	for ; i < len(s) && i < 4 && s[i] >= 'A' && s[i] <= 'Z'; i++ {
		col = col*26 + int(s[i]-'A') + 1
	}
	n, err := strconv.Atoi(s[i:])
	if i == 0 || err != nil || n < 1 || n > sheet.MaxRows || col > sheet.MaxColumns {
		return 0, 0, false
	}
	return n - 1, col - 1, true
}

func (r *reader) countComments(part string) error {
	rels, err := r.pack.Relations(part)
	if err != nil {
		return err
	}
	comments, err := r.pack.Tree(office.Related(rels, "comments"))
	r.comments += len(comments.Child("x:commentList").All("x:comment"))
	return err
}
