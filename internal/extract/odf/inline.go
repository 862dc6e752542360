package odf

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
	notes []note
	boxes []*office.Element // text boxes anchored in it
}

func (in *inline) children(e *office.Element) {
	for _, c := range e.Children {
		in.element(c)
	}
}

func (in *inline) element(e *office.Element) {
	switch e.Name {
	case "":
		in.page.Text(in.to, e.Text)
	case "text:s":
		in.page.Text(in.to, " ")
	case "text:tab":
		in.page.Text(in.to, "\t")
	case "text:line-break":
		in.page.Add(in.to, atom.Br)
	case "text:span":
		if in.styles.isHidden("text", e.Attr("text:style-name")) {
			in.hidden++
			return
		}
		outer := in.to
		if in.styles.find("text", e.Attr("text:style-name"), func(st style) bool { return st.raised }) {
			in.to = in.page.Add(outer, atom.Sup)
		}
		in.children(e)
		in.to = outer
	case "text:a":
		outer := in.to
		if href := e.Attr("xlink:href"); strings.Contains(href, ":") {
			in.to = in.page.Add(outer, atom.A, "href", href)
		}
		in.children(e)
		in.to = outer
	case "text:ruby":
		if base := e.Child("text:ruby-base"); base != nil {
			in.children(base)
		}
	case "text:note":
		in.note(e)
	case "office:annotation":
		in.comments++
	case "text:hidden-text":
		in.hidden++
	case "text:number", "text:bookmark", "text:soft-page-break", "office:annotation-end", "text:change", "text:change-start", "text:change-end":
	case "draw:frame", "draw:custom-shape", "draw:g", "draw:rect":
		in.drawing(e)
	default: // fields show their text
		in.children(e)
	}
}

func (in *inline) note(e *office.Element) {
	body := e.Child("text:note-body")
	if body == nil || in.inNote {
		return
	}
	in.noted++
	mark := strings.TrimSpace(e.Child("text:note-citation").String())
	if mark == "" || len(mark) > 20 {
		mark = strconv.Itoa(in.noted)
	}
	in.page.Text(in.to, "[^"+mark+"]")
	in.notes = append(in.notes, note{mark, body})
}

// drawing writes the description of a picture, and keeps what text boxes hold.
func (in *inline) drawing(e *office.Element) {
	for _, c := range e.Children {
		switch c.Name {
		case "draw:text-box":
			in.boxes = append(in.boxes, c)
			return
		case "text:p", "text:list":
			in.boxes = append(in.boxes, e)
			return
		case "draw:frame", "draw:custom-shape", "draw:g", "draw:rect":
			in.drawing(c)
		}
	}
	if alt := description(e); alt != "" {
		in.page.Add(in.to, atom.Img, "alt", alt)
	}
}

// description is what a picture is said to show.
func description(e *office.Element) string {
	if d := strings.TrimSpace(e.Child("svg:desc").String()); d != "" {
		return d
	}
	return strings.TrimSpace(e.Child("svg:title").String())
}
