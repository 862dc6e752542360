package docx

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// flow is a sequence of blocks: the body, a cell, a text box, a note.
type flow struct {
	to      *html.Node
	lists   office.Lists
	code    *html.Node // the block of code that the last paragraph was of
	carried *html.Node // what a paragraph whose mark was deleted gives to the next
	pending []note     // to be set behind the block that is open
	cell    bool       // its notes are set behind the table
}

// block takes one element of a sequence of blocks.
func (r *reader) block(e *office.Element, f *flow) error {
	if err := r.page.Full(); err != nil {
		return err
	}
	switch e.Name {
	case "w:p":
		return r.paragraph(e, f)
	case "w:tbl":
		r.end(f)
		return r.table(e, f)
	case "w:sdt":
		return r.blocks(e.Child("w:sdtContent"), f)
	case "w:customXml", "w:ins", "w:moveTo", "w:smartTag":
		return r.blocks(e, f)
	case "mc:AlternateContent":
		return r.blocks(alternative(e), f)
	case "w:altChunk":
		r.chunks++
	}
	return nil
}

func (r *reader) blocks(e *office.Element, f *flow) error {
	if e == nil {
		return nil
	}
	for _, c := range e.Children {
		if err := r.block(c, f); err != nil {
			return err
		}
	}
	return nil
}

// alternative is the form of a content that a program of today chooses.
func alternative(e *office.Element) *office.Element {
	if c := e.Child("mc:Choice"); c != nil {
		return c
	}
	return e.Child("mc:Fallback")
}

// paragraph writes a paragraph as what its style and numbering make it: a
// heading, an item, a line of code, text.
func (r *reader) paragraph(e *office.Element, f *flow) error {
	pPr := e.Child("w:pPr")
	styleID := r.styles.paragraphStyle(pPr)
	line := &html.Node{Type: html.ElementNode, DataAtom: atom.Span, Data: "span"}
	if f.carried != nil {
		office.Move(f.carried, line)
		f.carried = nil
	}
	in := &inline{reader: r, to: line, style: styleID}
	in.children(e)
	if mark := pPr.Child("w:rPr"); mark.Child("w:del") != nil || mark.Child("w:moveFrom") != nil {
		f.carried = line
		f.pending = append(f.pending, in.notes...)
		return r.boxes(in.boxes, f)
	}
	if r.styles.is(styleID, contentName) {
		r.contents++
		return nil
	}
	empty := strings.TrimSpace(office.Plain(line)) == ""
	label := ""
	number, ilvl := r.numbering.numbered(pPr)
	if number != nil && !(empty && in.hid) {
		label = number.next(ilvl)
	}
	level := r.styles.headingLevel(pPr)
	switch {
	case empty:
		if f.code != nil {
			r.page.Text(f.code, "\n")
		}
	case level > 0:
		r.end(f)
		h := r.page.Heading(f.to, level)
		r.labelled(h, label, line)
		if r.styles.is(styleID, titleName) && !r.styles.titled {
			r.styles.titled = true
			r.page.Title = strings.Join(strings.Fields(office.Plain(line)), " ")
		}
	case r.styles.is(styleID, codeName):
		r.codeLine(f, line)
	case number != nil && label != "" && (!number.of.clause || number.level(ilvl).format == "bullet"):
		f.code = nil
		if number.level(ilvl).format == "bullet" {
			label = ""
		}
		office.Move(line, f.lists.Item(r.page, f.to, ilvl, label))
	default:
		r.end(f)
		r.labelled(r.page.Add(f.to, atom.P), label, line)
	}
	f.pending = append(f.pending, in.notes...)
	if !f.lists.Open() && f.code == nil {
		r.end(f)
	}
	return r.boxes(in.boxes, f)
}

func (r *reader) labelled(to *html.Node, label string, line *html.Node) {
	if label != "" {
		r.page.Text(to, label+" ")
	}
	office.Move(line, to)
}

func (r *reader) codeLine(f *flow, line *html.Node) {
	if f.code == nil {
		r.end(f)
		f.code = r.page.Add(f.to, atom.Pre)
	}
	r.page.Text(f.code, office.Plain(line)+"\n")
}

// end closes what is open, and sets the notes that it refers to behind it.
func (r *reader) end(f *flow) {
	f.lists.Close()
	f.code = nil
	if f.cell {
		return
	}
	pending := f.pending
	f.pending = nil
	for _, n := range pending {
		r.setNote(n, f)
	}
}

func (r *reader) boxes(boxes []*office.Element, f *flow) error {
	for _, b := range boxes {
		r.end(f)
		if b.Name == "c:chart" {
			root, err := r.pack.Tree(r.rels[b.Attr("r:id")].Target)
			if err != nil {
				return err
			}
			if err := r.page.Chart(root, f.to); err != nil {
				return err
			}
			continue
		}
		if err := r.blocks(b, f); err != nil {
			return err
		}
		r.end(f)
	}
	return nil
}
