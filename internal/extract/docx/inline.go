package docx

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// inline writes the content of one paragraph.
type inline struct {
	*reader
	to    *html.Node
	style string // of the paragraph
	hid   bool   // some of it is hidden
	notes []note
	boxes []*office.Element // text boxes and charts anchored in it
}

// field is an open field: its code is not shown, its result is.
type field struct{ result bool }

// shown is whether text at this place is shown: not within a field's code.
func (r *reader) shown() bool {
	for _, f := range r.fields {
		if !f.result {
			return false
		}
	}
	return true
}

func (in *inline) children(e *office.Element) {
	if e == nil {
		return
	}
	for _, c := range e.Children {
		in.element(c)
	}
}

func (in *inline) element(e *office.Element) {
	switch e.Name {
	case "w:r":
		in.run(e)
	case "w:hyperlink":
		in.link(e)
	case "w:sdt":
		in.children(e.Child("w:sdtContent"))
	case "w:ins", "w:moveTo", "w:smartTag", "w:customXml", "w:fldSimple", "w:dir", "w:bdo":
		in.children(e)
	case "mc:AlternateContent":
		in.children(alternative(e))
	case "m:oMath", "m:oMathPara":
		if in.shown() {
			in.page.Text(in.to, math(e))
		}
	}
}

func (in *inline) link(e *office.Element) {
	url := in.rels[e.Attr("r:id")].URL
	if url == "" {
		in.children(e)
		return
	}
	outer := in.to
	in.to = in.page.Add(outer, atom.A, "href", url)
	in.children(e)
	in.to = outer
}

// run writes a run of text of one format.
func (in *inline) run(e *office.Element) {
	rPr := e.Child("w:rPr")
	if in.styles.toggle(rPr, in.style, "w:vanish") {
		if strings.TrimSpace(e.Child("w:t").String()) != "" {
			in.hid = true
			in.hidden++
		}
		return
	}
	raised := rPr.Child("w:vertAlign").Attr("w:val") == "superscript"
	for _, c := range e.Children {
		if c.Name == "w:t" && raised && in.shown() {
			in.raise(c.String())
			continue
		}
		in.part(c)
	}
}

// raise writes an exponent; runs that follow one another are one.
func (in *inline) raise(s string) {
	sup := in.to.LastChild
	if sup == nil || sup.DataAtom != atom.Sup {
		sup = in.page.Add(in.to, atom.Sup)
	}
	in.page.Text(sup, s)
}

// part writes an element of a run.
func (in *inline) part(e *office.Element) {
	switch e.Name {
	case "w:fldChar":
		in.fieldMark(e.Attr("w:fldCharType"))
		return
	case "w:commentReference":
		in.comments++
		return
	}
	if !in.shown() {
		return
	}
	switch e.Name {
	case "w:t":
		in.page.Text(in.to, e.String())
	case "w:tab", "w:ptab":
		in.page.Text(in.to, "\t")
	case "w:br":
		if kind := e.Attr("w:type"); kind == "page" || kind == "column" {
			in.page.Text(in.to, " ")
			return
		}
		in.page.Add(in.to, atom.Br)
	case "w:cr":
		in.page.Add(in.to, atom.Br)
	case "w:noBreakHyphen":
		in.page.Text(in.to, "-")
	case "w:sym":
		in.page.Text(in.to, symbol(e.Attr("w:font"), e.Attr("w:char")))
	case "w:ruby":
		in.children(e.Child("w:rubyBase"))
	case "w:footnoteReference", "w:endnoteReference":
		in.reference(e)
	case "mc:AlternateContent":
		if a := alternative(e); a != nil {
			for _, c := range a.Children {
				in.part(c)
			}
		}
	case "w:drawing", "w:pict", "w:object":
		in.drawing(e)
	}
}

// maxFields bounds the fields that are open at once.
const maxFields = 100

func (in *inline) fieldMark(kind string) {
	n := len(in.fields)
	switch {
	case kind == "begin" && n < maxFields:
		in.fields = append(in.fields, field{})
	case kind == "separate" && n > 0:
		in.fields[n-1].result = true
	case kind == "end" && n > 0:
		in.fields = in.fields[:n-1]
	}
}

// drawing writes the description of a picture, and keeps the text boxes.
func (in *inline) drawing(e *office.Element) {
	boxes := len(in.boxes)
	var alt string
	var walk func(*office.Element)
	walk = func(e *office.Element) {
		switch e.Name {
		case "w:txbxContent":
			in.boxes = append(in.boxes, e)
			return
		case "mc:AlternateContent":
			if e = alternative(e); e == nil {
				return
			}
		case "wp:docPr":
			alt = e.Attr("descr")
		case "v:shape", "v:rect":
			if a := e.Attr("alt"); alt == "" {
				alt = a
			}
		case "a:graphicData":
			if strings.HasSuffix(e.Attr("uri"), "/diagram") {
				in.diagrams++
			}
		case "c:chart":
			in.boxes = append(in.boxes, e)
			return
		}
		for _, c := range e.Children {
			walk(c)
		}
	}
	walk(e)
	if alt = strings.TrimSpace(alt); alt != "" && len(in.boxes) == boxes {
		in.page.Add(in.to, atom.Img, "alt", alt)
	}
}

// note is a footnote or endnote with the mark that the reader sees.
type note struct {
	mark string
	body *office.Element
}

// reference writes the mark of a note: footnotes are counted in figures and
// endnotes in Roman ones, as Word does unless told otherwise.
func (in *inline) reference(e *office.Element) {
	kind := strings.TrimSuffix(strings.TrimPrefix(e.Name, "w:"), "Reference")
	body := in.reader.notes[kind+e.Attr("w:id")]
	if body == nil || in.inNote {
		return
	}
	n := note{body: body}
	if on(e, "w:customMarkFollows") {
		n.mark = "*"
	} else {
		in.noted[kind]++
		n.mark = strconv.Itoa(in.noted[kind])
		if kind == "endnote" {
			n.mark = office.FormatNumber(in.noted[kind], "lowerRoman")
		}
	}
	in.page.Text(in.to, "[^"+n.mark+"]")
	in.notes = append(in.notes, n)
}

// setNote writes a note as paragraphs behind what refers to it.
func (r *reader) setNote(n note, f *flow) {
	r.inNote = true
	defer func() { r.inNote = false }()
	to := &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"}
	own := &flow{to: to}
	if r.blocks(n.body, own) != nil { // too large: the next block says so
		return
	}
	r.end(own)
	r.page.Mark(to, n.mark)
	office.Move(to, f.to)
}
