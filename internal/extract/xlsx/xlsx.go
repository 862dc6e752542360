// Package xlsx reads workbooks of Excel (Office Open XML, ECMA-376 part 1, clause
// 18). It is written by hand because a sheet is read in one pass, cell by cell:
// excelize 2.11 streams values (45 MB for 500,000 cells) but holds the sheet as
// structures to tell merged cells and hidden columns (527 MB, five times as long).
package xlsx

import (
	"io"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
	"github.com/seed-d3156d19/quarry/internal/extract/sheet"
)

// Read makes a page of a workbook: each sheet a section, each table in it a
// table, values as they are shown. What is hidden is left out.
func Read(pack *office.Package) (*office.Page, error) {
	book, rels, err := pack.MainTree()
	if err != nil {
		return nil, err
	}
	r := &reader{pack: pack, page: office.NewPage(), epoch1904: isOn(book.Child("x:workbookPr").Attr("date1904"))}
	if err := r.readStyles(office.Related(rels, "styles")); err != nil {
		return nil, err
	}
	if err := r.readStrings(office.Related(rels, "sharedStrings")); err != nil {
		return nil, err
	}
	r.page.Title = pack.Title()
	for _, s := range book.Child("x:sheets").All("x:sheet") {
		rel := rels[s.Attr("r:id")]
		switch {
		case s.Attr("state") == "hidden" || s.Attr("state") == "veryHidden":
			r.hiddenSheets++
			continue
		case rel.Type == "chartsheet":
			if charts := r.chartsOf(rel.Target); len(charts) > 0 {
				r.page.Text(r.page.Heading(r.page.Body, sheet.HeadingLevel), s.Attr("name"))
				r.nameCharts(charts)
			}
			continue
		case rel.Type != "worksheet" || !pack.Has(rel.Target):
			continue
		}
		g, err := r.sheet(rel.Target)
		if err != nil {
			return nil, err
		}
		r.page.Text(r.page.Heading(r.page.Body, sheet.HeadingLevel), s.Attr("name"))
		if err := sheet.Write(r.page, r.page.Add(r.page.Body, atom.Div), g); err != nil {
			return nil, err
		}
		r.nameCharts(r.chartsOf(rel.Target))
	}
	r.page.Count(r.hiddenSheets, "Hidden sheets that were left out")
	r.page.Count(r.hiddenRows, "Hidden rows that were left out")
	r.page.Count(r.hiddenColumns, "Hidden columns that were left out")
	r.page.Count(r.comments, "Comments that were left out")
	r.page.Count(r.charts, "Charts of which only the title was read: their values stand in cells")
	r.page.Count(r.uncounted, "Formulas without a stored result, whose cells are empty")
	return r.page, r.page.Full()
}

type reader struct {
	pack      *office.Package
	page      *office.Page
	strings   []string
	styles    []cellStyle
	epoch1904 bool

	hiddenSheets, hiddenRows, hiddenColumns, comments, charts, uncounted int
}

type cellStyle struct {
	format string
	bold   bool
}

func isOn(s string) bool { return s == "1" || s == "true" }

func (r *reader) readStyles(part string) error {
	root, err := r.pack.Tree(part)
	if err != nil {
		return err
	}
	formats := map[string]string{}
	for _, f := range root.Child("x:numFmts").All("x:numFmt") {
		formats[f.Attr("numFmtId")] = f.Attr("formatCode")
	}
	var bold []bool
	for _, f := range root.Child("x:fonts").All("x:font") {
		b := f.Child("x:b")
		bold = append(bold, b != nil && b.Attr("val") != "0" && b.Attr("val") != "false")
	}
	for _, xf := range root.Child("x:cellXfs").All("x:xf") {
		var s cellStyle
		id := xf.Attr("numFmtId")
		if s.format = formats[id]; s.format == "" {
			n, _ := strconv.Atoi(id)
			s.format = builtin[n]
		}
		if n, err := strconv.Atoi(xf.Attr("fontId")); err == nil && n >= 0 && n < len(bold) {
			s.bold = bold[n]
		}
		r.styles = append(r.styles, s)
	}
	return nil
}

func (r *reader) readStrings(part string) error {
	if part == "" || !r.pack.Has(part) {
		return nil
	}
	xml, err := r.pack.XML(part)
	if err != nil {
		return err
	}
	defer xml.Close()
	if _, err := xml.Enter("x:sst"); err != nil {
		if err == io.EOF {
			return office.ErrDamaged
		}
		return err
	}
	for {
		si, err := xml.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		r.strings = append(r.strings, richText(si))
	}
}

// richText is the text of runs, without how to read it aloud (x:rPh).
func richText(e *office.Element) string {
	if e == nil {
		return ""
	}
	var b strings.Builder
	for _, c := range e.Children {
		switch c.Name {
		case "x:t":
			b.WriteString(c.String())
		case "x:r":
			b.WriteString(c.Child("x:t").String())
		}
	}
	return b.String()
}
