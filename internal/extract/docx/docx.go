// Package docx reads documents of Word (Office Open XML, ECMA-376 part 1, clause
// 17). It is written by hand: what decides between a right and a wrong citation,
// automatic clause numbers, tracked changes, hidden text and merged cells, is
// what libraries with a fitting licence leave to their callers.
package docx

import (
	"errors"
	"io"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// Read makes a page of a document: tracked changes as accepted, footnotes behind
// the block that refers to them, without headers, footers, comments and hidden
// text.
func Read(pack *office.Package) (*office.Page, error) {
	main, err := pack.Main()
	if err != nil {
		return nil, err
	}
	r := &reader{pack: pack, page: office.NewPage(), notes: map[string]*office.Element{}}
	if err := r.related(main); err != nil {
		return nil, err
	}
	doc, err := pack.XML(main)
	if err != nil {
		return nil, err
	}
	defer doc.Close()
	if _, err := doc.Enter("w:body"); err != nil {
		return nil, ended(err)
	}
	f := &flow{to: r.page.Body}
	for {
		e, err := doc.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := r.block(e, f); err != nil {
			return nil, err
		}
	}
	r.end(f)
	if r.page.Title == "" {
		r.page.Title = pack.Title()
	}
	r.leftOut()
	return r.page, r.page.Full()
}

// reader holds what is known of the document while its body is read.
type reader struct {
	pack      *office.Package
	page      *office.Page
	styles    *styles
	numbering *numbering
	rels      map[string]office.Relation
	notes     map[string]*office.Element // footnotes and endnotes by kind and id
	noted     map[string]int             // how many of a kind were referred to
	inNote    bool
	fields    []field

	comments, hidden, contents, diagrams, chunks int
	margins                                      bool // there are headers or footers
}

// related reads the parts that the body is read by.
func (r *reader) related(main string) error {
	var err error
	if r.rels, err = r.pack.Relations(main); err != nil {
		return err
	}
	r.noted = map[string]int{}
	parts := map[string]*office.Element{}
	for _, kind := range []string{"styles", "numbering", "footnotes", "endnotes"} {
		if parts[kind], err = r.pack.Tree(office.Related(r.rels, kind)); err != nil {
			return err
		}
	}
	r.styles = readStyles(parts["styles"])
	r.numbering = readNumbering(parts["numbering"], r.styles)
	for _, kind := range []string{"footnote", "endnote"} {
		for _, n := range parts[kind+"s"].All("w:" + kind) {
			r.notes[kind+n.Attr("w:id")] = n
		}
	}
	r.margins = office.Related(r.rels, "header") != "" || office.Related(r.rels, "footer") != ""
	return nil
}

func (r *reader) leftOut() {
	if r.margins {
		r.page.Note("Page headers and footers were left out.")
	}
	if r.contents > 0 {
		r.page.Note("The table of contents was left out.")
	}
	r.page.Count(r.comments, "Comments that were left out")
	r.page.Count(r.hidden, "Runs of hidden text that were left out")
	r.page.Count(r.diagrams, "Diagrams whose text was not read")
	r.page.Count(r.chunks, "Embedded documents that were not read")
}

// ended is what an end of the XML means before its content began.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return office.ErrDamaged
	}
	return err
}
