// Package odf reads documents, sheets and presentations in OpenDocument format
// (OASIS OpenDocument 1.3, part 3).
package odf

import (
	"io"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// Read makes a page of a document, whichever of the three it is.
func Read(pack *office.Package) (*office.Page, error) {
	r := &reader{page: office.NewPage(), styles: newStyles(), count: map[string]*counter{}}
	styles, err := pack.Tree("styles.xml")
	if err != nil {
		return nil, err
	}
	r.styles.read(styles.Child("office:styles"))
	xml, err := pack.XML("content.xml")
	if err != nil {
		return nil, err
	}
	defer xml.Close()
	if _, err := xml.Enter("office:document-content"); err != nil {
		return nil, begun(err)
	}
	for {
		e, err := xml.NextUnless("office:body")
		if err != nil {
			return nil, begun(err)
		}
		if e.Name == "office:body" {
			break
		}
		if e.Name == "office:automatic-styles" {
			r.styles.read(e)
		}
	}
	e, err := xml.NextUnless("office:text", "office:spreadsheet", "office:presentation")
	if err != nil {
		return nil, begun(err)
	}
	switch e.Name {
	case "office:text":
		err = r.document(xml)
	case "office:spreadsheet":
		err = r.sheets(xml)
	case "office:presentation":
		err = r.slides(xml)
	}
	if err != nil {
		return nil, err
	}
	if r.page.Title == "" {
		r.page.Title = pack.Title()
	}
	r.leftOut()
	return r.page, r.page.Full()
}

// begun is what an end of the XML means before its content began.
func begun(err error) error {
	if err == io.EOF {
		return office.ErrDamaged
	}
	return err
}

type reader struct {
	page   *office.Page
	styles *styles
	count  map[string]*counter // numbers by list style
	noted  int                 // footnotes and endnotes so far
	inNote bool

	contents, comments, hidden                            int
	hiddenSheets, hiddenRows, hiddenColumns, hiddenSlides int
}

// document reads a text block by block.
func (r *reader) document(xml *office.Reader) error {
	f := &flow{to: r.page.Body}
	for {
		e, err := xml.Next()
		if err == io.EOF {
			r.end(f)
			return nil
		}
		if err != nil {
			return err
		}
		if err := r.block(e, f); err != nil {
			return err
		}
	}
}

func (r *reader) leftOut() {
	if r.contents > 0 {
		r.page.Note("The table of contents was left out.")
	}
	r.page.Count(r.comments, "Comments that were left out")
	r.page.Count(r.hidden, "Hidden passages that were left out")
	r.page.Count(r.hiddenSheets, "Hidden sheets that were left out")
	r.page.Count(r.hiddenRows, "Hidden rows that were left out")
	r.page.Count(r.hiddenColumns, "Hidden columns that were left out")
	r.page.Count(r.hiddenSlides, "Hidden slides that were left out")
}
