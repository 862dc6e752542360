package odf

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// slideLevel is the level of a slide's heading; the level above is the title's.
const slideLevel = 2

// slides reads the slides of a presentation.
func (r *reader) slides(xml *office.Reader) error {
	number := 0
	for {
		e, err := xml.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if e.Name != "draw:page" {
			continue
		}
		number++
		if r.styles.find("drawing-page", e.Attr("draw:style-name"), func(st style) bool { return st.shown == "false" }) {
			r.hiddenSlides++
			continue
		}
		if err := r.slide(e, number); err != nil {
			return err
		}
	}
}

func (r *reader) slide(e *office.Element, number int) error {
	title := ""
	var shapes []*office.Element
	var notes *office.Element
	for _, c := range e.Children {
		switch class := c.Attr("presentation:class"); {
		case c.Name == "presentation:notes":
			notes = c
		case c.Name == "office:annotation":
			r.comments++
		case class == "title" && title == "":
			title = r.plain(c)
		case class == "date-time" || class == "footer" || class == "page-number" || class == "header" || !strings.HasPrefix(c.Name, "draw:"):
		default:
			shapes = append(shapes, c)
		}
	}
	if r.page.Title == "" && number == 1 {
		r.page.Title = title
	}
	heading := fmt.Sprintf("Slide %d", number)
	if title != "" {
		heading += ": " + title
	}
	r.page.Text(r.page.Heading(r.page.Body, slideLevel), heading)
	f := &flow{to: r.page.Body}
	if err := r.page.Slide(number, title, func() error {
		for _, s := range office.Ordered(shapes, boxOf) {
			if err := r.drawn(s, f); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if notes == nil {
		return nil
	}
	own := &flow{to: &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"}}
	for _, c := range notes.All("draw:frame") {
		if c.Attr("presentation:class") == "notes" {
			if err := r.drawn(c, own); err != nil {
				return err
			}
		}
	}
	if strings.TrimSpace(office.Plain(own.to)) != "" {
		r.page.Text(r.page.Heading(r.page.Body, slideLevel+1), "Speaker notes")
		office.Move(own.to, r.page.Body)
	}
	return nil
}

// plain is the text of a shape on one line.
func (r *reader) plain(e *office.Element) string {
	own := &flow{to: &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"}}
	if r.drawn(e, own) != nil {
		return ""
	}
	var parts []string
	for c := own.to.FirstChild; c != nil; c = c.NextSibling {
		parts = append(parts, strings.Fields(office.Plain(c))...)
	}
	return strings.Join(parts, " ")
}

// drawn writes what a shape holds: text, a table, others in a group; of a picture
// its description.
func (r *reader) drawn(e *office.Element, f *flow) error {
	if e.Name == "draw:g" {
		var inner []*office.Element
		for _, c := range e.Children {
			if strings.HasPrefix(c.Name, "draw:") {
				inner = append(inner, c)
			}
		}
		for _, c := range office.Ordered(inner, boxOf) {
			if err := r.drawn(c, f); err != nil {
				return err
			}
		}
		return nil
	}
	wrote := false
	for _, c := range e.Children {
		if c.Name == "draw:text-box" {
			if err := r.blocks(c, f); err != nil {
				return err
			}
			wrote = true
		} else if c.Name == "table:table" || c.Name == "text:p" || c.Name == "text:list" {
			if err := r.block(c, f); err != nil {
				return err
			}
			wrote = true
		}
	}
	r.end(f)
	if alt := description(e); alt != "" && (!wrote || e.Child("draw:image") != nil) && e.Child("table:table") == nil {
		r.page.Add(r.page.Add(f.to, atom.P), atom.Img, "alt", alt)
	}
	return r.page.Full()
}

// boxOf is where a shape stands; of a group, where its first shape does. Lengths
// become hundredths of a millimetre.
func boxOf(e *office.Element) office.Box {
	if _, ok := e.Lookup("svg:x"); !ok {
		for _, c := range e.Children {
			if strings.HasPrefix(c.Name, "draw:") && c.Attr("svg:x") != "" {
				return boxOf(c)
			}
		}
	}
	b := office.Box{Left: length(e.Attr("svg:x")), Top: length(e.Attr("svg:y"))}
	b.Right, b.Bottom = b.Left+length(e.Attr("svg:width")), b.Top+length(e.Attr("svg:height"))
	return b
}

func length(s string) int {
	for unit, hundredths := range map[string]float64{"cm": 1000, "mm": 100, "in": 2540, "pt": 2540.0 / 72, "px": 2540.0 / 96} {
		if n, ok := strings.CutSuffix(s, unit); ok {
			if v, err := strconv.ParseFloat(n, 64); err == nil && v > -1e6 && v < 1e6 {
				return int(v * hundredths)
			}
		}
	}
	return 0
}
